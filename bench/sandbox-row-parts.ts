import { HOUSE_TEST } from '../apps/sandbox/storage/account-scope.js';
import type { CopyRow } from './sandbox-copy.js';

/**
 * The number of payments; the numbers of all other rows are in proportion. Ten pages need at least
 * 600 payments.
 */
export interface Filling {
  readonly payments: number;
  /** The number of delivery attempts for each of a payment's two events, all to one endpoint. */
  readonly attemptsOfDelivery: number;
}

export type Name =
  | 'addr'
  | 'cust'
  | 'card'
  | 'sepa'
  | 'mndt'
  | 'pi'
  | 'paym'
  | 'refd'
  | 'dspt'
  | 'pout'
  | 'line'
  | 'we'
  | 'evt'
  | 'prod'
  | 'price'
  | 'sub'
  | 'msg';

/** The id of row `n`; the newest row has the number 1. */
export const idOf = (name: Name, n: number): string => `${name}_${String(n).padStart(24, '0')}`;

/** The webhook endpoint that receives all deliveries. */
export const BUSY_ENDPOINT = idOf('we', 1);
/** The payout with half of all cleared payments. */
export const BIG_PAYOUT = idOf('pout', 1);

/** The creation time of row `n`: rows are twenty seconds apart, backwards from `nowMs`. */
export const timeAt = (nowMs: number, n: number): string =>
  new Date(nowMs - n * 20_000).toISOString();

/**
 * Whether the filters of lists exclude the row. They exclude the newest fifth of all rows, so that
 * a list's query must skip many rows before its first page.
 */
export const isPassedOver = (count: number, n: number): boolean => n <= count / 5;

export const last4Of = (n: number): string => String(n % 10_000).padStart(4, '0');

/** A third of the payments have a refund, and another third a dispute. */
export const isRefunded = (n: number): boolean => n % 3 === 1;
export const isDisputed = (n: number): boolean => n % 3 === 2;

/** The number of rows with a rare filter value. It is equal in the small and the full tables. */
const RARE = 260;
export const isRare = (count: number, n: number): boolean => n % Math.floor(count / RARE) === 1;

export const methodOf = ({ payments }: Filling, n: number): 'card' | 'sepa' =>
  isRare(payments, n) ? 'sepa' : 'card';
export const statusOf = ({ payments }: Filling, n: number): string =>
  isRare(payments, n + 1) ? 'refused' : isDisputed(n) ? 'disputed' : 'captured';

/** The number of customers, cards and similar objects. */
export const othersOf = ({ payments }: Filling): number => Math.max(payments / 5, 300);

/** Half of all payments use one test card, as in real test accounts. */
export const busyCardOf = (filling: Filling): number => othersOf(filling);

export interface Sizes extends Filling {
  readonly nowMs: number;
  readonly others: number;
  readonly payouts: number;
}

export const payoutOf = ({ payouts }: Sizes, n: number): string =>
  n % 2 === 0 ? BIG_PAYOUT : idOf('pout', 1 + (n % payouts));

/** The columns that all resources have. */
export const base = ({ nowMs }: Sizes, name: Name, n: number): CopyRow => ({
  id: idOf(name, n),
  ...HOUSE_TEST,
  created_at: timeAt(nowMs, n),
});
