import type { CSSProperties, ReactNode } from 'react';
import { useI18n } from '../i18n/i18n';
import { formatAmount } from './format';
import styles from './money-steps.module.css';

/** A step of money on its way, e.g. what was captured. */
export interface MoneyStep {
  readonly name: string;
  readonly label: string;
  /** In minor units; null: not known yet. */
  readonly amountMinor: number | null;
  readonly note?: ReactNode;
  /** Whether it is the result of the steps before, which is highlighted. */
  readonly isResult?: boolean;
}

/** An amount that a step deducts, in minor units: -0 would be shown with its sign. */
export const minus = (minor: number): number => (minor === 0 ? 0 : -minor);

interface MoneyStepsProps {
  /** The name of the strip for screen readers. */
  readonly label: string;
  readonly steps: readonly MoneyStep[];
  readonly currency: string;
  /** A last step that is not an amount. */
  readonly children?: ReactNode;
}

const resultClass = ({ isResult = false, amountMinor }: MoneyStep): string | undefined =>
  isResult && amountMinor !== null ? styles[amountMinor < 0 ? 'negative' : 'net'] : undefined;

/** Amounts that lead to one another, from left to right; on a narrow screen as rows. */
export const MoneySteps = ({ label, steps, currency, children }: MoneyStepsProps) => {
  const { locale } = useI18n();
  const count = steps.length + (children === undefined ? 0 : 1);
  return (
    <section aria-label={label}>
      <ol className={`card ${styles['strip']}`} style={{ '--steps': count } as CSSProperties}>
        {steps.map((step) => (
          <li key={step.name} className={resultClass(step)}>
            <span className={styles['label']}>{step.label}</span>
            <span className={step.amountMinor ? styles['value'] : styles['zero']}>
              {step.amountMinor === null ? '–' : formatAmount(step.amountMinor, currency, locale)}
            </span>
            {step.note !== undefined && <span className={styles['note']}>{step.note}</span>}
          </li>
        ))}
        {children !== undefined && <li>{children}</li>}
      </ol>
    </section>
  );
};
