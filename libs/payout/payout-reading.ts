import type { WirePayout, WireMethodTotals } from '#psp-hosted';
import type { ObservedPayout } from './domain/payout-command.js';
import type { MethodTotals } from './domain/payout-event.js';

const totalsOf = ({ card, sepa }: WireMethodTotals): MethodTotals => ({
  card: { count: card.count, amountMinor: card.amount, feesMinor: card.fees },
  sepa: { count: sepa.count, amountMinor: sepa.amount, feesMinor: sepa.fees },
});

/** One look at a payout, as the one door takes it. */
export const observationOfPayout = (wire: WirePayout): ObservedPayout => ({
  status: wire.status,
  reference: wire.reference,
  currency: wire.currency,
  amountMinor: wire.amount,
  feesMinor: wire.fees,
  feesVatMinor: wire.fees_vat,
  date: wire.date,
  dateBank: wire.date_bank,
  totals: {
    payment: totalsOf(wire.payments.method),
    refund: totalsOf(wire.refunds.method),
    dispute: totalsOf(wire.disputes.method),
  },
});
