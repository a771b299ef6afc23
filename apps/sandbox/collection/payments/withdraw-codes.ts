import type { Transaction } from '../../storage/database.js';
import type { Unit } from '../../storage/unit.js';
import { withdrawCodesOf } from '../mandates/signing-codes.js';
import type { IntentRow } from './intent-resource.js';
import { acceptsAttempt } from './states.js';

/**
 * Withdraws the open signing codes of an intent that was paid by card or with a stored bank
 * account. An intent that allows no direct debit has no open codes: the PATCH that disallows it
 * withdraws them.
 */
export const withdrawCodesIfPaid = async (
  tx: Transaction,
  unit: Unit,
  { id, status, methods_allowed: methods }: Pick<IntentRow, 'id' | 'status' | 'methods_allowed'>,
): Promise<void> => {
  if (!acceptsAttempt(status) && methods.includes('sepa')) await withdrawCodesOf(tx, unit, id);
};
