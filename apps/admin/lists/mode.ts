import type { Pool } from 'pg';
import { assert } from '#kernel';
import { type Column, type Filter, type ListQuery, MAX_GROUP_IDS } from '#lists';
import { USUAL_MODE } from '#operations';
import { firstRow } from '#platform';
import { ACCOUNT_MODES, type AccountMode } from '#psp';

/** A mode, or `usual`: the mode that is shown if the user chooses none. */
export type ChosenMode = AccountMode | 'usual';

/** Live if any account or merchant that the user may see is live, otherwise test. */
export const usualModeOf = async (pool: Pool): Promise<AccountMode> => {
  const usual = await firstRow<{ mode: AccountMode }>(pool, USUAL_MODE);
  assert(usual !== undefined, 'an expression is one row');
  return usual.mode;
};

/**
 * The query with the mode that is usual now, if it asks for the usual mode. Otherwise the mode could
 * change between two pages of a file.
 */
export const withFixedMode = async (pool: Pool, query: ListQuery): Promise<ListQuery> =>
  query['mode'] === 'usual' ? { ...query, mode: await usualModeOf(pool) } : query;

/** SQL: the other mode than that of `chosen`. */
const OTHER = `(SELECT CASE mode WHEN 'live' THEN 'test' ELSE 'live' END FROM chosen)`;

/**
 * SQL: the ids of the provider accounts of the chosen mode `$1`, and those of the other mode
 * (`others`). `$1` may be `usual`, see `usualModeOf`.
 */
const IDS = `
  WITH chosen AS (SELECT coalesce(nullif($1, 'usual'), (${USUAL_MODE})) AS mode)
  SELECT (SELECT mode FROM chosen) AS "group",
         ARRAY (SELECT a.id FROM provider_accounts a WHERE a.mode = (SELECT mode FROM chosen)
                 LIMIT ${MAX_GROUP_IDS + 1}) AS ids,
         ARRAY (SELECT a.id FROM provider_accounts a WHERE a.mode = ${OTHER}
                 LIMIT ${MAX_GROUP_IDS + 1}) AS others`;

/** The filter by the mode of the provider account whose id is in this column. */
export const modeFilter = (accountId = 'account_id') =>
  ({
    is: 'group',
    of: [...ACCOUNT_MODES, 'usual'],
    by: accountId,
    ids: IDS,
    where: `EXISTS (SELECT FROM provider_accounts a WHERE a.id = ${accountId} AND a.mode = ?)`,
    means:
      'Only of provider accounts in this mode. `usual`: live if any provider account or merchant ' +
      'is live, otherwise test.',
  }) as const satisfies Filter;

/** The mode of a provider account. `accountId`: the SQL expression of the account's id. */
export const modeColumn = (accountId: string) =>
  ({
    sql: `(SELECT a.mode FROM provider_accounts a WHERE a.id = ${accountId})`,
    oneOf: ACCOUNT_MODES,
    nullable: true,
    means: 'The mode of the provider account.',
  }) as const satisfies Column;

/** The usual mode, and the accounts of the other mode, whose rows are left out. */
export interface UsualAccounts {
  readonly mode: AccountMode;
  readonly others: readonly string[];
}

const USUAL_ACCOUNTS = `
  WITH chosen AS (${USUAL_MODE})
  SELECT (SELECT mode FROM chosen) AS mode,
         ARRAY (SELECT a.id FROM provider_accounts a WHERE a.mode = ${OTHER}) AS others`;

export const usualAccountsOf = async (pool: Pool): Promise<UsualAccounts> => {
  const found = await firstRow<UsualAccounts>(pool, USUAL_ACCOUNTS);
  assert(found !== undefined, 'the accounts of a mode are one row');
  return found;
};
