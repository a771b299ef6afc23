import { exists } from '#payment';
import {
  type Broken,
  type Check,
  countOf,
  groupBy,
  isDebit,
  type OrderStory,
  type PaymentStory,
  sum,
} from './check.js';

/**
 * The statuses of a payment at the provider whose money the provider has or is about to collect.
 */
const WITH_MONEY = new Set(['to_capture', 'capture_sent', 'captured', 'disputed']);
const ENDED = new Set(['canceled', 'unpaid']);
const ENDINGS = new Set([
  'PaymentCanceled',
  'AuthorizationExpired',
  'DirectDebitReturned',
  'IntentRejected',
]);

/**
 * How a paid order's payment can end without a refund or dispute. `lost`: the payment was canceled
 * at the provider. `return`: the bank returned the debit before it settled.
 */
const VOIDED = ['lost', 'return'];

/** The amount in minor units that was paid for an order, according to our log. */
const heldBy = ({ order }: OrderStory): number =>
  order.status === 'paid' &&
  !VOIDED.some((key) => order.refundsAndChargebacks.recorded.includes(key))
    ? order.paidMinor
    : 0;

/** The amount as text. All currencies of a run have two decimals. */
const decimal = (minor: number): string => (minor / 100).toFixed(2);

/** The amount in minor units that the provider has captured of a payment. */
export const takenAt = ({ attempts }: PaymentStory): number =>
  sum(attempts.filter(({ status }) => WITH_MONEY.has(status)).map(({ amount }) => amount));

const sameMoney: Check = {
  invariant: 1,
  name: 'for each order the provider has captured exactly the amount of our order',
  verify: ({ orders, facts }) => {
    const broken = orders.flatMap((one): Broken[] => {
      const { id, order, payments } = one;
      const ours = heldBy(one);
      const theirs = sum(payments.map(takenAt));
      const intents = payments.flatMap((payment) => payment.intents);
      const other = intents.find(({ currency }) => currency !== order.terms.currency);
      if (other) return [{ id, why: `${other.id} is in ${other.currency}` }];
      if (ours === theirs) return [];
      return [
        {
          id,
          why: `the order is ${order.status}: ${ours} paid in our log, ${theirs} at the provider`,
        },
      ];
    });
    const paid = orders.filter(({ order }) => order.status === 'paid');
    const ours = sum(orders.map(heldBy));
    const taken = facts.attempts.filter(({ status }) => WITH_MONEY.has(status));
    const theirs = sum(taken.map(({ amount }) => amount));
    // If the totals differ, the provider has money that belongs to none of our orders, or lacks
    // money.
    if (ours !== theirs)
      broken.push({ id: 'all orders', why: `${ours} paid in our log, ${theirs} at the provider` });
    const figure = `${paid.length} paid orders; ${decimal(ours)} in our log, ${decimal(theirs)} at the provider`;
    return { figure, broken };
  },
};

const withinAuthorization: Check = {
  invariant: 1,
  name: 'no payment captures more than was authorized, or twice',
  verify: ({ payments }) => {
    const broken = payments.flatMap((one): Broken[] => {
      const { id, payment, events } = one;
      if (!exists(payment)) return [];
      const isAuthorized = countOf(one, 'PaymentAuthorized') > 0 || isDebit(one);
      const authorized = isAuthorized ? payment.terms.amountMinor : 0;
      const captures = events.filter((event) => event.type === 'CaptureAccepted');
      const captured = sum(captures.map(({ amountMinor }) => amountMinor));
      const theirs = takenAt(one);
      if (captured <= authorized && theirs <= authorized) return [];
      return [
        {
          id,
          why: `authorized ${authorized}, captured ${captured}, captured at the provider ${theirs}`,
        },
      ];
    });
    const captured = payments.filter((one) => countOf(one, 'CaptureAccepted') > 0).length;
    return { figure: `${captured} captures of ${payments.length} payments`, broken };
  },
};

const paidOnce: Check = {
  invariant: 1,
  name: 'an order is paid at most once, by one payment and one intent',
  verify: ({ orders }) => {
    const broken = orders.flatMap((one): Broken[] => {
      const paid = countOf(one, 'OrderPaid');
      const ours = one.payments.filter((each) => takenAt(each) > 0).length;
      if (paid <= 1 && ours <= 1) return [];
      return [
        { id: one.id, why: `${paid} OrderPaid events, ${ours} payments captured at the provider` },
      ];
    });
    return { figure: `${orders.length} orders`, broken };
  },
};

/**
 * Whether a payment of the order began before the order's previous payment had ended, according to
 * the event log.
 */
const overlapping = ({ payments }: OrderStory): boolean =>
  payments.some((one, index) => {
    const next = payments[index + 1];
    if (next === undefined) return false;
    const end = one.events.findIndex(({ type }) => ENDINGS.has(type));
    const endedAt = end === -1 ? Infinity : (one.places[end] ?? Infinity);
    return endedAt >= (next.places[0] ?? -1);
  });

const oneLivePayment: Check = {
  invariant: 1,
  name: 'an order never had two live payments or intents at the same time',
  verify: ({ orders }) => {
    const broken = orders.flatMap((one): Broken[] => {
      const live = one.payments
        .flatMap(({ intents }) => intents)
        .filter(({ status }) => !ENDED.has(status)).length;
      if (live > 1) return [{ id: one.id, why: `${live} live intents at the provider` }];
      if (one.payments.length !== one.order.payments.length) {
        return [{ id: one.id, why: 'a payment of the order has no events in the log' }];
      }
      return overlapping(one)
        ? [{ id: one.id, why: 'a payment began before the previous payment had ended' }]
        : [];
    });
    const again = orders.filter(({ payments }) => payments.length > 1).length;
    return { figure: `${again} orders with a second payment`, broken };
  },
};

const withinCapture: Check = {
  invariant: 1,
  name: 'no payment is refunded more than was captured',
  verify: ({ payments, facts }) => {
    const refunds = groupBy(facts.refundsMade, ({ paymentId }) => paymentId);
    const captured = new Map(payments.map((one) => [one.id, takenAt(one)]));
    const broken = [...refunds].flatMap(([id, made]): Broken[] => {
      const [back, taken] = [
        sum(made.map(({ amountMinor }) => amountMinor)),
        captured.get(id) ?? 0,
      ];
      return back <= taken ? [] : [{ id, why: `refunded ${back} of ${taken}` }];
    });
    const all = sum(facts.refundsMade.map(({ amountMinor }) => amountMinor));
    return { figure: `${decimal(all)} of ${decimal(sum([...captured.values()]))}`, broken };
  },
};

export const MONEY_CHECKS: readonly Check[] = [
  sameMoney,
  withinAuthorization,
  paidOnce,
  oneLivePayment,
  withinCapture,
];
