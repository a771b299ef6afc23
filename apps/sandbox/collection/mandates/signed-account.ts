import { type AccountScope, scopeValues } from '../../storage/account-scope.js';
import type { Transaction } from '../../storage/database.js';
import type { SepaRow } from '../sepa/sepa-resource.js';
import type { MandateRow } from './mandate-resource.js';

const ACCOUNT = {
  name: 'signed-account:sepa',
  text: `SELECT * FROM sepa
         WHERE account_id = $1 AND live = $2 AND id = $3 AND deleted_at IS NULL`,
};
/**
 * Selects a bank account with its mandate, locked so that the mandate is not deleted while in use.
 */
const SIGNED_MANDATE = {
  name: 'signed-account:mandate',
  text: `SELECT * FROM mandates WHERE sepa_id = $1 AND status = 'signed'
         ORDER BY created_at DESC, seq DESC LIMIT 1 FOR SHARE`,
};

/** A bank account of this account and mode, and its signed mandate; each is null when absent. */
export const signedAccount = async (
  tx: Transaction,
  scope: AccountScope,
  sepaId: string,
): Promise<{ readonly sepa: SepaRow | null; readonly mandate: MandateRow | null }> => {
  const [[sepa], [mandate]] = await Promise.all([
    tx.query<SepaRow>(ACCOUNT, [...scopeValues(scope), sepaId]),
    tx.query<MandateRow>(SIGNED_MANDATE, [sepaId]),
  ]);
  return { sepa: sepa ?? null, mandate: mandate ?? null };
};
