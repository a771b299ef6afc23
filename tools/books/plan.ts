import { CURRENCIES, type Currency } from '#kernel';
import { randomFrom } from '../chaos/random.js';
import type { FaultKind } from '../stack/sandbox.js';

/**
 * What happens to the payment of an order. `refunded`: the platform refunds the whole remaining
 * amount. `refunded_by_hand`: the merchant refunds the payment in the provider's User Area.
 * `disputed`: the payer disputes the payment a day after the capture. `won`, `lost`: the merchant
 * contests the dispute, and wins or loses it. `returned`: the bank returns the debit before it
 * settles. `charged_back`: the bank returns the debit after it has settled.
 */
type Fate =
  | 'kept'
  | 'refunded'
  | 'partly_refunded'
  | 'refunded_by_hand'
  | 'disputed'
  | 'won'
  | 'lost'
  | 'returned'
  | 'charged_back';

export interface BookOrder {
  readonly amountMinor: number;
  readonly currency: Currency;
  readonly method: 'card' | 'sepa';
  readonly fate: Fate;
  /** The amount of a partial refund in minor units; unused if `fate` is not a partial refund. */
  readonly refundMinor: number;
}

/** The orders and faults of one day of the provider's clock. */
export interface BookDay {
  readonly orders: readonly BookOrder[];
  readonly faults: readonly { readonly route: string; readonly kind: FaultKind }[];
  /**
   * Whether another program makes a payment with the merchant's API key on this day. This payment
   * causes a reconciliation break of kind `unknown`.
   */
  readonly isPaidPastUs: boolean;
  /**
   * Whether the transfers of the newest payouts fail, so that the next payout contains their lines
   * again.
   */
  readonly failsPayouts: boolean;
}

const ROUTES = [
  'GET /v2/payouts',
  'GET /v2/payouts/{pout_id}',
  'GET /v2/payouts/{pout_id}/payments',
  'GET /v2/payouts/{pout_id}/refunds',
  'GET /v2/payouts/{pout_id}/disputes',
  'GET /v2/payments',
  'GET /v2/refunds',
  'GET /v2/disputes',
  'POST /v2/payment_intents',
  'POST /v2/payment_intents/{pi_id}/capture',
  'POST /v2/payment_intents/{pi_id}/refund',
  'GET /v2/payment_intents/{pi_id}',
] as const;

const KINDS = [
  'drop_after',
  'drop_before',
  'half_answer',
  'reset',
  'status_429',
  'status_500',
  'status_502_html',
] as const;

/**
 * The list of payouts lacks the newest payouts when it is read in the morning. Only the next read
 * can show them, if its period overlaps with that of the read before.
 */
const LATE_PAYOUTS = { route: 'GET /v2/payouts', kind: 'late_list' } as const;

const [, ...OTHERS] = CURRENCIES;

/**
 * A payment that is neither refunded nor disputed. Each day has such a payment, because a payout
 * with a negative sum would be delayed.
 */
const kept = (currency: Currency): BookOrder => ({
  amountMinor: 250_000,
  currency,
  method: 'card',
  fate: 'kept',
  refundMinor: 0,
});

/**
 * An order that the merchant refunds in the User Area. Even the shortest run includes such an
 * order.
 */
const BY_HAND: BookOrder = {
  amountMinor: 9_000,
  currency: 'eur',
  method: 'card',
  fate: 'refunded_by_hand',
  refundMinor: 1_250,
};

/** The currencies of a run, each with separate payouts. */
const currenciesOf = (seed: number): readonly [Currency, Currency] => [
  CURRENCIES[0],
  randomFrom(seed, 'currency').pick(OTHERS),
];

/** An order that is refunded completely. Even the shortest run includes such an order. */
const REFUNDED: BookOrder = {
  amountMinor: 8_000,
  currency: 'eur',
  method: 'card',
  fate: 'refunded',
  refundMinor: 0,
};

/** An order whose dispute the merchant wins. Even the shortest run includes such an order. */
const WON: BookOrder = {
  amountMinor: 7_000,
  currency: 'eur',
  method: 'card',
  fate: 'won',
  refundMinor: 0,
};

/**
 * The second merchant's orders of a day. On the first day, one order is refunded and one is
 * disputed, so that even in the shortest run both merchants' accounts have a refund and a dispute.
 * The amounts differ from the first merchant's.
 */
export const ordersOfSecond = (day: number): readonly BookOrder[] => [
  { ...kept('eur'), amountMinor: 130_000 },
  ...(day === 0 ? [WON, REFUNDED].map((order) => ({ ...order, amountMinor: 5_500 })) : []),
];

/** The last day on which the transfers of payouts fail for every seed. */
export const LAST_PLANNED_FAILURE = 4;

/**
 * A day without random orders. It has only a payment of each currency, which keeps the payout
 * positive.
 */
export const quietDay = (seed: number): BookDay => ({
  orders: currenciesOf(seed).map(kept),
  faults: [],
  isPaidPastUs: false,
  failsPayouts: false,
});

export const planDays = (seed: number, days: number): readonly BookDay[] => {
  const random = randomFrom(seed, 'books');
  const currencies = currenciesOf(seed);
  const order = (): BookOrder => {
    const amountMinor = random.int(100, 49_999);
    const refundMinor = random.int(1, amountMinor);
    if (random.chance(0.3)) {
      // docs/provider/payments-completion.md#conventions: a debit is in euros.
      const fate = random.pick<Fate>(['kept', 'kept', 'returned', 'charged_back']);
      return { amountMinor, currency: 'eur', method: 'sepa', fate, refundMinor };
    }
    const fate = random.pick<Fate>([
      'kept',
      'refunded',
      'partly_refunded',
      'refunded_by_hand',
      'disputed',
      'won',
      'lost',
    ]);
    return { amountMinor, currency: random.pick(currencies), method: 'card', fate, refundMinor };
  };
  return Array.from({ length: days }, (_, day) => ({
    orders: [
      ...currencies.map(kept),
      ...(day === 0 ? [WON, REFUNDED] : []),
      ...(day === 1 ? [BY_HAND] : []),
      ...Array.from({ length: random.int(1, 3) }, order),
    ],
    faults: [
      ...(day === 1 ? [LATE_PAYOUTS] : []),
      ...Array.from({ length: random.int(0, 3) }, () => ({
        route: random.pick(ROUTES),
        kind: random.pick(KINDS),
      })),
    ],
    isPaidPastUs: day === 1 || random.chance(0.1),
    // The payouts of three consecutive days fail, so that some lines are in four payouts.
    failsPayouts: (day >= 2 && day <= LAST_PLANNED_FAILURE) || random.chance(0.1),
  }));
};
