import { LRUCache } from 'lru-cache';
import { type ListedDispute, type ListedPayment, type ListedRefund, ProviderRejected } from '#psp';
import type { Logger } from '#platform';
import type { Reader } from '../reads/background-reads.js';
import { patiently } from '../reads/intent-reads.js';
import type { AddressedFact, PaymentFact, PaymentReference } from './payment-door.js';
import type { PayoutLines } from './payout-lines.js';

/** Whose a listed payment says that it is. Of no intent, it is none of ours. */
export const referenceOf = ({
  reference: paymentId,
  intentId,
}: ListedPayment): PaymentReference | null =>
  paymentId === null || intentId === null ? null : { paymentId, intentId };

/** Payments whose references are remembered: a page's are read a budget at a time. */
const REMEMBERED = 10_000;

/** Finds our payments by the provider's; what no line has told is read, one call each, and kept. */
export class PaymentReferences {
  private readonly read = new LRUCache<string, { readonly reference: PaymentReference | null }>({
    max: REMEMBERED,
  });

  constructor(
    private readonly lines: Pick<PayoutLines, 'paymentsOf'>,
    private readonly logger: Logger,
  ) {}

  /** Throws `BudgetSpent` or a `ProviderError`; what was found before is known the next time. */
  async of(
    reader: Reader,
    providerPaymentIds: readonly string[],
  ): Promise<ReadonlyMap<string, PaymentReference>> {
    const accountId = reader.account.id;
    const wanted = [...new Set(providerPaymentIds)];
    const told = await this.lines.paymentsOf(accountId, wanted);
    const found = new Map<string, PaymentReference>();
    for (const id of wanted) {
      const paymentId = told.get(id);
      const reference =
        paymentId === undefined
          ? await this.readOnce(reader, id)
          : paymentId && { paymentId, intentId: null };
      if (reference) found.set(id, reference);
    }
    return found;
  }

  private async readOnce(reader: Reader, id: string): Promise<PaymentReference | null> {
    const key = `${reader.account.id} ${id}`;
    const known = this.read.get(key);
    if (known !== undefined) return known.reference;
    try {
      const reference = referenceOf(await this.readNow(reader, id));
      this.read.set(key, { reference });
      return reference;
    } catch (err) {
      // One payment that is not shown must not hold back all that stand beside it: the next look
      // asks again.
      if (!(err instanceof ProviderRejected)) throw err;
      this.logger.error({ err, providerPaymentId: id }, 'whose a payment is cannot be read');
      return null;
    }
  }

  /** It waits for its call: else the page, read again, would take each that the budget gives. */
  private readNow(reader: Reader, id: string): Promise<ListedPayment> {
    return patiently(() => reader.payouts.getPayment(id));
  }
}

/** Of those that belong to payments of ours. */
const addressed = async <Listed extends { readonly attemptId: string }>(
  reader: Reader,
  references: PaymentReferences,
  listed: readonly Listed[],
  factOf: (shown: Listed) => PaymentFact,
): Promise<readonly AddressedFact[]> => {
  const known = await references.of(
    reader,
    listed.map(({ attemptId }) => attemptId),
  );
  return listed.flatMap((shown) => {
    const reference = known.get(shown.attemptId);
    return reference === undefined ? [] : [{ reference, fact: factOf(shown) }];
  });
};

/** Refunds as facts of our payments: they carry no reference, their payments do. */
export const refundFacts = (
  reader: Reader,
  references: PaymentReferences,
  listed: readonly ListedRefund[],
): Promise<readonly AddressedFact[]> =>
  addressed(reader, references, listed, (shown) => ({ of: 'refund', shown }));

/** Disputes as facts of our payments, by their payments. */
export const disputeFacts = (
  reader: Reader,
  references: PaymentReferences,
  listed: readonly ListedDispute[],
): Promise<readonly AddressedFact[]> =>
  addressed(reader, references, listed, (shown) => ({ of: 'dispute', shown }));
