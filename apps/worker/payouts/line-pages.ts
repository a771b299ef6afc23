import type { LineKind } from '#payout';
import type { ListedDispute, ListedPayment, ListedRefund } from '#psp';
import type { Reader } from '../reads/background-reads.js';
import type { PaymentFact, PaymentReference } from './ingest-payments.js';
import { type PaymentReferences, referenceOf } from './payment-references.js';
import type { PayoutLine } from './payout-lines.js';

/** A line as the provider lists it, with the fact that it shows about its payment. */
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

const fromPayment = (shown: ListedPayment): ListedLine => {
  const { attemptId, method, currency, amountMinor, feeMinor } = shown;
  // The journal books a direct debit by our payment, not by a capture.
  const captureId = method === 'sepa' ? undefined : shown.capture?.captureId;
  return {
    line: {
      kind: 'payment',
      objectId: captureId ?? attemptId,
      providerPaymentId: attemptId,
      ...(captureId !== undefined && { captureId }),
      method,
      currency,
      amountMinor,
      feeMinor,
    },
    reference: referenceOf(shown),
    fact: { of: 'payment', shown },
  };
};

const fromRefund = (shown: ListedRefund, reference: PaymentReference | null): ListedLine => ({
  line: {
    kind: 'refund',
    objectId: shown.refundId,
    providerPaymentId: shown.attemptId,
    method: null,
    currency: shown.currency,
    amountMinor: shown.amountMinor,
    feeMinor: 0,
  },
  reference,
  fact: { of: 'refund', shown },
});

const fromDispute = (shown: ListedDispute, reference: PaymentReference | null): ListedLine => ({
  line: {
    kind: shown.isReversal ? 'dispute_reversal' : 'dispute',
    objectId: shown.disputeId,
    providerPaymentId: shown.attemptId,
    method: null,
    currency: shown.currency,
    amountMinor: shown.amountMinor,
    feeMinor: shown.feeMinor,
  },
  reference,
  fact: { of: 'dispute', shown },
});

/** Reads one page of lines. Throws `BudgetSpent` or a `ProviderError`. */
export const readLinePage = async (
  reader: Reader,
  references: PaymentReferences,
  payoutId: string,
  kind: LineKind,
  start: number,
): Promise<LinePage> => {
  const { payouts } = reader;
  switch (kind) {
    case 'payment': {
      const { items, hasMore } = await payouts.payoutPayments(payoutId, start);
      return { lines: items.map(fromPayment), hasMore };
    }
    case 'refund': {
      const { items, hasMore } = await payouts.payoutRefunds(payoutId, start);
      const known = await references.of(
        reader,
        items.map(({ attemptId }) => attemptId),
      );
      const lines = items.map((shown) => fromRefund(shown, known.get(shown.attemptId) ?? null));
      return { lines, hasMore };
    }
    case 'dispute': {
      const { items, hasMore } = await payouts.payoutDisputes(payoutId, start);
      const known = await references.of(
        reader,
        items.map(({ attemptId }) => attemptId),
      );
      const lines = items.map((shown) => fromDispute(shown, known.get(shown.attemptId) ?? null));
      return { lines, hasMore };
    }
  }
};
