import type { CallFamily, CallJob } from '#jobs';
import { assert, type Clock } from '#kernel';
import type { EventStore } from '#log';
import type { HeldDebit } from '#operations';
import {
  INTENT_SCOPE,
  type LostTime,
  type Payment,
  paymentAggregate,
  type ProviderCall,
} from '#payment';
import type { Capabilities, Payments } from '#psp';
import { outcomeOfRead } from '../provider-failure.js';
import { cancel } from './cancel.js';
import { capture, maxBackoffForCapture } from './capture.js';
import { createIntent } from './create-intent.js';
import { debitMandate } from './debit-mandate.js';
import type { Effect } from './payment-effect.js';
import { refund } from './refund.js';

const EFFECTS: Readonly<Record<ProviderCall, Effect>> = {
  create_intent: createIntent,
  debit_mandate: debitMandate,
  capture,
  cancel,
  refund,
};

const isKnown = (kind: string): kind is ProviderCall => Object.hasOwn(EFFECTS, kind);

export interface PaymentEffectsParts {
  readonly store: EventStore;
  /** Returns the provider's client with the account's key; null when the account does not exist. */
  readonly clientOf: (accountId: string) => Promise<Payments | null>;
  /** Returns the capabilities of the account's provider. */
  readonly capabilitiesOf: (accountId: string) => Promise<Capabilities | null>;
  readonly clock: Clock;
  /** Returns the periods whose events a database restore has lost. */
  readonly lostTimes: () => Promise<readonly LostTime[]>;
  readonly heldDebitOf: (paymentId: string, payment: Payment) => Promise<HeldDebit>;
}

/**
 * The id of the refund request that the job sends. It is read from the event that requested the
 * job: the payment's open refund request may be a later one, which has its own job.
 */
const refundRequestOf = async (
  store: EventStore,
  { jobId, subjectId: streamId }: CallJob,
): Promise<string> => {
  const events = await store.readStreams([{ streamType: 'payment', streamId }]);
  const requestId = events.find(({ eventId }) => eventId === jobId)?.data['requestId'];
  assert(typeof requestId === 'string', 'a refund request is the cause of the job that sends it');
  return requestId;
};

/** The provider calls of payments, each with the key of the payment's account. */
export const paymentEffects = ({
  store,
  clientOf,
  capabilitiesOf,
  clock,
  lostTimes,
  heldDebitOf,
}: PaymentEffectsParts): CallFamily => ({
  kinds: Object.keys(EFFECTS),
  outcomeOf: outcomeOfRead,
  traceparentOf: async ({ subjectId, subjectVersion }) =>
    (await store.loadRecent(paymentAggregate, subjectId, subjectVersion)).traceparent,
  load: async (job) => {
    const { kind, subjectId, subjectVersion, accountId } = job;
    const { state: payment } = await store.loadRecent(paymentAggregate, subjectId, subjectVersion);
    const client = await clientOf(accountId);
    const capabilities = await capabilitiesOf(accountId);
    const lost = kind === 'refund' ? await lostTimes() : [];
    const held = kind === 'debit_mandate' ? await heldDebitOf(subjectId, payment) : null;
    return {
      correlationId: payment.status === 'none' ? subjectId : payment.terms.orderId,
      make: async (tools) => {
        assert(payment.status !== 'none', 'a call is made for a payment that exists');
        const isThere = client !== null && capabilities !== null;
        assert(isThere, `the provider account ${accountId} exists`);
        assert(isKnown(kind), 'each call of a payment has a handler');
        const refundRequestId = kind === 'refund' ? await refundRequestOf(store, job) : null;
        const context = { ...tools, payment, client, capabilities, lost, refundRequestId, held };
        const { commands, next, note } = await EFFECTS[kind](context);
        return {
          next,
          note,
          record: async (step) => {
            for (const one of commands) await step.execute(paymentAggregate, subjectId, one);
          },
        };
      },
      maxBackoffMs: kind === 'capture' ? maxBackoffForCapture(payment, clock.now()) : null,
      recordTaken: async (step, { scope, key: intentId }) => {
        if (scope !== INTENT_SCOPE) return;
        await step.execute(paymentAggregate, subjectId, {
          type: 'NoteTakenIntent',
          intentId,
          at: clock.now(),
        });
      },
      recordStuck: async (step) => {
        if (!isKnown(kind) || payment.status === 'none') return;
        await step.execute(paymentAggregate, subjectId, {
          type: 'NoteUnknownOutcome',
          call: kind,
          at: clock.now(),
        });
      },
    };
  },
});
