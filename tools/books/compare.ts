import type { Pool } from 'pg';

/**
 * The names of the accounts in our ledger, with the names of the same accounts in the provider's
 * books.
 */
const NAMES = {
  payer: 'payer',
  provider: 'merchant',
  merchant: 'payouts',
  fees: 'fees',
  vat: 'vat',
  disputes: 'disputes',
} as const;

type Account = keyof typeof NAMES;

/** The comparison of one account in one currency, in minor units. */
export interface Difference {
  readonly account: Account;
  readonly currency: string;
  readonly oursMinor: number;
  /**
   * The sum of the payout lines of payments that were not made through us. These lines are reported
   * as reconciliation breaks of kind `unknown`.
   */
  readonly unknownMinor: number;
  readonly theirsMinor: number;
  readonly differenceMinor: number;
}

type Balances = Readonly<Record<string, number>>;

const ACCOUNTS = Object.keys(NAMES) as readonly Account[];

const OURS = `
  SELECT currency, ${ACCOUNTS.map((name) => `sum(${name}_minor)::float8 AS ${name}`).join(', ')}
    FROM ledger_balances GROUP BY currency`;

/**
 * Selects the payout lines of payments and refunds of which we have no record. These lines are open
 * reconciliation breaks of kind `unknown`.
 */
const UNKNOWN = `
  SELECT l.currency, -sum(s.amount)::float8 AS payer,
         sum(s.amount - coalesce(l.fee_minor, 0))::float8 AS provider,
         sum(coalesce(l.fee_minor, 0))::float8 AS fees
    FROM reconciliation_exceptions x
    JOIN payout_lines l ON l.payout_id = x.payout_id AND l.kind = x.line_kind
                       AND l.object_id = x.object_id
    JOIN payout_list p ON p.payout_id = l.payout_id AND p.status <> 'failed'
   CROSS JOIN LATERAL (
     SELECT CASE l.kind WHEN 'payment' THEN l.amount_minor ELSE -l.amount_minor END) AS s(amount)
   WHERE x.kind = 'unknown' AND x.closed_at IS NULL AND l.kind IN ('payment', 'refund')
   GROUP BY l.currency`;

/**
 * Compares our ledger plus the unknown payout lines with the provider's books, for each ledger
 * account and currency, summed over all provider accounts.
 */
export const ledgerDifferences = async (
  pool: Pool,
  sandboxUrl: string,
): Promise<readonly Difference[]> => {
  type Row = Balances & { readonly currency: string };
  const { rows } = await pool.query<Row>(OURS);
  const { rows: unknown } = await pool.query<Row>(UNKNOWN);
  const answer = await fetch(`${sandboxUrl}/sandbox/books`);
  const { books } = (await answer.json()) as {
    books: readonly { readonly currency: string; readonly accounts: Balances }[];
  };
  const currencies = new Set([...rows, ...books].map(({ currency }) => currency));
  return [...currencies].toSorted().flatMap((currency) =>
    ACCOUNTS.map((account) => {
      const oursMinor = rows.find((row) => row.currency === currency)?.[account] ?? 0;
      const unknownMinor = unknown.find((row) => row.currency === currency)?.[account] ?? 0;
      const theirs = books.filter((book) => book.currency === currency);
      const theirsMinor = theirs.reduce(
        (total, { accounts }) => total + (accounts[NAMES[account]] ?? 0),
        0,
      );
      const differenceMinor = oursMinor + unknownMinor - theirsMinor;
      return { account, currency, oursMinor, unknownMinor, theirsMinor, differenceMinor };
    }),
  );
};
