import type { Transaction } from '../../storage/database.js';
import type { Unit } from '../../storage/unit.js';
import { withdrawCodesOf } from '../mandates/signing-codes.js';
import type { IntentRow } from './intent-resource.js';
import { acceptsAttempt } from './states.js';

/** Withdraws open codes after an attempt without a code, if it was approved. */
export const withdrawCodesIfPaid = async (
  tx: Transaction,
  unit: Unit,
  { id, status }: Pick<IntentRow, 'id' | 'status'>,
): Promise<void> => {
  if (!acceptsAttempt(status)) await withdrawCodesOf(tx, unit, id);
};
