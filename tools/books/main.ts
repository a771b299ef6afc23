import type { Pool } from 'pg';
import { type Difference, ledgerDifferences } from './compare.js';
import { type BooksOptions, FAILED_LATE, runBooks } from './run.js';

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

/** The ids of the refunds of these payments, from the lines of the payouts. */
const refundsOf = async (pool: Pool, payments: readonly string[]): Promise<readonly string[]> =>
  (
    await pool.query<{ id: string }>(
      `SELECT DISTINCT object_id AS id FROM payout_lines
        WHERE kind = 'refund' AND provider_payment_id = ANY ($1)`,
      [payments],
    )
  ).rows.map(({ id }) => id);

const differenceLine = (one: Difference): string =>
  `  ${one.account.padEnd(9)} ${one.currency} ${decimal(one.oursMinor)} ` +
  `${decimal(one.unknownMinor)} ${decimal(one.theirsMinor)}   ` +
  `${String(one.differenceMinor).padStart(10)}   ${one.providerAccount}`;

const linesOf = (counts: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(counts)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([what, count]) => `  ${String(count).padStart(5)}  ${what}`);

/** The kinds of journal entries that each of the two merchants has in every run. */
const KINDS = ['payment', 'refund', 'dispute', 'dispute_reversal', 'payout'];

/**
 * The kinds of journal entries that fewer than two accounts have. Without entries of each kind in
 * both accounts, a mix-up of the accounts could stay hidden.
 */
const missingKinds = async (pool: Pool): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ kind: string; accounts: number }>(
    `SELECT k.kind, count(DISTINCT j.account_id)::int AS accounts
       FROM unnest($1::text[]) AS k(kind) LEFT JOIN ledger_journal j USING (kind)
      GROUP BY k.kind HAVING count(DISTINCT j.account_id) < 2`,
    [KINDS],
  );
  return rows.map(({ kind, accounts }) => `${accounts} of 2 accounts have a ${kind} booked`);
};

/**
 * Runs days of orders on the whole product, then compares our ledger with the provider's books.
 * Returns true when every account is equal to the minor unit and exactly the planted reconciliation
 * breaks were found.
 */
export const runAndCompare = async (options: BooksOptions): Promise<boolean> => {
  const { say, seed } = options;
  const { stack, pool, counts, pastUs, settled, wrongRefunds, second } = await runBooks(options);
  try {
    const differences = await ledgerDifferences(pool, stack);
    const found = await exceptionsOf(pool);
    const missing = await missingKinds(pool);
    const refunds = await refundsOf(pool, pastUs);
    const planted = [...pastUs, ...refunds];
    const unplanned = found.filter(
      ({ kind, objectId }) => kind !== 'unknown' || !planted.includes(objectId),
    );
    const open = found.filter(({ isOpen }) => isOpen).map(({ objectId }) => objectId);
    const unsettled = planted.filter(
      (id) => !settled.accepted.includes(id) && !settled.closed.includes(id),
    );
    const missed = unsettled.filter((id) => !open.includes(id));
    const stillOpen = settled.accepted.filter((id) => open.includes(id));
    say('\nOrders and planted faults');
    for (const line of linesOf(counts)) say(line);
    say(`  ${String(pastUs.length).padStart(5)}  payments made directly at the provider`);
    say('\nOf a second merchant');
    for (const line of linesOf(second.counts)) say(line);
    say(
      `\nReconciliation breaks: ${found.length} found, ${open.length} open, ` +
        `${settled.accepted.length} accepted, ${settled.closed.length} closed`,
    );
    say('\n  account   cur         ours    + unknown       theirs   difference   of account');
    for (const one of differences) say(differenceLine(one));
    const failures = [
      ...unplanned.map(({ kind, objectId }) => `unexpected break: ${kind} ${objectId}`),
      ...missed.map((id) => `no open break for the direct payment or refund ${id}`),
      ...stillOpen.map((id) => `an open break for the accepted line ${id}`),
      ...(settled.accepted.length === 0 ? ['no line was accepted'] : []),
      ...differences
        .filter(({ differenceMinor }) => differenceMinor !== 0)
        .map(
          ({ account, currency, providerAccount }) =>
            `the account ${account} in ${currency} of ${providerAccount} differs`,
        ),
      ...wrongRefunds.map((what) => `a payer was refunded another amount than requested: ${what}`),
      ...(second.atProvider === second.sold
        ? []
        : [
            `the second merchant’s account has ${second.atProvider} payments of ${second.sold} orders`,
          ]),
      ...(counts[FAILED_LATE] === undefined ? [`no ${FAILED_LATE}`] : []),
      ...(counts['complete refund'] === undefined ? ['no order was refunded completely'] : []),
      ...missing,
      ...(refunds.length === 0 ? ['no refund of a direct payment was paid out'] : []),
    ];
    for (const what of failures) say(`  ✗ ${what}`);
    const holds = failures.length === 0;
    say(
      holds
        ? `\nOur ledger equals the provider’s books. Seed ${seed}.`
        : `\nOur ledger does NOT equal the provider’s books. Repeat with --seed ${seed}.`,
    );
    return holds;
  } finally {
    await pool.end();
    await stack.stop();
  }
};
