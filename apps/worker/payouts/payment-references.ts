import { LRUCache } from 'lru-cache';
import { ProviderRejected, type WireDispute, type WirePayment, type WireRefund } from '#psp-hosted';
import type { Logger } from '#platform';
import type { Reader } from '../reads/background-reads.js';
import { patiently } from '../reads/intent-reads.js';
import type { AddressedFact, PaymentFact, PaymentReference } from './payment-door.js';
import type { PayoutLines } from './payout-lines.js';

/**
 * Our payment, as the provider carries it. Completion, "Resources": `unique_id` is one payment's
 * alone and never changes, `order_id` is whatever was written last. Of no intent, it is none of ours.
 */
export const referenceOf = (
  { unique_id, order_id, payment_intent }: WirePayment,
): PaymentReference | null => {
  const paymentId = unique_id ?? order_id;
  if (paymentId === null || payment_intent === null) return null;
  return { paymentId, intentId: payment_intent };
};

/** Payments whose references are remembered: a page's are read a budget at a time. */
const REMEMBERED = 10_000;

/** Finds our payments by the provider's; what no line has told is read, one call each, and kept. */
export class PaymentReferences {
  private readonly read = new LRUCache<string, { readonly reference: PaymentReference | null }>({
    max: REMEMBERED,
  });

  constructor(
    private readonly lines: Pick<PayoutLines, 'paymentsOf'>, private readonly logger: Logger,
  ) {}

  /** Throws `BudgetSpent` or a `ProviderError`; what was found before is known the next time. */
  async of(
    reader: Reader, providerPaymentIds: readonly string[],
  ): Promise<ReadonlyMap<string, PaymentReference>> {
    const accountId = reader.account.id;
    const wanted = [...new Set(providerPaymentIds)];
    const told = await this.lines.paymentsOf(accountId, wanted);
    const found = new Map<string, PaymentReference>();
    for (const id of wanted) {
      const paymentId = told.get(id);
      const reference = paymentId === undefined
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
  private readNow(reader: Reader, id: string): Promise<WirePayment> {
    return patiently(() => reader.payments((client) => client.getPayment(id)));
  }
}

/** Of those that belong to payments of ours. */
const addressed = async <Wire extends { readonly payment: string }>(
  reader: Reader, references: PaymentReferences, wires: readonly Wire[],
  factOf: (wire: Wire) => PaymentFact,
): Promise<readonly AddressedFact[]> => {
  const known = await references.of(reader, wires.map(({ payment }) => payment));
  return wires.flatMap((wire) => {
    const reference = known.get(wire.payment);
    return reference === undefined ? [] : [{ reference, fact: factOf(wire) }];
  });
};

/** Refunds as facts of our payments: they carry no reference, their payments do. */
export const refundFacts = (
  reader: Reader, references: PaymentReferences, wires: readonly WireRefund[],
): Promise<readonly AddressedFact[]> =>
  addressed(reader, references, wires, (wire) => ({ of: 'refund', wire }));

/** Disputes as facts of our payments; their own `order_id` is what the payment's was last. */
export const disputeFacts = (
  reader: Reader, references: PaymentReferences, wires: readonly WireDispute[],
): Promise<readonly AddressedFact[]> =>
  addressed(reader, references, wires, (wire) => ({ of: 'dispute', wire }));
