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
 * Ends an open code for signing a contract, under the company's lock: erases the code's hash and
 * the text of the message that contains the code.
 */
export const endContractCode = async (tx: Transaction, companyId: string): Promise<void> => {
  await tx.query(END, [companyId]);
};
