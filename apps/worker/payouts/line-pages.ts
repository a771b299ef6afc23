import type { LineKind } from '#payout';
import type { WireDisputeLine, WirePayment, WireRefund } from '#provider';
import type { Reader } from './background-reads.js';
import type { AddressedFact, PaymentFact } from './payment-door.js';
import { disputeFacts, type PaymentReferences } from './payment-references.js';
import type { PayoutLine } from './payout-lines.js';

/** One page of a payout's lines: as rows, and as facts of our payments. */
export interface LinePage {
  readonly lines: readonly PayoutLine[];
  readonly facts: readonly AddressedFact[];
  readonly hasMore: boolean;
}

const fromPayment = (wire: WirePayment): PayoutLine => {
  const paymentId = wire.order_id ?? wire.unique_id;
  return {
    kind: 'payment', objectId: wire.id, providerPaymentId: wire.id, paymentId,
    journalId: paymentId, method: wire.method, currency: wire.currency, amountMinor: wire.amount,
    feeMinor: wire.fee,
  };
};

const fromRefund = (wire: WireRefund, paymentId: string | null): PayoutLine => ({
  kind: 'refund', objectId: wire.id, providerPaymentId: wire.payment, paymentId,
  journalId: wire.id, method: null, currency: wire.currency, amountMinor: wire.amount,
  feeMinor: 0,
});

const fromDispute = (wire: WireDisputeLine, paymentId: string | null): PayoutLine => ({
  kind: 'dispute', objectId: wire.id, providerPaymentId: wire.payment, paymentId,
  journalId: wire.id, method: null, currency: wire.currency, amountMinor: wire.amount,
  feeMinor: wire.fee,
});

/** A line with the fact that it is of its payment, where that is ours. */
const told = (line: PayoutLine, fact: PaymentFact) => ({ line, fact });

const pageOf = (
  pairs: readonly ReturnType<typeof told>[], hasMore: boolean,
): LinePage => ({
  lines: pairs.map(({ line }) => line),
  facts: pairs.flatMap(({ line: { paymentId }, fact }) =>
    paymentId === null ? [] : [{ paymentId, fact }]),
  hasMore,
});

/** Reads one page of lines. Throws `BudgetSpent` or a `ProviderError`. */
export const readLinePage = async (
  reader: Reader, references: PaymentReferences, payoutId: string, kind: LineKind, start: number,
): Promise<LinePage> => {
  switch (kind) {
    case 'payment': {
      const { items, hasMore } =
        await reader.payouts((client) => client.payoutPayments(payoutId, start));
      const pairs = items.map((wire) => told(fromPayment(wire), { of: 'payment', wire }));
      return pageOf(pairs, hasMore);
    }
    case 'refund': {
      const { items, hasMore } =
        await reader.payouts((client) => client.payoutRefunds(payoutId, start));
      const known = await references.of(reader, items.map(({ payment }) => payment));
      const pairs = items.map((wire) =>
        told(fromRefund(wire, known.get(wire.payment) ?? null), { of: 'refund', wire }));
      return pageOf(pairs, hasMore);
    }
    case 'dispute': {
      const { items, hasMore } =
        await reader.payouts((client) => client.payoutDisputes(payoutId, start));
      const facts = await disputeFacts(reader, references, items);
      const known = new Map(facts.map(({ paymentId, fact }) => [fact.wire.id, paymentId]));
      const pairs = items.map((wire) =>
        told(fromDispute(wire, known.get(wire.id) ?? null), { of: 'dispute', wire }));
      return pageOf(pairs, hasMore);
    }
  }
};
