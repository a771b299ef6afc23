import { type Order, orderAggregate } from '#order';
import { capturedMinor, exists, isMade, isSettled, type Payment, paymentAggregate } from '#payment';
import { ofLedger } from './ledger.js';
import { ofLiedOrder } from './lied-outcome.js';
import type { SimulatedDatabase } from './ports/database.js';
import { latestOf, type SimulatedIntent } from './provider/intent.js';
import type { ShownLie } from './provider/lies.js';
import type { SimulatedProvider } from './provider/provider.js';

/** The false responses that the provider has sent so far, by order. */
type Lies = ReadonlyMap<string, ShownLie>;

const NO_LIES: Lies = new Map();

/** Work that has not ended, with the id of its order. */
interface OpenWork {
  readonly orderId: string | null;
  readonly what: string;
}

const openWork = (database: SimulatedDatabase): readonly OpenWork[] => {
  const orderOf = (paymentId: string | null): string | null => {
    const payment = database.state(paymentAggregate, paymentId ?? '');
    return payment.status === 'none' ? null : payment.terms.orderId;
  };
  return [
    ...[...database.sagas.values()].flatMap(({ key, waiting, done }) => [
      ...(waiting === null
        ? []
        : [{ orderId: key, what: `a reaction of ${key} is waiting: ${waiting.error}` }]),
      ...(done ? [] : [{ orderId: key, what: `the saga of ${key} is still open` }]),
    ]),
    ...database
      .calls()
      .filter(({ state }) => state !== 'done')
      .map(({ kind, state, note, subjectId }) => ({
        orderId: orderOf(subjectId),
        what: `the job of a provider request is still ${state}: ${kind}, ${note}`,
      })),
  ];
};

/**
 * Compares the state after all work has ended with the correct final state; returns the
 * differences. An order about which the provider gave false responses may wait for an operator.
 * Every other order must end as usual.
 */
export const whatIsAmiss = (
  orderIds: readonly string[],
  database: SimulatedDatabase,
  provider: SimulatedProvider,
  lies: Lies = NO_LIES,
): readonly string[] => {
  const open = openWork(database);
  const lied = [...lies.values()].map(({ intentId }) => intentId);
  return [
    ...orderIds.flatMap((orderId) => {
      const lie = lies.get(orderId);
      const found = ofOrder(orderId, database, provider, lied);
      if (lie === undefined) return found;
      const own = open.filter((one) => one.orderId === orderId).map(({ what }) => what);
      const unusual = [...found, ...own];
      return ofLiedOrder(orderId, { lie, unusual }, database, provider);
    }),
    ...open.filter(({ orderId }) => !lies.has(orderId ?? '')).map(({ what }) => what),
    ...database.webhooks.filter(({ handled }) => !handled).map(({ type }) => `unhandled ${type}`),
    ...provider.intents
      .filter(({ orderId }) => database.state(paymentAggregate, orderId ?? '').status === 'none')
      .map(() => 'a stray intent'),
  ];
};

const ofOrder = (
  orderId: string,
  database: SimulatedDatabase,
  provider: SimulatedProvider,
  lied: readonly string[],
): readonly string[] => {
  const order = database.state(orderAggregate, orderId);
  if (order.status === 'not_placed') return ['an order was not placed'];
  const payments = order.payments.map((id) => ({
    id,
    payment: database.state(paymentAggregate, id),
    intent: provider.intentOf(id),
  }));
  return [
    ...payments.flatMap(({ id, payment, intent }) => [
      ...ofPayment(payment, intent, lied),
      ...ofLedger(id, intent, database),
    ]),
    ...ofMoney(order, payments.at(-1)?.payment ?? { status: 'none' }),
  ];
};

/** The status that our payment must have, derived from the provider's intent. */
const statusOf = (intent: SimulatedIntent): string => {
  if (intent.status.startsWith('require_')) return 'open';
  if (intent.status !== 'unpaid') return intent.status;
  return latestOf(intent)?.method === 'sepa' ? 'returned' : 'expired';
};

interface Fact {
  readonly id: string;
  readonly amount: number;
  readonly status: string;
}

const facts = (list: readonly Fact[]): string =>
  list
    .map(({ id, amount, status }) => `${id} ${amount} ${status}`)
    .sort()
    .join(', ');

const ofPayment = (
  payment: Payment,
  intent: SimulatedIntent | null,
  lied: readonly string[],
): readonly string[] => {
  if (intent === null)
    return payment.status === 'rejected'
      ? []
      : [`the payment is ${payment.status}, but the provider has no intent`];
  const shown = statusOf(intent);
  if (!exists(payment))
    return [
      `the payment is ${payment.status}, but the intent at the provider corresponds to ${shown}`,
    ];
  if (payment.status !== shown)
    return [
      `the payment is ${payment.status}, but the intent at the provider corresponds to ${shown}`,
    ];
  if (!isSettled(payment))
    return [`the payment, ${shown}, still has an open request or unknown result`];
  const refunds = payment.refunds
    .filter(isMade)
    .map(({ refundId: id, amountMinor: amount, status }) => ({ id, amount, status }));
  const disputes = payment.disputes.map(({ disputeId: id, amountMinor: amount, status }) => ({
    id,
    amount,
    status,
  }));
  const differences = [
    ['refunds', facts(refunds), facts(intent.refunds)],
    ['disputes', facts(disputes), facts(intent.disputes)],
  ].filter(([, ours, theirs]) => ours !== theirs);
  const captured = shown === 'captured' ? intent.amount : 0;
  return [
    ...(capturedMinor(payment) === captured
      ? []
      : [`captured amount: ${capturedMinor(payment)} in our payment, ${captured} at the provider`]),
    ...differences.map(
      ([what, ours, theirs]) => `${what}: ${ours} in our payment, ${theirs} at the provider`,
    ),
    ...(payment.refunds.some(({ status }) => status === 'queued' || status === 'requested')
      ? ['an open refund']
      : []),
    ...(payment.unknown.length > 0 ? [`unknown: ${payment.unknown.join()}`] : []),
    // A false response about the intent of another payment may contain the id of this payment. Then
    // a mismatch with that intent is rightly recorded for this payment.
    ...payment.mismatches
      .filter((mismatch) => !lied.some((intentId) => mismatch.endsWith(`:${intentId}`)))
      .map((mismatch) => `a mismatch was recorded: ${mismatch}`),
  ];
};

const ENDED_UNPAID: readonly Order['status'][] = ['canceled', 'expired', 'failed'];
const MONEY: readonly Payment['status'][] = ['captured', 'returned'];
const NO_MONEY: readonly Payment['status'][] = ['canceled', 'expired', 'returned', 'rejected'];

/**
 * Compares the status and amounts of an order with those of the order's last payment; returns the
 * differences.
 */
const ofMoney = (
  order: Exclude<Order, { status: 'not_placed' }>,
  last: Payment,
): readonly string[] => {
  const { status } = order;
  if (status !== 'paid') {
    // An order has no payment if the saga's reaction to the new order failed, and its retry ran
    // only after the order had expired.
    const isWithoutPayment = status === 'expired' && last.status === 'none';
    const isOver =
      isWithoutPayment || (ENDED_UNPAID.includes(status) && NO_MONEY.includes(last.status));
    return isOver ? [] : [`the order is ${status}, but its last payment is ${last.status}`];
  }
  const { recorded, refundedMinor, chargedBackMinor } = order.refundsAndChargebacks;
  if (last.status === 'canceled') {
    return recorded.includes('lost')
      ? []
      : ['the order is paid, and does not record that its payment ended unpaid afterwards'];
  }
  if (!MONEY.includes(last.status) || !exists(last)) {
    return [`the order is paid, but its last payment is ${last.status}`];
  }
  const back = last.refunds
    .filter((refund) => refund.status === 'refunded')
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const taken =
    last.status === 'returned'
      ? last.terms.amountMinor
      : last.disputes
          .filter(({ status: now }) => now !== 'won')
          .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  return [
    ...(chargedBackMinor === taken
      ? []
      : [`the order shows ${chargedBackMinor} charged back; its payment shows ${taken}`]),
    ...(refundedMinor === back
      ? []
      : [`the order shows ${refundedMinor} refunded; its payment shows ${back}`]),
    ...last.disputes
      .filter(({ disputeId }) => !recorded.includes(disputeId))
      .map(() => 'the order does not record the dispute of its payment'),
    ...(last.status === 'returned' && !recorded.includes('return')
      ? ['the order does not record that the debit of its payment was returned']
      : []),
  ];
};

/**
 * The final state of a simulation without ids and instants, which differ between runs. The same
 * script must always lead to the same state.
 */
export const endOf = (
  orderIds: readonly string[],
  database: SimulatedDatabase,
  provider: SimulatedProvider,
): readonly object[] =>
  orderIds.map((orderId) => {
    const order = database.state(orderAggregate, orderId);
    const payments = order.status === 'not_placed' ? [] : order.payments;
    return {
      status: order.status,
      payments: payments.map((id) => {
        const intent = provider.intentOf(id);
        const { status } = database.state(paymentAggregate, id);
        return {
          status,
          attempts: intent?.attempts.map((one) => `${one.status} ${one.response}`) ?? [],
          refunds: intent?.refunds.map((one) => `${one.amount} ${one.status}`).sort() ?? [],
          disputes:
            intent?.disputes.map((one) => `${one.amount} ${one.response} ${one.status}`) ?? [],
        };
      }),
    };
  });
