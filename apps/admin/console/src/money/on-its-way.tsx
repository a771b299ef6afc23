import { type ReactNode, useId } from 'react';
import { Link } from 'wouter';
import { useI18n } from '../i18n/i18n';
import { formatAmount, formatCount, formatDay, formatMoment, formatRate } from '../shared/format';
import type { CurrencyProps } from './currency-section';
import styles from './money.module.css';

interface TileProps {
  readonly href: string;
  readonly label: string;
  readonly value: string;
  readonly isBad?: boolean;
  readonly hint: string;
  readonly children?: ReactNode;
}

const Tile = ({ href, label, value, hint, isBad = false, children }: TileProps) => (
  <li className={`card ${styles['figure']} ${isBad ? styles['bad'] : ''}`}>
    <Link href={href} className={styles['amount']}>
      <span className={styles['label']}>{label}</span>
      <span className={styles['value']}>{value}</span>
      <span className={styles['dimmed']}>{hint}</span>
    </Link>
    {children}
  </li>
);

const Lapsing = ({ money: { currency, lapsing, uncaptured }, of, linkTo }: CurrencyProps) => {
  const { t, locale } = useI18n();
  const { lapsingTo } = of;
  return (
    <Tile
      href={linkTo('/payments', { expiresTo: lapsingTo })}
      label={t.money.lapsing}
      value={formatAmount(lapsing.amountMinor, currency, locale)}
      hint={`${t.money.payments(lapsing.count)}, ${t.money.lapsingHint(formatDay(lapsingTo, locale))}`}
      isBad={lapsing.count > 0}
    >
      {lapsing.soonestAt !== null && (
        <p className={styles['note']}>{t.money.soonest(formatMoment(lapsing.soonestAt, locale))}</p>
      )}
      <Link href={linkTo('/payments', { status: 'authorized' })} className={styles['rate']}>
        {t.money.uncaptured(
          uncaptured.count,
          formatAmount(uncaptured.amountMinor, currency, locale),
        )}
      </Link>
    </Tile>
  );
};

const Matches = ({ money: { payouts }, of: { from }, linkTo }: CurrencyProps) => {
  const { t, locale } = useI18n();
  const { matched, reconciled } = payouts;
  const isWrong = matched < reconciled;
  return (
    <Tile
      href={linkTo('/payouts', { from, ...(isWrong && { reconciliation: 'breaks' }) })}
      label={t.money.match}
      value={reconciled === 0 ? '–' : formatRate(matched / reconciled, locale)}
      hint={reconciled === 0 ? t.money.matchNone : t.money.matchHint(matched, reconciled)}
      isBad={isWrong}
    />
  );
};

const Breaks = ({ money: { currency, openBreaks }, linkTo }: CurrencyProps) => {
  const { t, locale } = useI18n();
  const { count, amountMinor, ages } = openBreaks;
  return (
    <Tile
      href={linkTo('/reconciliation', { state: 'open' })}
      label={t.money.breaks}
      value={formatCount(count, locale)}
      hint={
        count === 0
          ? t.money.breaksNone
          : t.money.breaksHint(formatAmount(amountMinor, currency, locale))
      }
      isBad={count > 0}
    >
      {ages.length > 0 && (
        <ul className={styles['ages']}>
          {ages.map(({ minDays, maxDays, sinceFrom, sinceTo, count: ofAge }) => (
            <li key={minDays}>
              <Link
                href={linkTo('/reconciliation', { state: 'open', sinceFrom, sinceTo })}
                className={styles['age']}
              >
                <span className={styles['ageCount']}>{formatCount(ofAge, locale)}</span>{' '}
                {t.money.days(minDays, maxDays)}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Tile>
  );
};

/**
 * The money that still needs an event before it is paid out: a capture, a payout, or the close of a
 * break.
 */
export const OnItsWay = (props: CurrencyProps) => {
  const { t, locale } = useI18n();
  const { money, linkTo } = props;
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="visually-hidden">
        {t.money.onItsWay}
      </h3>
      <ul className={styles['tiles']}>
        <Lapsing {...props} />
        <Tile
          href={linkTo('/ledger')}
          label={t.money.toPayOut}
          value={formatAmount(money.toPayOutMinor, money.currency, locale)}
          hint={t.money.toPayOutHint}
        />
        <Matches {...props} />
        <Breaks {...props} />
      </ul>
    </section>
  );
};
