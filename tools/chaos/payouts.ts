import type pg from 'pg';
import { Platform } from '../stack/platform.js';
import type { Stack } from '../stack/stack.js';
import { type Difference, ledgerDifferences } from '../books/compare.js';
import type { AcceptedFact } from './facts.js';
import { FailedDuringRun } from './failed-during-run.js';
import { runLoad } from './load.js';
import { CURRENCIES_OF_RUN, type OrderPlan } from './scenario.js';

/** The comparison of our ledger with the provider's books after all money was paid out. */
export interface LedgerFacts {
  readonly differences: readonly Difference[];
  readonly breaks: readonly { readonly kind: string; readonly objectId: string }[];
  /** The number of payout lines by kind. */
  readonly lines: Readonly<Record<string, number>>;
}

/** The time after which the latest payments are captured, even if it includes a weekend. */
const UNTIL_CAPTURED = 'P4D';
/**
 * The number of days until all refunds are sent, all disputes are decided and all transfers are
 * paid.
 */
const DAYS = 8;

/**
 * The amount of a payment that keeps a payout positive, in minor units. It is more than half of
 * what a run of 1,000 orders refunds in one currency.
 */
const KEPT_MINOR = 5_000_000;

/**
 * A large payment that is neither refunded nor disputed. Each day has such a payment in each
 * currency, because a payout with a negative sum would be delayed.
 */
const kept = (seed: number, day: number): readonly OrderPlan[] =>
  CURRENCIES_OF_RUN.map((currency) => ({
    reference: `chaos-${seed}-kept-${day}-${currency}`,
    idempotencyKey: `chaos-${seed}-kept-key-${day}-${currency}`,
    amountMinor: KEPT_MINOR,
    currency,
    method: 'card',
    capture: { policy: 'automatic' },
    expiresIn: 'P1D',
    payer: 'pays_without_3ds',
    reportsPageFinished: true,
    cancels: 'never',
    capturesManually: false,
    sendsTwice: false,
    canceledAtProvider: false,
  }));

/**
 * Requests a refund above the captured amount at each api. Each must refuse it because of the
 * amount: an api that refuses it for another reason has decided on the outdated state in its cache.
 */
const requestTooMuch = async (
  platform: Platform,
  orderIds: readonly string[],
  apis: number,
): Promise<void> => {
  for (const orderId of orderIds) {
    for (let api = 0; api < apis; api += 1) {
      const { body } = await platform.only(api).refund(orderId, { amountMinor: KEPT_MINOR + 1 });
      if (body['code'] === 'refund_exceeds_payment') continue;
      throw new FailedDuringRun(
        `no refund of a captured payment is refused for a wrong reason: ${orderId}, ${JSON.stringify(body)}`,
      );
    }
  }
};

/**
 * Advances business time until all money is paid out. Returns the orders that were placed
 * meanwhile.
 */
export const payOut = async (stack: Stack, seed: number): Promise<readonly AcceptedFact[]> => {
  const accepted: AcceptedFact[] = [];
  const { sandbox } = stack;
  const platform = Platform.of(stack);
  const load = { platform, sandbox, onPlaced: () => undefined };
  for (let day = 0; day < DAYS; day += 1) {
    const plans = kept(seed, day);
    const placed = await runLoad({ ...load, width: plans.length }, plans);
    accepted.push(...placed);
    await sandbox.advance('P1D');
    const orderIds = placed.flatMap((one) => one.orderIds);
    await requestTooMuch(platform, orderIds, stack.apis.length);
  }
  await sandbox.advance(UNTIL_CAPTURED);
  return accepted;
};

export const ledgerFacts = async (pool: pg.Pool, stack: Stack): Promise<LedgerFacts> => {
  const { rows: breaks } = await pool.query<LedgerFacts['breaks'][number]>(
    `SELECT kind, object_id AS "objectId" FROM reconciliation_exceptions WHERE closed_at IS NULL`,
  );
  const { rows: lines } = await pool.query<{ kind: string; count: number }>(
    'SELECT kind, count(*)::int AS count FROM payout_lines GROUP BY kind ORDER BY kind',
  );
  return {
    differences: await ledgerDifferences(pool, stack),
    breaks,
    lines: Object.fromEntries(lines.map(({ kind, count }) => [kind, count])),
  };
};
