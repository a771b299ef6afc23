import type { Pool } from 'pg';
import type { AccountMode } from '#psp';

/**
 * The provider accounts whose entries are read: those of the merchant. If `platformId` is null, the
 * platform is not restricted; if `mode` is null, accounts of both modes are read.
 */
export interface AccountsOf {
  readonly platformId: string | null;
  readonly merchantId: string;
  readonly mode: AccountMode | null;
}

const ACCOUNTS = `
  SELECT id FROM provider_accounts
   WHERE ($1::text IS NULL OR platform_id = $1) AND merchant_id = $2
     AND ($3::text IS NULL OR mode = $3)`;

/** The ids of a merchant's provider accounts; empty if the merchant has none. */
export const accountIdsOf = async (
  pool: Pool,
  { platformId, merchantId, mode }: AccountsOf,
): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ id: string }>(ACCOUNTS, [platformId, merchantId, mode]);
  return rows.map(({ id }) => id);
};
