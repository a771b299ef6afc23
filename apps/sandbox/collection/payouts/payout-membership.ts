import type { Instant } from '#kernel';
import { PAYOUT_LINES, type PayoutLineRow } from '../../money/payout-line-row.js';
import { openMornings } from '../../money/waiting-lines.js';
import { scopeValues } from '../../storage/account-scope.js';
import type { Transaction } from '../../storage/database.js';
import { partOf } from '../../storage/table.js';
import type { Unit } from '../../storage/unit.js';
import { DISPUTES } from '../disputes/dispute-resource.js';
import { lockIntents } from '../payments/aggregate.js';
import { PAYMENTS } from '../payments/payment-resource.js';
import { REFUNDS } from '../refunds/refund-resource.js';
import type { PayoutRow } from './payout-resource.js';

/** Maximum number of lines that one transaction adds or removes. */
const CHUNK = 1_000;

/**
 * Selects the waiting lines of a balance that the totals of the payout include, in order of
 * creation.
 */
const WAITING = {
  name: 'payout:fill',
  text: `SELECT t.id, t.payment_id, t.refund_id, t.dispute_id, t.kind, p.intent_id
         FROM payout_lines t JOIN payments p ON p.id = t.payment_id
         WHERE t.payout_id IS NULL AND t.account_id = $1 AND t.live = $2 AND t.currency = $3
           AND (t.due_at IS NULL OR t.due_at <= $4)
         ORDER BY t.seq LIMIT ${CHUNK}`,
};
const PUT_IN = {
  name: 'payout:release',
  text: `SELECT t.id, t.payment_id, t.refund_id, t.dispute_id, t.kind, p.intent_id
         FROM payout_lines t JOIN payments p ON p.id = t.payment_id
         WHERE t.payout_id = $1 ORDER BY t.seq LIMIT ${CHUNK}`,
};

type ChunkLine = Pick<PayoutLineRow, 'id' | 'payment_id' | 'refund_id' | 'dispute_id' | 'kind'> & {
  readonly intent_id: string;
};

const MEMBERS = {
  line: partOf(PAYOUT_LINES, 'ml', 'payout_id', 'due_at'),
  payment: partOf(PAYMENTS, 'mp', 'payout_id'),
  refund: partOf(REFUNDS, 'mr', 'payout_id'),
  dispute: partOf(DISPUTES, 'md', 'payout_id'),
  // The reversal of a dispute changes only the payout line: the dispute still refers to the payout
  // that deducted its amount.
  dispute_reversal: null,
} as const;

/**
 * Sets the payout of lines and of their payments, refunds and disputes. Call while holding the
 * intents' locks.
 */
const assign = (
  unit: Unit,
  lines: readonly ChunkLine[],
  payoutId: string | null,
  dueAt: Instant | null,
): void => {
  for (const line of lines) {
    unit.change(MEMBERS.line, { id: line.id, payout_id: payoutId, due_at: dueAt });
    const id = line.refund_id ?? line.dispute_id ?? line.payment_id;
    const member = MEMBERS[line.kind];
    if (member !== null) unit.change(member, { id, payout_id: payoutId });
  }
};

/**
 * Assigns a chunk of lines to the payout whose totals include them; true when no line is left. The
 * caller holds the payout's lock.
 */
export const fillPayout = async (
  tx: Transaction,
  unit: Unit,
  payout: PayoutRow,
): Promise<boolean> => {
  const lines = await tx.query<ChunkLine>(WAITING, [
    ...scopeValues(payout),
    payout.currency,
    payout.created_at,
  ]);
  await lockIntents(
    tx,
    lines.map((line) => line.intent_id),
  );
  assign(unit, lines, payout.id, null);
  return lines.length < CHUNK;
};

/**
 * Removes a chunk of lines from a failed payout, so that they wait for the next payout; true when
 * no line is left.
 */
export const releasePayout = async (
  tx: Transaction,
  unit: Unit,
  payout: PayoutRow,
  at: Instant,
): Promise<boolean> => {
  const lines = await tx.query<ChunkLine>(PUT_IN, [payout.id]);
  await lockIntents(
    tx,
    lines.map((line) => line.intent_id),
  );
  const openMorning = await openMornings(tx, [payout]);
  assign(unit, lines, null, openMorning(payout, at));
  return lines.length < CHUNK;
};
