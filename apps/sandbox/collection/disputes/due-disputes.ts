import { assert, type Instant } from '#kernel';
import type { NewLine } from '../../money/waiting-lines.js';
import type { Transaction } from '../../storage/database.js';
import type { Unit } from '../../storage/unit.js';
import { plannedDispute } from '../banks/planned-dispute.js';
import { failUnsentRefunds, sentRefunds } from '../refunds/waiting-refunds.js';
import { type DisputedPayment, DISPUTED_PAYMENTS, openDispute } from './open-dispute.js';

interface DuePayment extends DisputedPayment {
  readonly amount: number;
  /** The scenario of the payment's test card or IBAN. */
  readonly scenario: string | null;
  readonly due_at: Instant;
}

/**
 * Disputes the remaining amount of these payments a day after their capture. A fully refunded
 * payment stays captured. Returns the payout lines, which the caller inserts. Call while holding
 * the intents' locks.
 */
export const openDueDisputes = async (
  tx: Transaction,
  unit: Unit,
  payments: readonly DuePayment[],
): Promise<readonly NewLine[]> => {
  const ids = payments.map(({ id }) => id);
  const sent = await sentRefunds(tx, ids);
  await failUnsentRefunds(tx, unit, ids);
  return payments.flatMap((payment) => {
    const { id, status, method, scenario, due_at: at } = payment;
    const leftMinor = payment.amount - (sent.get(id) ?? 0);
    if (leftMinor === 0) {
      unit.change(DISPUTED_PAYMENTS, { id, status, due_at: null });
      return [];
    }
    const response = plannedDispute(method, scenario);
    assert(response !== null, 'a captured payment is due only when its test value plans a dispute');
    return [openDispute(unit, payment, leftMinor, response, at).line];
  });
};
