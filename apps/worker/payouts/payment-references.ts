import { LRUCache } from 'lru-cache';
import { type ListedPayment, ProviderRejected } from '#psp';
import type { Logger } from '#platform';
import type { Reader } from '../reads/background-reads.js';
import { patiently } from '../reads/intent-reads.js';
import type { PaymentReference } from './ingest-payments.js';
import type { PayoutLines } from './payout-lines.js';

/**
 * The reference to our payment from a listed payment; null if the listed payment has no reference
 * or no intent, and so is not ours.
 */
export const referenceOf = ({
  reference: paymentId,
  intentId,
}: ListedPayment): PaymentReference | null =>
  paymentId === null || intentId === null ? null : { paymentId, intentId };

/**
 * The maximum number of cached references. The cache is needed because one page may take several
 * runs, each with a limited call budget.
 */
const MAX_CACHED = 10_000;

/**
 * Finds our payments by the provider's ids. A payment that no line has shown is read by one call,
 * and cached.
 */
export class PaymentReferences {
  private readonly read: LRUCache<string, { readonly reference: PaymentReference | null }>;

  constructor(
    private readonly lines: Pick<PayoutLines, 'paymentsOf'>,
    private readonly logger: Logger,
    maxCached = MAX_CACHED,
  ) {
    this.read = new LRUCache({ max: maxCached });
  }

  /**
   * Throws `BudgetSpent` or a `ProviderError`; the references found until then stay cached for the
   * next run.
   */
  async of(
    reader: Reader,
    providerPaymentIds: readonly string[],
  ): Promise<ReadonlyMap<string, PaymentReference>> {
    const accountId = reader.account.id;
    const wanted = [...new Set(providerPaymentIds)];
    const stored = await this.lines.paymentsOf(accountId, wanted);
    const found = new Map<string, PaymentReference>();
    for (const id of wanted) {
      const paymentId = stored.get(id);
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
      // An unreadable payment must not block the other payments of the page; the next read of the
      // list tries to read the payment again.
      if (!(err instanceof ProviderRejected)) throw err;
      this.logger.error(
        { err, providerPaymentId: id },
        'a listed payment cannot be read, so the order that it pays is unknown',
      );
      return null;
    }
  }

  /**
   * Reads a payment; waits a moment for the call budget if necessary, because a retry of the whole
   * page would use up the budget again.
   */
  private readNow(reader: Reader, id: string): Promise<ListedPayment> {
    return patiently(() => reader.payouts.getPayment(id));
  }
}
