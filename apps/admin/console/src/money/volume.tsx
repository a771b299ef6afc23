import { Link } from 'wouter';
import { useI18n } from '../i18n/i18n';
import { formatAmount, formatRate } from '../shared/format';
import type { CurrencyProps } from './currency-section';
import { ENTRIES } from './links';
import styles from './money.module.css';

interface Figure {
  readonly name: 'authorized' | 'captured' | 'refunded' | 'chargedBack';
  readonly href: string;
  readonly count: string;
  readonly rate: {
    readonly label: string;
    readonly part: number;
    /** The amount or count of which `part` is a share; if it is 0, no rate is shown. */
    readonly whole: number;
    readonly hint: string;
    readonly href: string;
  };
}

const figuresOf = (
  { money, of: { from }, linkTo }: CurrencyProps,
  { t, locale }: ReturnType<typeof useI18n>,
): readonly Figure[] => {
  const { authorized, captured, refunded, chargedBack, notAuthorized } = money;
  const { rates, rateHints } = t.money;
  const entries = (kind: string): string => linkTo(ENTRIES, { kind, from });
  const ofAuthorized = linkTo('/payments', { authorizedFrom: from });
  const uncapturedMinor = authorized.amountMinor - money.capturedOfAuthorizedMinor;
  return [
    {
      name: 'authorized',
      href: ofAuthorized,
      count: t.money.payments(authorized.count),
      rate: {
        label: rates.authorization,
        part: authorized.count,
        whole: authorized.count + notAuthorized,
        hint: rateHints.authorization(notAuthorized),
        href: linkTo('/payments', { declinedFrom: from, authorized: 'false' }),
      },
    },
    {
      name: 'captured',
      href: entries('payment'),
      count: t.money.captures(captured.count),
      rate: {
        label: rates.capture,
        part: money.capturedOfAuthorizedMinor,
        whole: authorized.amountMinor,
        hint: rateHints.capture(formatAmount(uncapturedMinor, money.currency, locale)),
        href: ofAuthorized,
      },
    },
    {
      name: 'refunded',
      href: entries('refund'),
      count: t.money.refunds(refunded.count),
      rate: {
        label: rates.refund,
        part: refunded.amountMinor,
        whole: captured.amountMinor,
        hint: rateHints.refund,
        href: entries('refund'),
      },
    },
    {
      name: 'chargedBack',
      href: entries('dispute'),
      count: t.money.disputes(chargedBack.count),
      rate: {
        label: rates.dispute,
        part: chargedBack.count,
        whole: captured.count,
        hint: rateHints.dispute,
        href: entries('dispute'),
      },
    },
  ];
};

/** The authorized, captured, refunded and charged-back amounts, each with its rate. */
export const Volume = (props: CurrencyProps) => {
  const i18n = useI18n();
  const { t, locale } = i18n;
  const { money } = props;
  return (
    <ol className={styles['volume']} aria-label={t.money.volume}>
      {figuresOf(props, i18n).map(({ name, href, count, rate }) => (
        <li key={name} className={`card ${styles['figure']} ${styles[name]}`}>
          <Link href={href} className={styles['amount']}>
            <span className={styles['label']}>{t.money[name]}</span>
            <span className={styles['value']}>
              {formatAmount(money[name].amountMinor, money.currency, locale)}
            </span>
            <span className={styles['dimmed']}>{count}</span>
          </Link>
          <Link href={rate.href} className={`${styles['rate']} ${styles['ofVolume']}`}>
            <span>{rate.label}</span>{' '}
            <span className={styles['percent']}>
              {rate.whole === 0 ? '–' : formatRate(rate.part / rate.whole, locale)}
            </span>{' '}
            <span className={styles['dimmed']}>{rate.hint}</span>
          </Link>
        </li>
      ))}
    </ol>
  );
};
