import type { LineKind } from '#payout';
import type { ListedDispute, ListedPayment, ListedRefund, Page } from '#psp';
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

/** Refunds and disputes name the provider's payment: ours is looked up for the whole page. */
const withReferences = async <T extends { readonly attemptId: string }>(
  { items, hasMore }: Page<T>,
  referencesOf: (ids: readonly string[]) => ReturnType<PaymentReferences['of']>,
  lineOf: (shown: T, reference: PaymentReference | null) => ListedLine,
): Promise<LinePage> => {
  const known = await referencesOf(items.map(({ attemptId }) => attemptId));
  return {
    lines: items.map((shown) => lineOf(shown, known.get(shown.attemptId) ?? null)),
    hasMore,
  };
};

/** Reads one page of lines. Throws `BudgetSpent` or a `ProviderError`. */
export const readLinePage = async (
  reader: Reader,
  references: PaymentReferences,
  payoutId: string,
  kind: LineKind,
  start: number,
): Promise<LinePage> => {
  const { payouts } = reader;
  const known = (ids: readonly string[]) => references.of(reader, ids);
  switch (kind) {
    case 'payment': {
      const { items, hasMore } = await payouts.payoutPayments(payoutId, start);
      return { lines: items.map(fromPayment), hasMore };
    }
    case 'refund':
      return withReferences(await payouts.payoutRefunds(payoutId, start), known, fromRefund);
    case 'dispute':
      return withReferences(await payouts.payoutDisputes(payoutId, start), known, fromDispute);
  }
};
