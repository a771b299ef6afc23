import { useId } from 'react';
import { Link } from 'wouter';
import { useI18n } from '../i18n/i18n';
import { formatAmount, formatDay } from '../shared/format';
import type { CurrencyProps } from './currency-section';
import { ENTRIES } from './links';
import styles from './money.module.css';

type Day = CurrencyProps['money']['days'][number];

const PARTS = ['captured', 'refunded', 'chargedBack'] as const;

const outOf = ({ refundedMinor, chargedBackMinor }: Day): number =>
  refundedMinor + chargedBackMinor;

const largest = (values: readonly number[]): number => Math.max(1, ...values);

/** The maximum number of days with a label. */
const MAX_LABELS = 8;

/**
 * A bar chart by day. The captured amount points upwards; the refunded and charged-back amounts
 * point downwards, on the same scale. Each day is a link to its ledger entries. The chart is drawn
 * without a library, so that the links work with a keyboard and no chart code has to be loaded.
 */
export const DaysChart = ({ money: { currency, days }, linkTo }: CurrencyProps) => {
  const { t, locale } = useI18n();
  const id = useId();
  const amount = (minor: number): string => formatAmount(minor, currency, locale);
  const mostMinor = Math.max(...days.map(({ capturedMinor }) => capturedMinor));
  const up = largest([mostMinor]);
  const down = largest(days.map(outOf));
  const rows = { gridTemplateRows: `${up}fr ${Math.max(down, up * 0.06)}fr` };
  const heightOf = (minor: number, whole: number) => ({ blockSize: `${(100 * minor) / whole}%` });
  const step = Math.ceil(days.length / MAX_LABELS);
  return (
    <section className={`card ${styles['panel']}`} aria-labelledby={id}>
      <h3 id={id} className="visually-hidden">
        {t.money.byDay}
      </h3>
      <ul className={styles['legend']} aria-hidden="true">
        {PARTS.map((name) => (
          <li key={name}>
            <span className={`${styles['swatch']} ${styles[`${name}Bar`]}`} />
            {t.money[name]}
          </li>
        ))}
        <li className={`${styles['most']} ${styles['dimmed']}`}>
          {t.money.mostOfDay(amount(mostMinor))}
        </li>
      </ul>
      <ol className={styles['days']}>
        {days.toReversed().map((day, index) => {
          const { capturedMinor, refundedMinor, chargedBackMinor } = day;
          const dayText = formatDay(day.day, locale);
          const text = t.money.dayText(
            dayText,
            amount(capturedMinor),
            amount(refundedMinor),
            amount(chargedBackMinor),
          );
          return (
            <li key={day.day}>
              <Link
                href={linkTo(ENTRIES, { from: day.day, to: day.day })}
                className={styles['day']}
                style={rows}
                aria-label={text}
                title={text}
              >
                <span className={styles['up']}>
                  <span className={styles['capturedBar']} style={heightOf(capturedMinor, up)} />
                </span>
                <span className={styles['down']}>
                  <span className={styles['refundedBar']} style={heightOf(refundedMinor, down)} />
                  <span
                    className={styles['chargedBackBar']}
                    style={heightOf(chargedBackMinor, down)}
                  />
                </span>
              </Link>
              <span className={styles['dayLabel']} aria-hidden="true">
                {index % step === 0 ? dayText : ''}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
};
