import { type AccountScope, HOUSE_ACCOUNT } from './account-scope.js';
import type { Transaction } from './database.js';

const HAS_KEYS = {
  name: 'closed-accounts:has-keys',
  text: `SELECT FROM onboarding_companies c WHERE c.account_id = $1
           AND EXISTS (SELECT FROM merchant_keys k WHERE k.company_id = c.id)`,
};

/**
 * Whether the account takes no new payments: its company was deactivated, which revoked its keys.
 * Payers and the clock need no key, so their attempts have to check it.
 */
export const isClosed = async (
  tx: Pick<Transaction, 'query'>,
  { account_id: account }: Pick<AccountScope, 'account_id'>,
): Promise<boolean> =>
  account !== HOUSE_ACCOUNT && (await tx.query(HAS_KEYS, [account])).length === 0;
