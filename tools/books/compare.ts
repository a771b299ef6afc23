import type { Pool } from 'pg';
import { onServer } from '../infra/databases.mjs';
import type { Stack } from '../stack/stack.js';

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

/**
 * The comparison of one ledger account of one provider account in one currency, in minor units.
 */
export interface Difference {
  /**
   * The provider's id of a merchant's account with its mode, e.g. `acct_house test`; our id, if the
   * provider sends no webhooks for the account.
   */
  readonly providerAccount: string;
  readonly account: Account;
  readonly currency: string;
  readonly oursMinor: number;
  /**
   * The sum of the payout lines of payments that were not made through us. These lines are reported
   * as reconciliation breaks of kind `unknown`; once operators accept them, they are ours.
   */
  readonly unknownMinor: number;
  readonly theirsMinor: number;
  readonly differenceMinor: number;
}

type Balances = Readonly<Record<string, number>>;

/**
 * The balances of one provider account in one currency, by account name. Our books use the names of
 * our ledger's accounts, and the provider's books use the provider's names.
 */
interface Book {
  readonly providerAccount: string;
  readonly currency: string;
  readonly balances: Balances;
}

const ACCOUNTS = Object.keys(NAMES) as readonly Account[];

const OURS = `
  SELECT account_id AS "accountId", currency,
         ${ACCOUNTS.map((name) => `sum(${name}_minor)::float8 AS ${name}`).join(', ')}
    FROM ledger_balances GROUP BY account_id, currency`;

/**
 * Selects the payout lines of payments and refunds of which we have no record. These lines are
 * reconciliation breaks of kind `unknown` that are open or that operators have closed, which books
 * nothing. Facts close the break of a line that operators have accepted: our ledger contains it.
 */
const UNKNOWN = `
  SELECT l.account_id AS "accountId", l.currency, -sum(s.amount)::float8 AS payer,
         sum(s.amount - coalesce(l.fee_minor, 0))::float8 AS provider,
         sum(coalesce(l.fee_minor, 0))::float8 AS fees
    FROM reconciliation_exceptions x
    JOIN payout_lines l ON l.payout_id = x.payout_id AND l.kind = x.line_kind
                       AND l.object_id = x.object_id
    JOIN payout_list p ON p.payout_id = l.payout_id AND p.status <> 'failed'
   CROSS JOIN LATERAL (
     SELECT CASE l.kind WHEN 'payment' THEN l.amount_minor ELSE -l.amount_minor END) AS s(amount)
   WHERE x.kind = 'unknown' AND (x.closed_at IS NULL OR x.closed_by <> 'facts')
     AND l.kind IN ('payment', 'refund')
   GROUP BY l.account_id, l.currency`;

/**
 * Selects each of our account ids with the account at the provider. The URL to which the provider
 * sends an account's webhooks ends with our id.
 */
const AT_PROVIDER = `
  SELECT DISTINCT substring(url FROM '[^/]+$') AS "accountId",
         account_id || CASE WHEN live THEN ' live' ELSE ' test' END AS "providerAccount"
    FROM webhook_endpoints WHERE deleted_at IS NULL`;

const accountsAtProvider = async (sandboxDatabase: string): Promise<ReadonlyMap<string, string>> =>
  onServer(sandboxDatabase, async (client) => {
    type Row = { readonly accountId: string; readonly providerAccount: string };
    const { rows } = await client.query<Row>(AT_PROVIDER);
    return new Map(rows.map(({ accountId, providerAccount }) => [accountId, providerAccount]));
  });

const providersBooks = async (sandboxUrl: string): Promise<readonly Book[]> => {
  const answer = await fetch(`${sandboxUrl}/sandbox/books`);
  const { books } = (await answer.json()) as {
    books: readonly {
      readonly account_id: string;
      readonly mode: string;
      readonly currency: string;
      readonly accounts: Balances;
    }[];
  };
  return books.map(({ account_id, mode, currency, accounts }) => ({
    providerAccount: `${account_id} ${mode}`,
    currency,
    balances: accounts,
  }));
};

/** The books of both sides, and the payout lines of payments that were not made through us. */
interface Books {
  readonly ours: readonly Book[];
  readonly unknown: readonly Book[];
  readonly theirs: readonly Book[];
}

/**
 * The comparison for each provider account, currency and ledger account. A sum over provider
 * accounts would not show an entry that is booked in the account of another merchant.
 */
export const differencesOf = ({ ours, unknown, theirs }: Books): readonly Difference[] => {
  const names = new Map(
    [...ours, ...unknown, ...theirs].map(({ providerAccount, currency }) => [
      `${providerAccount} ${currency}`,
      { providerAccount, currency },
    ]),
  );
  const inOrder = [...names].toSorted(([a], [b]) => a.localeCompare(b)).map(([, name]) => name);
  return inOrder.flatMap(({ providerAccount, currency }) => {
    const sumOf = (books: readonly Book[], name: string): number =>
      books
        .filter((book) => book.providerAccount === providerAccount && book.currency === currency)
        .reduce((total, { balances }) => total + (balances[name] ?? 0), 0);
    return ACCOUNTS.map((account) => {
      const oursMinor = sumOf(ours, account);
      const unknownMinor = sumOf(unknown, account);
      const theirsMinor = sumOf(theirs, NAMES[account]);
      const differenceMinor = oursMinor + unknownMinor - theirsMinor;
      const amounts = { oursMinor, unknownMinor, theirsMinor, differenceMinor };
      return { providerAccount, account, currency, ...amounts };
    });
  });
};

/** Compares our ledger plus the unknown payout lines with the provider's books. */
export const ledgerDifferences = async (
  pool: Pool,
  { databases, sandbox }: Pick<Stack, 'databases' | 'sandbox'>,
): Promise<readonly Difference[]> => {
  const atProvider = await accountsAtProvider(databases.sandbox);
  const select = async (sql: string): Promise<readonly Book[]> => {
    type Row = Balances & { readonly accountId: string; readonly currency: string };
    const { rows } = await pool.query<Row>(sql);
    return rows.map(({ accountId, currency, ...balances }) => ({
      providerAccount: atProvider.get(accountId) ?? accountId,
      currency,
      balances,
    }));
  };
  return differencesOf({
    ours: await select(OURS),
    unknown: await select(UNKNOWN),
    theirs: await providersBooks(sandbox.url),
  });
};
