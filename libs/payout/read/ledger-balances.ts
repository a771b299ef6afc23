import { CURRENCIES, type Instant } from '#kernel';
import type { List } from '#lists';
import { LEDGER_ACCOUNTS, type LedgerAccountName } from './ledger-entries.js';

/** One row: the balances of the six ledger accounts of a provider account and currency. */
export type LedgerBalancesRow = Readonly<Record<LedgerAccountName, number>> & {
  readonly providerAccountId: string;
  readonly currency: string;
};

type Balances = Readonly<Record<LedgerAccountName, { sql: string; holds: 'integer' }>>;

const balances = (sqlOf: (column: string) => string): Balances =>
  Object.fromEntries(
    LEDGER_ACCOUNTS.map((name) => [name, { sql: sqlOf(`${name}_minor`), holds: 'integer' }]),
  ) as Balances;

/** SQL that sums up the entries since a time, which replaces the `?`. */
const LATER = `
  CROSS JOIN LATERAL (
    SELECT ${LEDGER_ACCOUNTS.map((name) => `coalesce(sum(j.${name}_minor), 0) AS ${name}_minor`).join(', ')}
      FROM ledger_journal j
     WHERE j.account_id = b.account_id AND j.currency = b.currency AND j.at >= ?) later`;

/**
 * The balances of the ledger, now or before `at`. An earlier balance is the present balance less
 * the entries since then, because fewer entries usually follow the time than precede it.
 */
export const ledgerBalances = (at?: Instant | string) =>
  ({
    name: 'ledger-balances',
    items: 'LedgerBalances',
    item: 'LedgerBalance',
    from: `ledger_balances b ${at === undefined ? '' : LATER}`,
    fromValues: at === undefined ? [] : [at],
    platform: 'b.platform_id',
    id: 'b.currency',
    columns: {
      providerAccountId: { sql: 'b.account_id' },
      currency: { sql: 'b.currency' },
      ...balances((column) => (at === undefined ? `b.${column}` : `b.${column} - later.${column}`)),
    },
    filters: {
      mode: {
        is: 'one',
        of: ['test', 'live'],
        where: `EXISTS (SELECT FROM provider_accounts a WHERE a.id = b.account_id AND a.mode = ?)`,
        means: 'Only accounts of provider accounts in this mode.',
      },
      currency: { is: 'one', of: CURRENCIES, where: 'b.currency = ?' },
    },
    sorts: { account: { by: 'b.account_id', of: 'text', usually: 'asc' } },
  }) as const satisfies List;
