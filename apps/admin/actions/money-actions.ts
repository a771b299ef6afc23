import type { Pool } from 'pg';
import type { EventStore } from '#event-store';
import { assert, type Clock, Rejection } from '#kernel';
import type { SettleCall, StepOnceParts } from '#operations';
import { orderAggregate } from '#order';
import { paymentAggregate } from '#payment';
import { aboutOrder, aboutPayment, partOfCall, refundOf } from './about.js';
import { type Action, type Asked, previewOf } from './action.js';
import { stepAction } from './step-action.js';
import type { Note } from './told.js';

const notFound = (what: string): Rejection =>
  new Rejection('entity_not_found', `there is no such ${what}`);

/** The order that a payment is for. Throws `Rejection('entity_not_found')`. */
export const orderOf =
  (store: EventStore) =>
  async ({ target }: Asked): Promise<string> => {
    const { state } = await store.load(paymentAggregate, target.subjectId);
    if (state.status === 'none') throw notFound('payment');
    return state.terms.orderId;
  };

/** Names a refund by the action, so that asking twice is asking once. */
const requestIdOf = ({ id }: Asked): string => `rfr_${id.replace(/^[a-z]+_/, '')}`;

/** The same may be wished for again when the first of them is over: who decides is told. */
const refundsLately = async (pool: Pool, paymentId: string): Promise<readonly Note[]> => {
  const { rows: [lately] } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM admin_actions
      WHERE kind = 'refund' AND status = 'done' AND subject_id = $1
        AND ended_at > now() - interval '1 day'`, [paymentId]);
  const count = lately?.count ?? 0;
  return count === 0 ? [] : [{ code: 'refunds_lately', count }];
};

/** Captures, cancels and refunds, as a platform would ask for them. */
export const moneyActions = (log: StepOnceParts, clock: Clock) => ({
  capture: stepAction(log, {
    takesTwo: true,
    subjectType: 'payment',
    correlationOf: orderOf(log.store),
    about: ({ target }) => aboutPayment(log.store, target.subjectId),
    work: async (step, { target }) => {
      const at = clock.now();
      const command = { type: 'RequestCapture', by: 'platform', at } as const;
      await step.execute(paymentAggregate, target.subjectId, command);
    },
  }),
  cancel: stepAction(log, {
    takesTwo: true,
    subjectType: 'order',
    correlationOf: async ({ target }) => {
      const { state } = await log.store.load(orderAggregate, target.subjectId);
      if (state.status === 'not_placed') throw notFound('order');
      return target.subjectId;
    },
    about: ({ target }) => aboutOrder(log.store, target.subjectId),
    work: async (step, { target }) => {
      const command = { type: 'RequestCancellation', at: clock.now() } as const;
      await step.execute(orderAggregate, target.subjectId, command);
    },
  }),
  refund: stepAction(log, {
    takesTwo: true,
    subjectType: 'payment',
    correlationOf: orderOf(log.store),
    about: ({ target: { subjectId, amountMinor } }) =>
      aboutPayment(log.store, subjectId, refundOf(amountMinor)),
    notes: ({ target }) => refundsLately(log.pool, target.subjectId),
    work: async (step, asked) => {
      const { subjectId, amountMinor = null } = asked.target;
      await step.execute(paymentAggregate, subjectId, {
        type: 'RequestRefund', requestId: requestIdOf(asked), amountMinor, reference: null,
        reason: null, at: clock.now(),
      });
    },
  }),
});

/** Ends a stuck call by what the provider shows of it. */
export const settleAction = (store: EventStore, settle: SettleCall): Action => ({
  takesTwo: true,
  subjectOf: ({ subjectId }) => ({ type: 'job', id: subjectId }),
  preview: async ({ target: { subjectId, refundIs = 'ours' }, actor, id }) => {
    const { kind, paymentId, outcome, evidence, commands } = await settle.look(subjectId, refundIs);
    const { state: payment } = await store.load(paymentAggregate, paymentId);
    assert(payment.status !== 'none', 'a call is made for a payment that exists');
    const { orderId: correlationId } = payment.terms;
    const metadata = { correlationId, causationId: id, actor, traceparent: null };
    const step = await store.preview(metadata, async (one) => {
      for (const command of commands) await one.execute(paymentAggregate, paymentId, command);
    });
    const about = await aboutPayment(store, paymentId, partOfCall(kind));
    assert(about, 'a call is made for a payment that exists');
    const { currency } = about;
    const preview = previewOf(
      step, about, { code: 'settled_as', intent: evidence.intent, call: kind, outcome },
      ...evidence.refunds.map((refund): Note => ({ code: 'refund_shown', ...refund, currency })),
    );
    return {
      ...preview, calls: [{ code: 'intent_read' }, ...preview.calls],
      follows: [{ code: 'later_calls_made' }],
    };
  },
  carriedOutAs: 'step',
  execute: async ({ id, target, reason, actor }) => {
    const { subjectId, refundIs = 'ours' } = target;
    const order = { id, reason, actor, refundIs };
    const { outcome, evidence } = await settle.apply(subjectId, order);
    return { outcome, evidence };
  },
});
