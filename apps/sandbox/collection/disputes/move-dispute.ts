import { assert, DAY_MS, type Instant, plusMs } from '#kernel';
import { bankDaysAfter } from '../../money/bank-days.js';
import type { NewLine } from '../../money/waiting-lines.js';
import { scopeOf } from '../../storage/account-scope.js';
import { partOf } from '../../storage/table.js';
import type { Unit } from '../../storage/unit.js';
import { plannedOutcome } from '../banks/planned-dispute.js';
import { type DisputeRow, DISPUTES } from './dispute-resource.js';
import { disputeMachine, type DisputeMove, type DisputeStatus } from './dispute-states.js';

/**
 * The time that the merchant has to respond to a dispute; without a response the dispute is then
 * `out_of_time`. See docs/provider/payments-completion.md#settled-after-real-clients.
 */
const ANSWER_MS = 20 * DAY_MS;
/**
 * The number of bank days from the receipt of evidence to its review. See
 * docs/provider/payments-completion.md#settled-after-real-clients.
 */
const UNTIL_VERIFIED = 2;
/**
 * The number of bank days from the review to the decision of a test card's bank; the specification
 * does not define this number.
 */
const UNTIL_DECIDED = 1;

/** A dispute, and the test scenario of the payment's card. */
export interface MovedDispute extends DisputeRow {
  readonly scenario: string | null;
}

/**
 * Updates only the status and the due time, because a payout may concurrently set the dispute's
 * `payout_id`.
 */
const STANDING = partOf(DISPUTES, 'ds', 'status', 'due_at');

/**
 * The deadline for the merchant's response to a dispute opened at `at`; null when the dispute
 * cannot be contested.
 */
export const answerDueAt = (status: DisputeStatus, at: Instant): Instant | null =>
  status === 'not_contestable' ? null : plusMs(at, ANSWER_MS);

const nextDueAt = (dispute: MovedDispute, status: DisputeStatus, at: Instant): Instant | null => {
  if (status === 'evidence_pending') return dispute.due_at;
  if (status === 'evidence_sent') return bankDaysAfter(at, UNTIL_VERIFIED);
  // A dispute whose test card defines no decision waits for a manual decision.
  if (status !== 'evidence_verification' || plannedOutcome(dispute.scenario) === null) return null;
  return bankDaysAfter(at, UNTIL_DECIDED);
};

/** The timed transition of a due dispute. */
export const dueMove = ({ status, scenario }: MovedDispute): DisputeMove => {
  if (status === 'evidence_sent') return 'verify';
  if (status !== 'evidence_verification') return 'lapse';
  const outcome = plannedOutcome(scenario);
  assert(
    outcome !== null,
    'a dispute under review is due only when its test card defines the decision',
  );
  return outcome;
};

/**
 * Applies a transition to a locked dispute that allows it. For a won dispute, returns the payout
 * line that gives the amount, without the fee, back to the merchant; the caller inserts it.
 */
export const moveDispute = (
  unit: Unit,
  dispute: MovedDispute,
  move: DisputeMove,
  at: Instant,
): { readonly dispute: DisputeRow; readonly line: NewLine | null } => {
  const status = disputeMachine.next(dispute.status, move);
  const moved = { ...dispute, status, due_at: nextDueAt(dispute, status, at) };
  unit.change(STANDING, moved);
  if (status !== 'won') return { dispute: moved, line: null };
  const { id, payment_id, amount, currency, type } = dispute;
  const line: NewLine = {
    ...scopeOf(dispute),
    kind: 'dispute_reversal',
    payment_id,
    refund_id: null,
    dispute_id: id,
    method: type === 'chargeback' ? 'card' : 'sepa',
    amount,
    fee: 0,
    currency,
    created_at: at,
  };
  return { dispute: moved, line };
};
