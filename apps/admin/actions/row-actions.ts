import type { Pool } from 'pg';
import { type Clock, DAY_MS, Rejection } from '#kernel';
import { parisDay, parseDay } from '#onboarding';
import { type Action, type Asked, NOTHING, type Preview } from './action.js';
import type { Follow } from './told.js';

/** The one row that is changed by a statement, or not there in that state. */
interface RowChange {
  readonly takesTwo?: true;
  readonly subjectType: string;
  /** `$1` is the subject's id; a row: it can be done. */
  readonly check: string;
  readonly change: string;
  /** More values of the statement `change`, from `$2` on. */
  readonly values: (asked: Asked) => readonly unknown[];
  readonly missing: Rejection;
  /** What the dry run tells. Throws a `Rejection` for a value that cannot be. */
  readonly tells: (asked: Asked) => Partial<Preview>;
}

const rowAction = (pool: Pool, parts: RowChange): Action => ({
  takesTwo: parts.takesTwo ?? false,
  subjectOf: ({ subjectId }) => ({ type: parts.subjectType, id: subjectId }),
  preview: async (asked) => {
    const { rowCount } = await pool.query(parts.check, [asked.target.subjectId]);
    if (rowCount === 0) throw parts.missing;
    return { ...NOTHING, ...parts.tells(asked) };
  },
  carriedOutAs: 'rows',
  execute: async (asked, client) => {
    const values = [asked.target.subjectId, ...parts.values(asked)];
    const { rowCount } = await client.query(parts.change, values);
    if (rowCount === 0) throw parts.missing;
    return {};
  },
});

/** Handled, or failed so far; an id that is no number is no webhook's. */
const TRIED_WEBHOOK = `id::text = $1 AND (handled_at IS NOT NULL OR tries > 0)`;

/** Each day is a call or more, one after another, before today is read again. */
const MAX_DAYS_BACK = 400;

/** How many days are read again. Throws `Rejection('invalid_day')`. */
const daysFrom = ({ target: { fromDay } }: Asked, clock: Clock): number => {
  if (fromDay === undefined) return 0;
  const days = (Date.parse(parisDay(clock.now())) - Date.parse(parseDay(fromDay))) / DAY_MS;
  if (days >= 0 && days <= MAX_DAYS_BACK) return days + 1;
  throw new Rejection(
    'invalid_day',
    `name a day that has begun, at most ${MAX_DAYS_BACK} days ago`,
  );
};

const historyFrom = (asked: Asked, clock: Clock): Partial<Preview> => {
  const days = daysFrom(asked, clock);
  const { fromDay: day } = asked.target;
  const follow: Follow =
    day === undefined ? { code: 'history_read' } : { code: 'history_read_from', day, days };
  return { follows: [follow], notes: [{ code: 'known_changes_nothing' }] };
};

/** Repairs that ask the workers to look again, or close what was looked at. */
export const rowActions = (pool: Pool, clock: Clock) => ({
  close_exception: rowAction(pool, {
    // What is closed is looked at by nobody any more: whoever took the money could close it.
    takesTwo: true,
    subjectType: 'exception',
    check: 'SELECT FROM reconciliation_exceptions WHERE exception_id = $1 AND closed_at IS NULL',
    change: `UPDATE reconciliation_exceptions SET closed_at = $2, closed_by = $3, close_reason = $4
              WHERE exception_id = $1 AND closed_at IS NULL`,
    values: ({ actor, reason }) => [clock.now(), actor, reason],
    missing: new Rejection('entity_not_found', 'there is no such open exception'),
    tells: () => ({ notes: [{ code: 'exception_closed' }] }),
  }),
  poll_history: rowAction(pool, {
    subjectType: 'history',
    check: 'SELECT FROM history_watermarks WHERE mode = $1',
    change: `UPDATE history_watermarks
                SET watermark = least(watermark, coalesce($3::date, watermark)), next_round_at = $2,
                    updated_at = clock_timestamp()
              WHERE mode = $1`,
    values: ({ target }) => [clock.now(), target.fromDay ?? null],
    missing: new Rejection('entity_not_found', 'the history of this mode was never read'),
    tells: (asked) => historyFrom(asked, clock),
  }),
  poll_account: rowAction(pool, {
    subjectType: 'account',
    check: `SELECT FROM jobs WHERE kind = 'account.payments' AND key = $1`,
    change: `UPDATE jobs SET due_at = least(due_at, $2)
              WHERE account_id = $1 AND state = 'waiting'
                AND kind = ANY ('{account.payments,account.payouts,account.refunds,account.disputes,
                                  account.reconcile,payout.read,payout.lines}')`,
    values: () => [clock.now()],
    missing: new Rejection('entity_not_found', 'nothing is read in the background for it'),
    tells: () => ({ follows: [{ code: 'account_read' }] }),
  }),
  reprocess_webhook: rowAction(pool, {
    subjectType: 'webhook',
    check: `SELECT FROM webhooks_received WHERE ${TRIED_WEBHOOK}`,
    change: `UPDATE webhooks_received
                SET handled_at = NULL, tries = 0, note = 'to be handled again'
              WHERE ${TRIED_WEBHOOK}`,
    values: () => [],
    missing: new Rejection('entity_not_found', 'there is no such webhook that was tried'),
    tells: () => ({ follows: [{ code: 'webhook_read' }] }),
  }),
});
