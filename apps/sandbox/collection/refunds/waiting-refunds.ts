import type { Instant } from '#kernel';
import { nextCutOff } from '../../money/bank-days.js';
import type { Transaction } from '../../storage/database.js';
import { partOf } from '../../storage/table.js';
import type { Unit } from '../../storage/unit.js';
import { REFUNDS } from './refund-resource.js';
import { type RefundStatus, refundMachine } from './refund-states.js';

/**
 * Updates only the columns that timed transitions change, because one transaction may change
 * thousands of refunds.
 */
export const MOVED_REFUNDS = partOf(REFUNDS, 'rf', 'status', 'due_at');

const UNSENT = {
  name: 'refunds:unsent',
  text: `SELECT id, payment_id, status FROM refunds
         WHERE payment_id = ANY($1) AND status = 'to_refund'`,
};

const SENT = {
  name: 'refunds:sent',
  text: `SELECT payment_id, sum(amount)::bigint AS amount FROM refunds
         WHERE payment_id = ANY($1) AND status IN ('refund_sent', 'refunded') GROUP BY payment_id`,
};

interface UnsentRefund {
  readonly id: string;
  readonly payment_id: string;
  readonly status: RefundStatus;
}

/**
 * Schedules, for the first cut-off after `at`, the refunds that were waiting for the capture of
 * these payments.
 */
export const releaseRefunds = async (
  tx: Transaction,
  unit: Unit,
  capturedAt: ReadonlyMap<string, Instant>,
): Promise<void> => {
  if (capturedAt.size === 0) return;
  const refunds = await tx.query<UnsentRefund>(UNSENT, [[...capturedAt.keys()]]);
  for (const { id, status, payment_id: paymentId } of refunds) {
    const at = capturedAt.get(paymentId);
    if (at !== undefined) unit.change(MOVED_REFUNDS, { id, status, due_at: nextCutOff(at) });
  }
};

/**
 * The amounts refunded or being refunded, by payment, in minor units; payments without refunds are
 * absent.
 */
export const sentRefunds = async (
  tx: Transaction,
  paymentIds: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  if (paymentIds.length === 0) return new Map();
  const rows = await tx.query<{ payment_id: string; amount: number }>(SENT, [paymentIds]);
  return new Map(rows.map((row) => [row.payment_id, row.amount]));
};

/** Cancels the unsent refunds of these payments, because the payments are fully charged back. */
export const failUnsentRefunds = async (
  tx: Transaction,
  unit: Unit,
  paymentIds: readonly string[],
): Promise<void> => {
  if (paymentIds.length === 0) return;
  const refunds = await tx.query<UnsentRefund>(UNSENT, [paymentIds]);
  for (const { id, status } of refunds) {
    unit.change(MOVED_REFUNDS, { id, status: refundMachine.next(status, 'fail'), due_at: null });
  }
};
