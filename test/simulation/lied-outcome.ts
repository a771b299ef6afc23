import { orderAggregate } from '#order';
import { capturedMinor, exists, isMade, type Payment, paymentAggregate } from '#payment';
import type { SimulatedDatabase } from './ports/database.js';
import type { SimulatedIntent } from './provider/intent.js';
import type { ShownLie } from './provider/lies.js';
import type { SimulatedProvider } from './provider/provider.js';

/** The beginning of the mismatch that must be recorded after false responses of this kind. */
const ASPECTS: Partial<Record<ShownLie['kind'], string>> = {
  another_amount: 'amount:',
  another_currency: 'currency:',
};

/** The final statuses of a payment, in which the worker no longer reads the payment. */
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
 * Returns what is wrong with an order about which the provider gave false responses. Such an order
 * may wait for an operator, but then the console must show why. A false response must not move
 * money, and our ledger must not contain money that was not moved. `unusual` contains the
 * differences from the final state that the order would have had with true responses.
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
  // The worker no longer reads a payment that has ended, so it cannot observe a later dispute.
  const isUnread = payments.every(({ payment }) => UNREAD.includes(payment.status));
  const isSeen = isStuck || mismatches.length > 0 || (lie.kind === 'forgotten' && isUnread);
  const aspect = ASPECTS[lie.kind];
  const isRecorded =
    aspect === undefined || isStuck || mismatches.some((one) => one.startsWith(aspect));
  // A false response need not be recorded if there was only one, because that read may have been a
  // preview, which records nothing.
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

/**
 * Returns each amount that our payment shows as captured or refunded, but the provider does not.
 */
const inventedMoney = (payment: Payment, intent: SimulatedIntent | null): readonly string[] => {
  if (!exists(payment)) return [];
  const captured = intent?.status === 'captured' ? intent.amount : 0;
  const isDeleted = intent?.isForgotten === true;
  const made = intent?.refunds.map(({ id }) => id) ?? [];
  return [
    // The captured amount is not compared if the provider has deleted the intent, because later
    // changes of a deleted intent cannot be observed.
    ...(payment.status === 'captured' && capturedMinor(payment) > captured && !isDeleted
      ? [`captured amount: ${capturedMinor(payment)} in our payment, ${captured} at the provider`]
      : []),
    ...payment.refunds
      .filter(isMade)
      .filter(({ refundId }) => !made.includes(refundId))
      .map(({ refundId }) => `the refund ${refundId} is not a refund of this payment`),
  ];
};
