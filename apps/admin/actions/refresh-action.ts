import type { Pool } from 'pg';
import { type Clock, Rejection } from '#kernel';
import { stepOnce, type StepOnceParts } from '#operations';
import { exists, type Observation, paymentAggregate, readPayment } from '#payment';
import type { PaymentClient } from '#provider';
import { type Action, type Asked, NOTHING, previewOf } from './action.js';
import { orderOf } from './money-actions.js';

export interface LookParts extends StepOnceParts {
  readonly clock: Clock;
  /** Null when the account is not there. */
  readonly clientOf: (accountId: string) => Promise<PaymentClient | null>;
}

/** Takes in what the provider shows of a payment now. Throws a `ProviderError` too. */
export const refreshAction = ({ pool, store, clock, clientOf }: LookParts): Action => {
  const observe = async ({ target }: Asked): Promise<Observation> => {
    const { state } = await store.load(paymentAggregate, target.subjectId);
    if (!exists(state)) throw new Rejection('no_intent', 'the payment has no intent to be read');
    const client = await clientOf(state.terms.accountId);
    if (client === null) throw new Rejection('no_account', 'the account is not there');
    return readPayment(client, state.intentId);
  };
  const metadataOf = async (asked: Asked) => ({
    correlationId: await orderOf(store)(asked), causationId: asked.id, actor: asked.actor,
    traceparent: null,
  });
  return {
    movesMoney: false,
    subjectOf: ({ subjectId }) => ({ type: 'payment', id: subjectId }),
    preview: async (asked) => {
      const metadata = await metadataOf(asked);
      const observation = await observe(asked);
      const step = await store.preview(metadata, (one) =>
        one.execute(paymentAggregate, asked.target.subjectId, {
          type: 'ObservePayment', observation, at: clock.now(),
        }));
      const preview = previewOf(step, `the provider shows ${observation.intent.status}`);
      return { ...preview, calls: ['the intent and its details are read', ...preview.calls] };
    },
    carriedOutAs: 'step',
    execute: (asked) =>
      stepOnce({ pool, store }, asked.id, async () => {
        const metadata = await metadataOf(asked);
        const observation = await observe(asked);
        return {
          metadata, outcome: { status: observation.intent.status },
          work: (step) => step.execute(paymentAggregate, asked.target.subjectId, {
            type: 'ObservePayment', observation, at: clock.now(),
          }),
        };
      }),
  };
};

/** The one row that is changed by a statement, or not there in that state. */
interface RowChange {
  readonly subjectType: string;
  /** `$1` is the subject's id; a row: it can be done. */
  readonly check: string;
  readonly change: string;
  /** More values of the statement `change`, from `$2` on. */
  readonly values: (asked: Asked) => readonly unknown[];
  readonly missing: Rejection;
  readonly note: string;
}

const rowAction = (pool: Pool, parts: RowChange): Action => ({
  movesMoney: false,
  subjectOf: ({ subjectId }) => ({ type: parts.subjectType, id: subjectId }),
  preview: async ({ target }) => {
    const { rowCount } = await pool.query(parts.check, [target.subjectId]);
    if (rowCount === 0) throw parts.missing;
    return { ...NOTHING, notes: [parts.note] };
  },
  carriedOutAs: 'rows',
  execute: async (asked, client) => {
    const values = [asked.target.subjectId, ...parts.values(asked)];
    const { rowCount } = await client.query(parts.change, values);
    if (rowCount === 0) throw parts.missing;
    return {};
  },
});

/** An id that is no number is no webhook's. */
const WEBHOOK = `id::text = $1`;

/** Repairs that ask the workers to look again, or close what was looked at. */
export const rowActions = (pool: Pool, clock: Clock) => ({
  close_exception: rowAction(pool, {
    subjectType: 'exception',
    check: 'SELECT FROM reconciliation_exceptions WHERE exception_id = $1 AND closed_at IS NULL',
    change: `UPDATE reconciliation_exceptions SET closed_at = $2, closed_by = $3, close_reason = $4
              WHERE exception_id = $1 AND closed_at IS NULL`,
    values: ({ actor, reason }) => [clock.now(), actor, reason],
    missing: new Rejection('entity_not_found', 'there is no such open exception'),
    note: 'the exception is closed; facts that come later may open another one',
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
    note: 'a worker reads the status history again from that day; what is known changes nothing',
  }),
  poll_account: rowAction(pool, {
    subjectType: 'account',
    check: 'SELECT FROM account_tasks WHERE account_id = $1 LIMIT 1',
    change: `UPDATE account_tasks SET due_at = least(due_at, $2) WHERE account_id = $1`,
    values: () => [clock.now()],
    missing: new Rejection('entity_not_found', 'nothing is read in the background for it'),
    note: 'a worker reads its payouts and disputes now, and reconciles',
  }),
  reprocess_webhook: rowAction(pool, {
    subjectType: 'webhook',
    check: `SELECT FROM webhooks_received WHERE ${WEBHOOK} AND handled_at IS NOT NULL`,
    change: `UPDATE webhooks_received
                SET handled_at = NULL, claimed_until = NULL, tries = 0, note = 'to be handled again'
              WHERE ${WEBHOOK} AND handled_at IS NOT NULL`,
    values: () => [],
    missing: new Rejection('entity_not_found', 'there is no such handled webhook'),
    note: 'a worker reads from the provider what the webhook is about',
  }),
});
