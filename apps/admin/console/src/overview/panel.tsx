import { type ReactNode, useId } from 'react';
import styles from './overview.module.css';

interface PanelProps {
  readonly title: string;
  readonly hint?: string;
  readonly children: ReactNode;
}

export const Panel = ({ title, hint, children }: PanelProps) => {
  const id = useId();
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls sideways.
    <section className={`card ${styles['panel']}`} aria-labelledby={id} tabIndex={0}>
      <h2 id={id} className={styles['heading']}>
        {title}
        {hint !== undefined && <span className={styles['hint']}> · {hint}</span>}
      </h2>
      {children}
    </section>
  );
};
