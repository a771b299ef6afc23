import type { Pool } from 'pg';

/** What our ledger calls an account, and what the provider's books call it. */
const NAMES = {
  payer: 'payer', provider: 'merchant', merchant: 'payouts', fees: 'fees', vat: 'vat',
  disputes: 'disputes',
} as const;

type Account = keyof typeof NAMES;

/** One account of one currency, in minor units. */
export interface Difference {
  readonly account: Account;
  readonly currency: string;
  readonly oursMinor: number;
  readonly theirsMinor: number;
  readonly differenceMinor: number;
}

type Balances = Readonly<Record<string, number>>;

const ACCOUNTS = Object.keys(NAMES) as readonly Account[];

const OURS = `
  SELECT currency, ${ACCOUNTS.map((name) => `sum(${name}_minor)::float8 AS ${name}`).join(', ')}
    FROM ledger_journal GROUP BY currency`;

/** Our ledger against the provider's own books, account by account; ours of all its accounts. */
export const ledgerDifferences = async (
  pool: Pool, sandboxUrl: string,
): Promise<readonly Difference[]> => {
  const { rows } = await pool.query<Balances & { readonly currency: string }>(OURS);
  const answer = await fetch(`${sandboxUrl}/sandbox/books`);
  const { books } = (await answer.json()) as {
    books: readonly { readonly currency: string; readonly accounts: Balances }[];
  };
  const currencies = new Set([...rows, ...books].map(({ currency }) => currency));
  return [...currencies].toSorted().flatMap((currency) => ACCOUNTS.map((account) => {
    const oursMinor = rows.find((row) => row.currency === currency)?.[account] ?? 0;
    const theirs = books.filter((book) => book.currency === currency);
    const theirsMinor = theirs.reduce(
      (total, { accounts }) => total + (accounts[NAMES[account]] ?? 0), 0);
    return { account, currency, oursMinor, theirsMinor, differenceMinor: oursMinor - theirsMinor };
  }));
};
