import type { PayoutFacts } from '#psp';
import type { WireMethodTotals, WirePayout } from './payout-wire.js';
import { payoutStatus } from './statuses.js';

const totalsOf = ({ card, sepa }: WireMethodTotals): PayoutFacts['totals']['payment'] => ({
  card: { count: card.count, amountMinor: card.amount, feesMinor: card.fees },
  sepa: { count: sepa.count, amountMinor: sepa.amount, feesMinor: sepa.fees },
});

export const payoutOf = (wire: WirePayout): PayoutFacts => ({
  payoutId: wire.id,
  status: payoutStatus(wire.status),
  reference: wire.reference,
  currency: wire.currency,
  amountMinor: wire.amount,
  feesMinor: wire.fees,
  feesVatMinor: wire.fees_vat,
  date: wire.date,
  bankDate: wire.date_bank,
  totals: {
    payment: totalsOf(wire.payments.method),
    refund: totalsOf(wire.refunds.method),
    dispute: totalsOf(wire.disputes.method),
  },
});
