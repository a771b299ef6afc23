import type { LineKind } from '#payout';
import type { WireDispute, WirePayment, WireRefund } from '#psp-hosted';
import type { Reader } from '../reads/background-reads.js';
import type { PaymentFact, PaymentReference } from './payment-door.js';
import { type PaymentReferences, referenceOf } from './payment-references.js';
import type { PayoutLine } from './payout-lines.js';

/** A line as the provider lists it, and the fact that it is of the payment it refers to. */
export interface ListedLine {
  readonly line: Omit<PayoutLine, 'paymentId'>;
  readonly reference: PaymentReference | null;
  readonly fact: PaymentFact;
}

/** One page of a payout's lines. */
export interface LinePage {
  readonly lines: readonly ListedLine[];
  readonly hasMore: boolean;
}

const fromPayment = (wire: WirePayment): ListedLine => ({
  line: {
    kind: 'payment', objectId: wire.id, providerPaymentId: wire.id, method: wire.method,
    currency: wire.currency, amountMinor: wire.amount, feeMinor: wire.fee,
  },
  reference: referenceOf(wire),
  fact: { of: 'payment', wire },
});

const fromRefund = (wire: WireRefund, reference: PaymentReference | null): ListedLine => ({
  line: {
    kind: 'refund', objectId: wire.id, providerPaymentId: wire.payment, method: null,
    currency: wire.currency, amountMinor: wire.amount, feeMinor: 0,
  },
  reference,
  fact: { of: 'refund', wire },
});

const fromDispute = (wire: WireDispute, reference: PaymentReference | null): ListedLine => ({
  line: {
    // Completion, "Settled": one that was won gives back what it took, by a line of its own.
    kind: wire.amount < 0 ? 'dispute_reversal' : 'dispute',
    objectId: wire.id, providerPaymentId: wire.payment, method: null,
    currency: wire.currency, amountMinor: Math.abs(wire.amount), feeMinor: wire.fee,
  },
  reference,
  fact: wire.amount < 0
    ? { of: 'dispute_reversal', wire: { ...wire, amount: -wire.amount } } : { of: 'dispute', wire },
});

/** Reads one page of lines. Throws `BudgetSpent` or a `ProviderError`. */
export const readLinePage = async (
  reader: Reader, references: PaymentReferences, payoutId: string, kind: LineKind, start: number,
): Promise<LinePage> => {
  switch (kind) {
    case 'payment': {
      const { items, hasMore } =
        await reader.payouts((client) => client.payoutPayments(payoutId, start));
      return { lines: items.map(fromPayment), hasMore };
    }
    case 'refund': {
      const { items, hasMore } =
        await reader.payouts((client) => client.payoutRefunds(payoutId, start));
      const known = await references.of(reader, items.map(({ payment }) => payment));
      const lines = items.map((wire) => fromRefund(wire, known.get(wire.payment) ?? null));
      return { lines, hasMore };
    }
    case 'dispute': {
      const { items, hasMore } =
        await reader.payouts((client) => client.payoutDisputes(payoutId, start));
      const known = await references.of(reader, items.map(({ payment }) => payment));
      const lines = items.map((wire) => fromDispute(wire, known.get(wire.payment) ?? null));
      return { lines, hasMore };
    }
  }
};
