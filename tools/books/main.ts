import type { Pool } from 'pg';
import { type Difference, ledgerDifferences } from './compare.js';
import { type BooksOptions, runBooks } from './run.js';

interface FoundException {
  readonly kind: string;
  readonly objectId: string;
  readonly isOpen: boolean;
}

const decimal = (minor: number): string => (minor / 100).toFixed(2).padStart(12);

const exceptionsOf = async (pool: Pool): Promise<readonly FoundException[]> =>
  (
    await pool.query<FoundException>(
      `SELECT kind, object_id AS "objectId", closed_at IS NULL AS "isOpen"
       FROM reconciliation_exceptions ORDER BY found_at, exception_id`,
    )
  ).rows;

const differenceLine = (one: Difference): string =>
  `  ${one.account.padEnd(9)} ${one.currency} ${decimal(one.oursMinor)} ` +
  `${decimal(one.unknownMinor)} ${decimal(one.theirsMinor)}   ${one.differenceMinor}`;

/**
 * Runs days of orders on the whole product, then compares our ledger with the provider's books.
 * Returns true when every account agrees to the minor unit and the reconciliation breaks are the
 * planted ones.
 */
export const runAndCompare = async (options: BooksOptions): Promise<boolean> => {
  const { say, seed } = options;
  const { stack, pool, counts, pastUs } = await runBooks(options);
  try {
    const differences = await ledgerDifferences(pool, stack.sandbox.url);
    const found = await exceptionsOf(pool);
    const won = await pool.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ledger_journal WHERE kind = 'dispute_reversal'`,
    );
    const [{ count: wonBack } = { count: 0 }] = won.rows;
    const unplanned = found.filter(
      ({ kind, objectId }) => kind !== 'unknown' || !pastUs.includes(objectId),
    );
    const missed = pastUs.filter((id) => !found.some((one) => one.objectId === id && one.isOpen));
    say('\nOrders and planted faults');
    for (const [what, count] of Object.entries(counts).toSorted(([a], [b]) => a.localeCompare(b))) {
      say(`  ${String(count).padStart(5)}  ${what}`);
    }
    say(`${String(pastUs.length).padStart(5)}  payment made directly at the provider`);
    say(`  ${String(wonBack).padStart(5)}  disputes won and booked`);
    say(
      `\nReconciliation breaks: ${found.length} found, ${found.filter(({ isOpen }) => isOpen).length} open`,
    );
    for (const { kind, objectId } of unplanned) say(`  NOT PLANTED: ${kind} ${objectId}`);
    for (const id of missed) say(`  NOT FOUND: ${id}`);
    say('\n  account   cur         ours    + unknown       theirs   difference in minor units');
    for (const one of differences) say(differenceLine(one));
    if (wonBack === 0) say('  NOT BOOKED: no dispute was won');
    const holds =
      wonBack > 0 &&
      unplanned.length === 0 &&
      missed.length === 0 &&
      differences.length > 0 &&
      differences.every(({ differenceMinor }) => differenceMinor === 0);
    say(holds ? `\nThe books agree. Seed ${seed}.` : `\nThe books do NOT agree. Seed ${seed}.`);
    return holds;
  } finally {
    await pool.end();
    await stack.stop();
  }
};
