import { randomFrom } from '../chaos/random.js';
import type { FaultKind } from '../stack/sandbox.js';

/**
 * What becomes of an order's money. `disputed`: the payer takes it back a day after. `returned`: the
 * debit never arrives. `taken_back`: it comes back after it had arrived.
 */
type Fate = 'kept' | 'refunded' | 'partly_refunded' | 'disputed' | 'returned' | 'taken_back';

export interface BookOrder {
  readonly amountMinor: number;
  readonly method: 'card' | 'sepa';
  readonly fate: Fate;
  /** Of a partial refund. */
  readonly refundMinor: number;
}

/** One day of the provider's clock. */
export interface BookDay {
  readonly orders: readonly BookOrder[];
  readonly faults: readonly { readonly route: string; readonly kind: FaultKind }[];
  /** A payment that somebody makes with the same key, past us: the exception that is planted. */
  readonly isPaidPastUs: boolean;
  /** The newest payout's transfer fails: its lines come in the next. */
  readonly failsPayout: boolean;
}

const ROUTES = [
  'GET /v2/payouts', 'GET /v2/payouts/{pout_id}', 'GET /v2/payouts/{pout_id}/payments',
  'GET /v2/payouts/{pout_id}/refunds', 'GET /v2/payouts/{pout_id}/disputes', 'GET /v2/disputes',
  'POST /v2/payment_intents', 'POST /v2/payment_intents/{pi_id}/capture',
  'POST /v2/payment_intents/{pi_id}/refund', 'GET /v2/payment_intents/{pi_id}',
] as const;

const KINDS = [
  'drop_after', 'drop_before', 'half_answer', 'reset', 'status_500', 'status_502_html',
] as const;

/** So much is paid and kept each day that no day is negative: what is late is then planted. */
export const KEPT: BookOrder = {
  amountMinor: 250_000, method: 'card', fate: 'kept', refundMinor: 0,
};

/** The days of a run; the same seed, the same days. */
export const planDays = (seed: number, days: number): readonly BookDay[] => {
  const random = randomFrom(seed, 'books');
  const order = (): BookOrder => {
    const amountMinor = random.int(100, 49_999);
    const method = random.chance(0.3) ? 'sepa' : 'card';
    const fate = method === 'sepa'
      ? random.pick<Fate>(['kept', 'kept', 'returned', 'taken_back'])
      : random.pick<Fate>(['kept', 'kept', 'refunded', 'partly_refunded', 'disputed']);
    return { amountMinor, method, fate, refundMinor: random.int(1, amountMinor) };
  };
  let failedInARow = 0;
  // A third in a row would make the money of the first late: an exception that is not planted.
  const fails = (day: number): boolean => {
    const isWished = day === 2 || random.chance(0.1);
    failedInARow = isWished && failedInARow < 2 ? failedInARow + 1 : 0;
    return failedInARow > 0;
  };
  return Array.from({ length: days }, (_, day) => ({
    orders: [KEPT, ...Array.from({ length: random.int(1, 3) }, order)],
    faults: Array.from({ length: random.int(0, 3) }, () => ({
      route: random.pick(ROUTES), kind: random.pick(KINDS),
    })),
    isPaidPastUs: day === 1 || random.chance(0.1),
    failsPayout: fails(day),
  }));
};
