import type { Pool } from 'pg';
import { assert, type Instant } from '#kernel';
import { EventStore, PostgresLog, upcastersOf } from '#log';
import { payoutAggregate } from '#payout';
import { acceptLine } from '../../apps/admin/actions/accept-line.js';

/** The open breaks of unknown lines whose payouts are sent: only such lines can be accepted. */
const OPEN = `
  SELECT x.exception_id AS id, x.object_id AS "objectId" FROM reconciliation_exceptions x
    JOIN payout_list p ON p.payout_id = x.payout_id AND p.status IN ('sent', 'paid')
   WHERE x.kind = 'unknown' AND x.line_kind <> 'payout' AND x.closed_at IS NULL
   ORDER BY x.object_id`;

const CLOSE = `
  UPDATE reconciliation_exceptions
     SET closed_at = $2, closed_by = 'user:books', close_reason = 'it is known'
   WHERE exception_id = $1`;

/** The provider's ids of the unknown lines that operators have accepted, and of one they closed. */
export interface SettledLines {
  readonly accepted: readonly string[];
  readonly closed: readonly string[];
}

/**
 * Accepts the first open unknown line by the console's action, which books it, closes the second
 * one, which books nothing, leaves the third, and accepts the others.
 */
export const settleUnknownLines = async (pool: Pool, at: Instant): Promise<SettledLines> => {
  const clock = { now: () => at };
  // No saga reacts to the event.
  const reactions = { sagas: [], clock };
  const store = new EventStore(new PostgresLog(pool), upcastersOf([payoutAggregate]), reactions);
  const action = acceptLine({ pool, store }, clock);
  assert(action.executedAs === 'step', 'an acceptance appends an event');
  const { rows } = await pool.query<{ id: string; objectId: string }>(OPEN);
  const [first, closed, _left, ...others] = rows;
  if (closed !== undefined) await pool.query(CLOSE, [closed.id, at]);
  const accepted = first === undefined ? [] : [first, ...others];
  for (const { id } of accepted) {
    await action.execute({
      id: `act_${id}`,
      target: { subjectId: id },
      reason: 'it is right',
      actor: 'user:books',
      approvedBy: null,
      private: null,
    });
  }
  return {
    accepted: accepted.map(({ objectId }) => objectId),
    closed: closed === undefined ? [] : [closed.objectId],
  };
};
