import type { Pool } from 'pg';
import type { AccountMode } from '#psp';

/**
 * Which provider accounts are read. `platformId` null: of any platform. `mode` null: of both modes.
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
