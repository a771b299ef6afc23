import { Link } from 'wouter';
import { pathOf, type TimelineEntry } from '../entity/entity-types';
import { statusWord } from '../entity/status-tone';
import { useI18n } from '../i18n/i18n';
import { formatAmount, formatMoment } from '../shared/format';
import { minus, type MoneyStep, MoneySteps } from '../shared/money-steps';
import { Day } from '../shared/time';
import { amountsOf, attemptsIn, paymentStateOf } from './payment-state';
import styles from './payment.module.css';
import { usePaymentSummary } from './use-payment-summary';

interface MoneyStripProps {
  readonly id: string;
  readonly state: Readonly<Record<string, unknown>>;
  readonly currency: string;
  readonly events: readonly TimelineEntry[];
}

interface PayoutsProps {
  readonly id: string;
  readonly version: number;
  /** Whether the provider owes the merchant money for the payment. */
  readonly isOwed: boolean;
}

/** The payouts that contain the captured amount of the payment, each with its status and day. */
const Payouts = ({ id, version, isOwed }: PayoutsProps) => {
  const { t } = useI18n();
  const { data } = usePaymentSummary(id, version);
  const payouts = data?.payouts ?? [];
  if (payouts.length === 0) {
    return (
      <span className={styles['note']}>{isOwed ? t.payment.nextPayout : t.payment.noPayout}</span>
    );
  }
  return payouts.map(({ payoutId, status, date }) => (
    <span key={payoutId} className={styles['payout']}>
      <Link href={pathOf('payout', payoutId) ?? ''} className="link" title={payoutId}>
        {statusWord(t, 'payout', status)}
      </Link>
      <span className={styles['note']}>
        <Day day={date} />
      </span>
    </span>
  ));
};

/**
 * The notes below the amounts, such as the expiry of the authorization. A note is shown only if it
 * applies.
 */
const useNotes = (state: MoneyStripProps['state'], currency: string) => {
  const { t, locale } = useI18n();
  const { status, expiresAt, releasedMinor } = paymentStateOf(state);
  const { captureInProgress, refundInProgress } = amountsOf(state);
  const amount = (minor: number): string => formatAmount(minor, currency, locale);
  const inProgress = (minor: number) =>
    minor > 0 ? { note: t.payment.inProgress(amount(minor)) } : {};
  const expiry =
    status === 'authorized' && expiresAt !== undefined
      ? { note: t.payment.expires(formatMoment(expiresAt, locale)) }
      : {};
  return {
    authorized: releasedMinor ? { note: t.payment.released(amount(releasedMinor)) } : expiry,
    captured: inProgress(captureInProgress),
    refunded: inProgress(refundInProgress),
  };
};

/** Where the payment's money is: from the authorization to the payout. */
export const MoneyStrip = ({ id, state, currency, events }: MoneyStripProps) => {
  const { t } = useI18n();
  const { data: summary } = usePaymentSummary(id, events.length);
  const { isAccepted, isDebit } = attemptsIn(events);
  const amounts = amountsOf(state);
  const notes = useNotes(state, currency);
  const { steps } = t.payment;
  const { feesMinor = null, netMinor = null } = summary ?? {};
  const shown: readonly MoneyStep[] = [
    {
      name: 'authorized',
      label: isDebit ? steps.debited : steps.authorized,
      amountMinor: isAccepted ? (paymentStateOf(state).terms?.amountMinor ?? 0) : 0,
      ...notes.authorized,
    },
    { name: 'captured', label: steps.captured, amountMinor: amounts.captured, ...notes.captured },
    {
      name: 'refunded',
      label: steps.refunded,
      amountMinor: minus(amounts.refunded),
      ...notes.refunded,
    },
    { name: 'chargedBack', label: steps.chargedBack, amountMinor: minus(amounts.chargedBack) },
    { name: 'fees', label: steps.fees, amountMinor: feesMinor === null ? null : minus(feesMinor) },
    {
      name: 'net',
      label: steps.net,
      amountMinor: netMinor,
      note: netMinor === null ? t.payment.noEntry : t.payment.beforeVat,
      isResult: true,
    },
  ];
  return (
    <MoneySteps label={t.payment.money} steps={shown} currency={currency}>
      <span className={styles['label']}>{steps.payout}</span>
      <Payouts id={id} version={events.length} isOwed={netMinor !== null && netMinor !== 0} />
    </MoneySteps>
  );
};
