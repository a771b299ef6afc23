import { orderAggregate } from '#order';
import { capturedMinor, exists, isMade, type Payment, paymentAggregate } from '#payment';
import type { SimulatedDatabase } from './ports/database.js';
import type { SimulatedIntent } from './provider/intent.js';
import type { ShownLie } from './provider/lies.js';
import type { SimulatedProvider } from './provider/provider.js';

/** The mismatch that must be recorded if false responses with this lie have arrived. */
const ASPECTS: Partial<Record<ShownLie['kind'], string>> = {
  another_amount: 'amount:',
  another_currency: 'currency:',
};

/** The statuses in which no read of the payment is scheduled. */
const UNREAD: readonly Payment['status'][] = [
  'captured',
  'canceled',
  'expired',
  'returned',
  'rejected',
];

const mismatchesOf = (payment: Payment): readonly string[] =>
  'mismatches' in payment ? payment.mismatches : [];

/**
 * The differences from the correct final state of an order about which the provider has lied. The
 * order may wait for an operator instead of ending as usual, but then the console must show why;
 * and neither may a false response move money, nor may our ledger contain money that was not moved.
 * `unusual` are the differences from the final state of an order about which the provider responded
 * truthfully.
 */
export const ofLiedOrder = (
  orderId: string,
  { lie, unusual }: { readonly lie: ShownLie; readonly unusual: readonly string[] },
  database: SimulatedDatabase,
  provider: SimulatedProvider,
): readonly string[] => {
  const order = database.state(orderAggregate, orderId);
  if (order.status === 'not_placed') return ['an order was not placed'];
  const payments = order.payments.map((id) => ({
    payment: database.state(paymentAggregate, id),
    intent: provider.intentOf(id),
    stuck: database.calls().some((one) => one.subjectId === id && one.state === 'stuck'),
  }));
  const mismatches = payments.flatMap(({ payment }) => mismatchesOf(payment));
  const isStuck = payments.some(({ stuck }) => stuck);
  // A payment that has ended is not read any more, so what happens after the deletion of its intent
  // (a dispute) can be seen nowhere.
  const isUnread = payments.every(({ payment }) => UNREAD.includes(payment.status));
  const isSeen = isStuck || mismatches.length > 0 || (lie.kind === 'forgotten' && isUnread);
  const aspect = ASPECTS[lie.kind];
  const isRecorded =
    aspect === undefined || isStuck || mismatches.some((one) => one.startsWith(aspect));
  // A single false response may arrive at a read whose result is not recorded, such as a preview.
  return [
    ...payments.flatMap(({ payment, intent }) => inventedMoney(payment, intent)),
    ...(isSeen || unusual.length === 0
      ? []
      : unusual.map((what) => `after a false response no operator can see why: ${what}`)),
    ...(isRecorded || lie.arrived <= 1
      ? []
      : [`a false response (${lie.kind}) is not recorded as a mismatch`]),
  ];
};

/** The money that our payment shows as moved, although the provider has not moved it. */
const inventedMoney = (payment: Payment, intent: SimulatedIntent | null): readonly string[] => {
  if (!exists(payment)) return [];
  const captured = intent?.status === 'captured' ? intent.amount : 0;
  const isDeleted = intent?.isForgotten === true;
  const made = intent?.refunds.map(({ id }) => id) ?? [];
  return [
    // What happens after an intent was deleted cannot be observed.
    ...(payment.status === 'captured' && capturedMinor(payment) > captured && !isDeleted
      ? [`captured amount: ${capturedMinor(payment)} in our payment, ${captured} at the provider`]
      : []),
    ...payment.refunds
      .filter(isMade)
      .filter(({ refundId }) => !made.includes(refundId))
      .map(({ refundId }) => `the refund ${refundId} is not a refund of this payment`),
  ];
};
