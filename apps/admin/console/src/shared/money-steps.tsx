import type { CSSProperties, ReactNode } from 'react';
import { useI18n } from '../i18n/i18n';
import { formatAmount } from './format';
import styles from './money-steps.module.css';

/** An amount in a series of amounts that lead to one another, e.g. the captured amount. */
export interface MoneyStep {
  readonly name: string;
  readonly label: string;
  /** In minor units; null if not known yet. */
  readonly amountMinor: number | null;
  readonly note?: ReactNode;
  /** Whether the amount is the result of the preceding ones and is therefore highlighted. */
  readonly isResult?: boolean;
}

/**
 * Negates an amount that is deducted, in minor units. Zero stays 0, because -0 would be shown with
 * a sign.
 */
export const minus = (minor: number): number => (minor === 0 ? 0 : -minor);

interface MoneyStepsProps {
  /** The label of the series for screen readers. */
  readonly label: string;
  readonly steps: readonly MoneyStep[];
  readonly currency: string;
  /** A last element of the series that is not an amount. */
  readonly children?: ReactNode;
}

const resultClass = ({ isResult = false, amountMinor }: MoneyStep): string | undefined =>
  isResult && amountMinor !== null ? styles[amountMinor < 0 ? 'negative' : 'net'] : undefined;

/**
 * A series of amounts that lead to one another, such as captured, fees and net. They are shown from
 * left to right, on a narrow screen as rows.
 */
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
