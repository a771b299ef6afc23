import { CURRENCIES, type Currency } from '#kernel';
import { randomFrom } from '../chaos/random.js';
import type { FaultKind } from '../stack/sandbox.js';

/**
 * What happens to an order's money. `refunded_by_hand`: the merchant refunds it in the provider's
 * User Area. `disputed`: the payer disputes it a day after the capture; `won`, `lost`: the merchant
 * contests the dispute, with this decision. `returned`: the debit never settles. `charged_back`:
 * the debit is returned after it had settled.
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
  /** The amount of a partial refund. */
  readonly refundMinor: number;
}

/** One day of the provider's clock. */
export interface BookDay {
  readonly orders: readonly BookOrder[];
  readonly faults: readonly { readonly route: string; readonly kind: FaultKind }[];
  /**
   * Whether a payment is made with the same API key but not by us: the planted reconciliation
   * break.
   */
  readonly isPaidPastUs: boolean;
  /**
   * Whether the transfers of the newest payouts fail, so that their lines are in the next payout.
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

const [, ...OTHERS] = CURRENCIES;

/** Each day has such payments without refunds, so that no payout becomes negative and late. */
const kept = (currency: Currency): BookOrder => ({
  amountMinor: 250_000,
  currency,
  method: 'card',
  fate: 'kept',
  refundMinor: 0,
});

/** Each run includes this refund in the User Area, however short the run is. */
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

/** Each run includes this won dispute, however short the run is. */
const WON: BookOrder = {
  amountMinor: 7_000,
  currency: 'eur',
  method: 'card',
  fate: 'won',
  refundMinor: 0,
};

/** A day without orders. */
export const quietDay = (seed: number): BookDay => ({
  orders: currenciesOf(seed).map(kept),
  faults: [],
  isPaidPastUs: false,
  failsPayouts: false,
});

/** The days of a run, determined by the seed. */
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
      ...(day === 0 ? [WON] : []),
      ...(day === 1 ? [BY_HAND] : []),
      ...Array.from({ length: random.int(1, 3) }, order),
    ],
    faults: Array.from({ length: random.int(0, 3) }, () => ({
      route: random.pick(ROUTES),
      kind: random.pick(KINDS),
    })),
    isPaidPastUs: day === 1 || random.chance(0.1),
    // Some lines wait through three failed transfers in a row.
    failsPayouts: (day >= 2 && day <= 4) || random.chance(0.1),
  }));
};
