import type { ListedDispute, ListedPayment, ListedRefund } from '#psp';
import type { Reader } from '../reads/background-reads.js';
import type { AddressedFact, PaymentFact, PaymentReference } from './ingest-payments.js';
import { type PaymentReferences, referenceOf } from './payment-references.js';
import type { PayoutLine } from './payout-lines.js';

/** A line as the provider lists it, with the fact that the line shows about a payment. */
export interface ListedLine {
  readonly line: Omit<PayoutLine, 'paymentId'>;
  readonly reference: PaymentReference | null;
  readonly fact: PaymentFact;
}

const fromPayment = (shown: ListedPayment): ListedLine => {
  const { attemptId, method, currency, amountMinor, feeMinor } = shown;
  // In the journal, the entry of a direct debit has our payment's id, not a capture's id.
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

/** The facts that a page of a list shows about our payments. */
export const addressed = (listed: readonly ListedLine[]): readonly AddressedFact[] =>
  listed.flatMap(({ reference, fact }) => (reference === null ? [] : [{ reference, fact }]));

type Lines<T> = (items: readonly T[]) => Promise<readonly ListedLine[]>;

/**
 * Converts listed items to lines. Refunds and disputes name the provider's payment, so our payments
 * are looked up for the whole page. Throws `BudgetSpent` or a `ProviderError`.
 */
export const linesFrom = (
  reader: Reader,
  references: PaymentReferences,
): {
  readonly payments: Lines<ListedPayment>;
  readonly refunds: Lines<ListedRefund>;
  readonly disputes: Lines<ListedDispute>;
} => {
  const referring =
    <T extends { readonly attemptId: string }>(
      lineOf: (shown: T, reference: PaymentReference | null) => ListedLine,
    ): Lines<T> =>
    async (items) => {
      const ids = items.map(({ attemptId }) => attemptId);
      const known = await references.of(reader, ids);
      return items.map((shown) => lineOf(shown, known.get(shown.attemptId) ?? null));
    };
  return {
    payments: (items) => Promise.resolve(items.map(fromPayment)),
    refunds: referring(fromRefund),
    disputes: referring(fromDispute),
  };
};
