import { useId } from 'react';
import { Link } from 'wouter';
import { useI18n } from '../i18n/i18n';
import { bankReason } from '../payments/bank-reason';
import { formatCount } from '../shared/format';
import type { CurrencyProps } from './currency-section';
import styles from './money.module.css';

/** The payments that banks have declined in the period, by reason. */
export const Declines = ({ money: { declines }, of: { from }, linkTo }: CurrencyProps) => {
  const { t, locale } = useI18n();
  const id = useId();
  const most = Math.max(1, ...declines.map(({ count }) => count));
  return (
    <section className={`card ${styles['panel']}`} aria-labelledby={id}>
      <h3 id={id} className={styles['heading']}>
        {t.money.declines} <span className={styles['dimmed']}>· {t.money.declinesHint}</span>
      </h3>
      {declines.length === 0 && <p className={styles['dimmed']}>{t.money.declinesNone}</p>}
      <ul className={styles['bars']}>
        {declines.map(({ code, count }) => (
          <li key={code ?? ''}>
            <Link
              href={linkTo('/payments', { declinedFrom: from, declineCode: code ?? 'none' })}
              className={styles['bar']}
            >
              <span className={styles['barLabel']}>{bankReason(t, code)}</span>
              <span className={styles['barCount']}>{formatCount(count, locale)}</span>
              <span
                className={styles['barShare']}
                style={{ inlineSize: `${(100 * count) / most}%` }}
              />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
};
