import type { Pool } from 'pg';
import { Rejection } from '#kernel';
import type { AccountMode } from '#psp';

/**
 * The provider accounts whose entries are read: those of the merchant. If `platformId` is null, the
 * merchant may be of any platform; if `mode` is null, accounts of both modes are read.
 */
export interface AccountsOf {
  readonly platformId: string | null;
  readonly merchantId: string;
  readonly mode: AccountMode | null;
}

const ACCOUNTS = `
  SELECT id, platform_id AS "platformId" FROM provider_accounts
   WHERE ($1::text IS NULL OR platform_id = $1) AND merchant_id = $2
     AND ($3::text IS NULL OR mode = $3)`;

/**
 * The ids of a merchant's provider accounts; empty if the merchant has none. Throws
 * `Rejection('platform_ambiguous')` if several platforms have a merchant of this id, because these
 * are different companies, whose money is not added up.
 */
export const accountIdsOf = async (
  pool: Pool,
  { platformId, merchantId, mode }: AccountsOf,
): Promise<readonly string[]> => {
  const values = [platformId, merchantId, mode];
  const { rows } = await pool.query<{ id: string; platformId: string }>(ACCOUNTS, values);
  if (new Set(rows.map((row) => row.platformId)).size > 1) {
    throw new Rejection(
      'platform_ambiguous',
      'several platforms have a merchant of this id: add platformId',
    );
  }
  return rows.map(({ id }) => id);
};
