import type { Transaction } from '../../storage/database.js';

const END = {
  name: 'onboarding:end-code',
  text: `WITH ended AS (
           UPDATE onboarding_companies SET code_hash = NULL
           WHERE id = $1 AND code_hash IS NOT NULL
         )
         UPDATE onboarding_messages SET body = NULL, due_at = NULL
         WHERE company_id = $1 AND due_at IS NOT NULL`,
};

/**
 * Ends the code that a contract is signed with, under its company's lock, where one is open: neither
 * its hash nor what its message says rests.
 */
export const endContractCode = async (tx: Transaction, companyId: string): Promise<void> => {
  await tx.query(END, [companyId]);
};
