import type { Pool } from 'pg';
import { type EventStore, untraced } from '#log';
import { assert, type Clock } from '#kernel';
import { type ProviderAccounts } from '#psp';
import { firstRow } from '#platform';
import { captureIdOf, requestIdOf, type ResolveResult, type StepOnceParts } from '#operations';
import { orderAggregate } from '#order';
import { paymentAggregate } from '#payment';
import { aboutOrder, aboutPayment, captureOf, partOfCall, refundOf } from './about.js';
import { type Action, type ActionKind, previewOf, type Target } from './action.js';
import { notFound, orderOf } from './correlation.js';
import { stepAction } from './step-action.js';
import type { Note } from './preview-codes.js';
import type { Preview } from './preview-items.js';

/**
 * The refunds of the payment requested within the last day. The preview shows them, because the
 * user may not know of an earlier request for the same refund.
 */
const refundsLately = async (pool: Pool, paymentId: string): Promise<readonly Note[]> => {
  const lately = await firstRow<{ count: number }>(
    pool,
    `SELECT count(*)::int AS count FROM admin_actions
      WHERE kind = 'refund' AND status = 'done' AND subject_id = $1
        AND ended_at > now() - interval '1 day'`,
    [paymentId],
  );
  const count = lately?.count ?? 0;
  return count === 0 ? [] : [{ code: 'recent_refunds', count }];
};

/** The actions whose target may have no amount: then they affect all that remains. */
const OF_REMAINDER: readonly ActionKind[] = ['capture', 'refund'];

/**
 * The target with the previewed amount. The amount that remains may change until the execution, but
 * an action never affects another amount than its preview.
 */
export const withAmount = (kind: ActionKind, target: Target, { about }: Preview): Target =>
  target.amountMinor === undefined && about !== null && OF_REMAINDER.includes(kind)
    ? { ...target, amountMinor: about.amountMinor }
    : target;

/** Captures, cancellations and refunds, as a platform can request them. */
export const moneyActions = (
  log: StepOnceParts,
  clock: Clock,
  accounts: Pick<ProviderAccounts, 'capabilitiesOf' | 'mustHave'>,
) => ({
  capture: stepAction(log, {
    takesTwo: true,
    subjectType: 'payment',
    correlationOf: orderOf(log.store),
    about: ({ target: { subjectId, amountMinor } }) =>
      aboutPayment(log.store, subjectId, captureOf(amountMinor)),
    work: async (step, asked) => {
      const at = clock.now();
      const { subjectId, amountMinor = null, isFinal = false } = asked.target;
      const payment = await step.load(paymentAggregate, subjectId);
      if (payment.status === 'none') throw notFound('payment');
      const can = await accounts.capabilitiesOf(payment.terms.accountId);
      assert(can !== null, 'the account of a payment is never deleted');
      await step.execute(paymentAggregate, subjectId, {
        type: 'RequestCapture',
        captureId: captureIdOf(asked),
        by: 'platform',
        part: { amountMinor, can, isFinal },
        at,
      });
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
      const order = await step.load(orderAggregate, target.subjectId);
      if (order.status === 'not_placed') throw notFound('order');
      await accounts.mustHave(order.terms.accountId, 'cancelableUntil');
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
        type: 'RequestRefund',
        requestId: requestIdOf(asked),
        amountMinor,
        reference: null,
        reason: null,
        at: clock.now(),
      });
    },
  }),
});

/** Resolves the result of a failed provider request from the state that the provider shows. */
export const resolveAction = (store: EventStore, resolve: ResolveResult): Action => ({
  takesTwo: true,
  subjectOf: ({ subjectId }) => ({ type: 'job', id: subjectId }),
  preview: async ({ target: { subjectId, refundIs = 'ours' }, actor, id }) => {
    const { kind, paymentId, outcome, evidence, commands } = await resolve.preview(subjectId, {
      id,
      refundIs,
    });
    const { state: payment } = await store.load(paymentAggregate, paymentId);
    assert(payment.status !== 'none', 'the payment of a provider request exists');
    const { orderId: correlationId } = payment.terms;
    const metadata = untraced(correlationId, id, actor);
    const step = await store.preview(metadata, async (one) => {
      for (const command of commands) await one.execute(paymentAggregate, paymentId, command);
    });
    const about = await aboutPayment(store, paymentId, partOfCall(kind));
    assert(about, 'the payment of a provider request exists');
    const { amountMinor, currency } = about;
    const unpaid: readonly Note[] =
      outcome === 'not_made' ? [{ code: 'payer_not_refunded', amountMinor, currency }] : [];
    const preview = previewOf(
      step,
      about,
      { code: 'resolved_as', intent: evidence.intent, call: kind, outcome },
      ...evidence.refunds.map((refund): Note => ({ code: 'refund_shown', ...refund, currency })),
      ...unpaid,
    );
    return {
      ...preview,
      calls: [{ code: 'intent_read' }, ...preview.calls],
      follows: [{ code: 'later_requests_sent' }],
    };
  },
  executedAs: 'step',
  execute: async ({ id, target, reason, actor }) => {
    const { subjectId, refundIs = 'ours' } = target;
    const order = { id, reason, actor, refundIs };
    const { outcome, evidence, paymentId, requestId } = await resolve.apply(subjectId, order);
    return { outcome, evidence, paymentId, requestId };
  },
});
