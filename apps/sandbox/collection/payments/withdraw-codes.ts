import type { Transaction } from '../../storage/database.js';
import type { Unit } from '../../storage/unit.js';
import { withdrawCodesOf } from '../mandates/signing-codes.js';
import type { IntentRow } from './intent-resource.js';
import { takesAttempt } from './states.js';

/** An attempt without a code was made: where it was approved, nothing is left to sign for. */
export const withdrawCodesIfPaid = async (
  tx: Transaction,
  unit: Unit,
  { id, status }: Pick<IntentRow, 'id' | 'status'>,
): Promise<void> => {
  if (!takesAttempt(status)) await withdrawCodesOf(tx, unit, id);
};
