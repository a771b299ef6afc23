import { useT } from '../i18n/i18n';
import { minus, type MoneyStep, MoneySteps } from '../shared/money-steps';

/** The number and the sum of a group of payout lines, as the payout states them. */
interface Total {
  readonly count: number;
  readonly amountMinor: number;
}

/** The amounts of a payout, read from its state. */
interface PayoutTerms {
  readonly amountMinor: number;
  readonly feesMinor: number;
  readonly feesVatMinor: number;
  readonly totals: Readonly<
    Record<'payment' | 'refund' | 'dispute', Readonly<Record<'card' | 'sepa', Total>>>
  >;
}

const bothOf = ({ card, sepa }: PayoutTerms['totals']['payment']): Total => ({
  count: card.count + sepa.count,
  amountMinor: card.amountMinor + sepa.amountMinor,
});

interface PayoutStripProps {
  readonly state: Readonly<Record<string, unknown>>;
  readonly currency: string;
}

/** Shows how the amount that the merchant receives is calculated from the captured payments. */
export const PayoutStrip = ({ state, currency }: PayoutStripProps) => {
  const t = useT();
  const terms = state['terms'] as PayoutTerms | undefined;
  if (terms === undefined) return null;
  const { amountMinor, feesMinor, feesVatMinor, totals } = terms;
  const payments = bothOf(totals.payment);
  const refunds = bothOf(totals.refund);
  const disputes = bothOf(totals.dispute);
  const otherMinor =
    amountMinor -
    (payments.amountMinor - feesMinor - feesVatMinor - refunds.amountMinor - disputes.amountMinor);
  const { gross, fees, vat, chargebacks, other, otherNote, net, ...words } = t.payoutMoney;
  const steps: readonly MoneyStep[] = [
    {
      name: 'gross',
      label: gross,
      amountMinor: payments.amountMinor,
      note: t.money.payments(payments.count),
    },
    { name: 'fees', label: fees, amountMinor: minus(feesMinor) },
    { name: 'vat', label: vat, amountMinor: minus(feesVatMinor) },
    {
      name: 'refunds',
      label: words.refunds,
      amountMinor: minus(refunds.amountMinor),
      ...(refunds.count > 0 && { note: t.money.refunds(refunds.count) }),
    },
    {
      name: 'chargebacks',
      label: chargebacks,
      amountMinor: minus(disputes.amountMinor),
      ...(disputes.count > 0 && { note: t.money.disputes(disputes.count) }),
    },
    ...(otherMinor === 0
      ? []
      : [{ name: 'other', label: other, amountMinor: otherMinor, note: otherNote }]),
    { name: 'net', label: net, amountMinor, isResult: true },
  ];
  return <MoneySteps label={words.title} steps={steps} currency={currency} />;
};
