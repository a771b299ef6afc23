import { ProviderRejected, type WireDisputeLine, type WirePayment, type WireRefund } from '#provider';
import type { Logger } from '#platform';
import type { Reader } from './background-reads.js';
import type { AddressedFact } from './payment-door.js';
import type { PayoutLines } from './payout-lines.js';

/** Our payment, as the provider carries it. */
export const referenceOf = ({ order_id, unique_id }: WirePayment): string | null =>
  order_id ?? unique_id;

/** Finds our payments by the provider's; what no line has told is read, one call each. */
export class PaymentReferences {
  constructor(
    private readonly lines: Pick<PayoutLines, 'paymentsOf'>, private readonly logger: Logger,
  ) {}

  /** Throws `BudgetSpent` or a `ProviderError`. */
  async of(
    reader: Reader, providerPaymentIds: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const wanted = [...new Set(providerPaymentIds)];
    const known = new Map(await this.lines.paymentsOf(reader.account.id, wanted));
    for (const id of wanted) {
      if (known.has(id)) continue;
      const reference = await this.read(reader, id);
      if (reference !== null) known.set(id, reference);
    }
    return known;
  }

  /** One payment that the provider does not show must not hold back all that stand beside it. */
  private async read(reader: Reader, id: string): Promise<string | null> {
    try {
      return referenceOf(await reader.payments((client) => client.getPayment(id)));
    } catch (err) {
      if (!(err instanceof ProviderRejected)) throw err;
      this.logger.error({ err, providerPaymentId: id }, 'whose a payment is cannot be read');
      return null;
    }
  }
}

/** Refunds as facts of our payments: they carry no reference, their payments do. */
export const refundFacts = async (
  reader: Reader, references: PaymentReferences, wires: readonly WireRefund[],
): Promise<readonly AddressedFact[]> => {
  const known = await references.of(reader, wires.map(({ payment }) => payment));
  return wires.flatMap((wire) => {
    const paymentId = known.get(wire.payment);
    return paymentId === undefined ? [] : [{ paymentId, fact: { of: 'refund', wire } }];
  });
};

/** Disputes as facts of our payments; their payments' reference where they carry none. */
export const disputeFacts = async (
  reader: Reader, references: PaymentReferences, wires: readonly WireDisputeLine[],
): Promise<readonly AddressedFact[]> => {
  const nameless = wires.filter((wire) => wire.order_id === null).map(({ payment }) => payment);
  const known = await references.of(reader, nameless);
  return wires.flatMap((wire) => {
    const paymentId = wire.order_id ?? known.get(wire.payment);
    return paymentId === undefined ? [] : [{ paymentId, fact: { of: 'dispute', wire } }];
  });
};
