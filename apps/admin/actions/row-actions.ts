import type { Pool } from 'pg';
import { type Clock, DAY_MS, Rejection } from '#kernel';
import { parisDay, parseDay } from '#onboarding';
import { atRiskMinor } from '#payout';
import { type Action, type Asked, NOTHING } from './action.js';
import type { Follow } from './preview-codes.js';
import type { Preview } from './preview-items.js';

/** An action that changes one row, which must be in a certain state. */
interface RowChange {
  readonly takesTwo?: true;
  readonly subjectType: string;
  /**
   * The query that checks the state; `$1` is the subject's id. The action is possible if the query
   * returns a row, which may have an amount in minor units with its currency.
   */
  readonly check: string;
  readonly change: string;
  /** Further values of the statement `change`, from `$2` on. */
  readonly values: (asked: Asked) => readonly unknown[];
  readonly missing: Rejection;
  /** The effect for the preview. Throws a `Rejection` for an invalid value. */
  readonly effect: (asked: Asked, row: Checked) => Partial<Preview>;
}

/** A row that the query `check` has returned. */
interface Checked {
  readonly amountMinor?: number;
  readonly currency?: string;
}

const rowAction = (pool: Pool, parts: RowChange): Action => ({
  takesTwo: parts.takesTwo ?? false,
  subjectOf: ({ subjectId }) => ({ type: parts.subjectType, id: subjectId }),
  preview: async (asked) => {
    const { rows } = await pool.query<Checked>(parts.check, [asked.target.subjectId]);
    const [row] = rows;
    if (row === undefined) throw parts.missing;
    return { ...NOTHING, ...parts.effect(asked, row) };
  },
  executedAs: 'rows',
  execute: async (asked, client) => {
    const values = [asked.target.subjectId, ...parts.values(asked)];
    const { rowCount } = await client.query(parts.change, values);
    if (rowCount === 0) throw parts.missing;
  },
});

/**
 * The condition for webhooks that were processed or failed. A subject id that is not a number
 * matches no webhook.
 */
const TRIED_WEBHOOK = `id::text = $1 AND (handled_at IS NOT NULL OR tries > 0)`;

/**
 * How many days back a poll of the status history may start. The poll sends at least one request
 * for each day up to today.
 */
const MAX_DAYS_BACK = 400;

/** The number of days to poll, from the requested day on. Throws `Rejection('invalid_day')`. */
const daysFrom = ({ target: { fromDay } }: Asked, clock: Clock): number => {
  if (fromDay === undefined) return 0;
  const days = (Date.parse(parisDay(clock.now())) - Date.parse(parseDay(fromDay))) / DAY_MS;
  if (days >= 0 && days <= MAX_DAYS_BACK) return days + 1;
  throw new Rejection(
    'invalid_day',
    `the first day must not be in the future, and at most ${MAX_DAYS_BACK} days ago`,
  );
};

const historyFrom = (asked: Asked, clock: Clock): Partial<Preview> => {
  const days = daysFrom(asked, clock);
  const { fromDay: day } = asked.target;
  const follow: Follow =
    day === undefined ? { code: 'history_read' } : { code: 'history_read_from', day, days };
  return { follows: [follow], notes: [{ code: 'known_changes_nothing' }] };
};

/** Repairs that make the workers repeat a poll or a read, or that close a reconciliation break. */
export const rowActions = (pool: Pool, clock: Clock) => ({
  close_exception: rowAction(pool, {
    // A second person must approve, because a closed break is not examined any more: one person
    // alone could hide a theft.
    takesTwo: true,
    subjectType: 'exception',
    check: `SELECT ${atRiskMinor('x')}::float8 AS "amountMinor", x.currency
              FROM reconciliation_exceptions x WHERE x.exception_id = $1 AND x.closed_at IS NULL`,
    change: `UPDATE reconciliation_exceptions SET closed_at = $2, closed_by = $3, close_reason = $4
              WHERE exception_id = $1 AND closed_at IS NULL`,
    values: ({ actor, reason }) => [clock.now(), actor, reason],
    missing: new Rejection('entity_not_found', 'no open reconciliation break with this id'),
    effect: (_, { amountMinor = 0, currency = '' }) => ({
      notes: [{ code: 'amount_concerned', amountMinor, currency }, { code: 'exception_closed' }],
    }),
  }),
  poll_history: rowAction(pool, {
    subjectType: 'history',
    check: 'SELECT FROM history_watermarks WHERE mode = $1',
    change: `UPDATE history_watermarks
                SET watermark = least(watermark, coalesce($3::date, watermark)), next_round_at = $2,
                    updated_at = clock_timestamp()
              WHERE mode = $1`,
    values: ({ target }) => [clock.now(), target.fromDay ?? null],
    missing: new Rejection(
      'entity_not_found',
      'the status history of this mode has never been polled',
    ),
    effect: (asked) => historyFrom(asked, clock),
  }),
  poll_account: rowAction(pool, {
    subjectType: 'account',
    check: `SELECT FROM jobs WHERE kind = 'account.payments' AND key = $1`,
    change: `UPDATE jobs SET due_at = least(due_at, $2)
              WHERE account_id = $1 AND state = 'waiting'
                AND kind = ANY ('{account.payments,account.payouts,account.refunds,account.disputes,
                                  account.reconcile,payout.read,payout.lines}')`,
    values: () => [clock.now()],
    missing: new Rejection('entity_not_found', 'this account is not polled'),
    effect: () => ({ follows: [{ code: 'account_read' }] }),
  }),
  reprocess_webhook: rowAction(pool, {
    subjectType: 'webhook',
    check: `SELECT FROM webhooks_received WHERE ${TRIED_WEBHOOK}`,
    change: `UPDATE webhooks_received
                SET handled_at = NULL, tries = 0, note = 'queued for reprocessing'
              WHERE ${TRIED_WEBHOOK}`,
    values: () => [],
    missing: new Rejection('entity_not_found', 'no webhook with this id has been processed'),
    effect: () => ({ follows: [{ code: 'webhook_read' }] }),
  }),
});
