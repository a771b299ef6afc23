import { firstRow } from '#platform';
import type { Pool } from 'pg';
import { assert, type Clock, Rejection } from '#kernel';
import { type EventStore, ReservationTaken, StepSuperseded, untraced } from '#log';
import {
  exists,
  identityMismatch,
  isPastCancel,
  isPastCapture,
  openCapture,
  type Payment,
  paymentAggregate,
  type PaymentCommand,
  type ProviderCall,
} from '#payment';
import type { PaymentFacts, Payments } from '#psp';
import { forgotten, readOrForgotten } from './forgotten-intent.js';
import { heldDebitOf, keepOtherDebit, resolveLostDebit } from './lost-debits.js';
import { lostTimes } from './lost-time.js';
import { type RefundIs, resolveRefund } from './resolve-refund.js';
import { stepOnce } from './step-once.js';
import { StuckCalls } from './stuck-calls.js';
import { mayArrive, undecided } from './undecided.js';

/** How a failed request is resolved, with the provider's state as evidence. */
export interface Resolution {
  readonly jobId: string;
  readonly kind: ProviderCall;
  readonly paymentId: string;
  /** The id of our refund request (`rfr_…`); null if the request is not a refund. */
  readonly requestId: string | null;
  /**
   * The id of a payment at the provider that may already be the requested debit: it has the same
   * mandate, amount and currency, and a database restore has lost its events.
   */
  readonly lostDebit?: string;
  /**
   * `made`, `not_made`: whether the provider has executed the request. `others`: the existing
   * refund or debit is not the result of this request, so the request is sent. `forgotten`: the
   * provider no longer has the intent, so our recorded state decides how the payment ends.
   */
  readonly outcome: 'made' | 'not_made' | 'others' | 'forgotten';
  /** The evidence shown to the operator; no secrets and no payer data. */
  readonly evidence: {
    readonly readAt: string;
    readonly intent: string;
    readonly refunds: readonly { readonly refundId: string; readonly amountMinor: number }[];
  };
  /** The commands that record the resolution, such as `ObservePayment`. */
  readonly commands: readonly PaymentCommand[];
}

/** The result of a resolution, without the commands that recorded it. */
export type Resolved = Omit<Resolution, 'commands'>;

/** A request to resolve a failed provider request. */
export interface ResolveOrder {
  /**
   * The idempotency key of the resolution. The id of a refund that the resolution requests again is
   * derived from it.
   */
  readonly id: string;
  readonly reason: string;
  /** `user:<id>` or `ops:<hash>`. */
  readonly actor: string;
  readonly refundIs: RefundIs;
}

type Decision = Pick<ResolveOrder, 'id' | 'refundIs'>;

interface StuckJob {
  readonly kind: ProviderCall;
  readonly subjectId: string;
  readonly accountId: string;
  /** The id of our refund request (`rfr_…`); null if the request is not a refund. */
  readonly requestId: string | null;
  /** Whether the request was last sent so long ago that it can no longer reach the provider. */
  readonly isQuiet: boolean;
  /** The claim of the job's last run; null: the job was never run. */
  readonly claim: string | null;
}

/** A request that was last sent this long ago, in wall time, can no longer reach the provider. */
const QUIET_MINUTES = 15;

const JOB = `
  SELECT kind, subject_id AS "subjectId", account_id AS "accountId", claim,
         updated_at < clock_timestamp() - interval '${QUIET_MINUTES} minutes' AS "isQuiet",
         (SELECT e.data ->> 'requestId' FROM events e
           WHERE e.stream_type = 'payment' AND e.stream_id = subject_id
             AND e.event_id::text = key) AS "requestId"
    FROM jobs
   WHERE key = $1 AND state = 'stuck' AND subject_id LIKE 'pay\\_%'`;

interface CallOfPayment {
  readonly kind: Exclude<ProviderCall, 'refund'>;
  readonly paymentId: string;
  readonly payment: Payment;
}

const showsWanted = (payment: Payment, { captures = [] }: PaymentFacts['intent']): boolean => {
  if (!exists(payment)) return false;
  const wanted = openCapture(payment.captures);
  return wanted === null || captures.some(({ reference }) => reference === wanted.captureId);
};

/**
 * Whether the intent shows that the request was executed, or that it can never be executed. Refund
 * requests are resolved by another function.
 */
const isShown = ({ kind, payment }: CallOfPayment, { intent, attempts }: PaymentFacts): boolean => {
  switch (kind) {
    case 'create_intent':
      return true;
    case 'debit_mandate':
      return intent.status !== 'open' || (attempts ?? []).length > 0;
    case 'capture':
      return isPastCapture(intent.status) || showsWanted(payment, intent);
    case 'cancel':
      return isPastCancel(intent.status);
  }
};

const isWantedDebit = (kind: ProviderCall, payment: Payment): boolean =>
  kind === 'debit_mandate' &&
  payment.status === 'open' &&
  payment.debit === 'requested' &&
  payment.cancel === null;

/**
 * Resolves a failed request by the state that the provider shows. A request that was executed is
 * recorded. A refund that the provider does not show after the quiet period is recorded as not
 * executed, so that it can be requested again. An operator decides two questions: whether an equal
 * refund was made manually, and whether a debit was lost in a database restore. The request is then
 * sent, or recorded as executed. The resolution is recorded as an ordinary observation; no recorded
 * event is changed.
 */
export class ResolveResult {
  /** `clientOf`: an account's client; null if the account does not exist. */
  constructor(
    private readonly pool: Pool,
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly clientOf: (accountId: string) => Promise<Payments | null>,
  ) {}

  /**
   * Returns the resolution without recording anything. @throws Rejection `not_stuck`, `UNDECIDED`;
   * a `ProviderError`
   */
  async preview(jobId: string, order: Decision): Promise<Resolution> {
    return this.resolution(jobId, await this.job(jobId), order);
  }

  private async resolution(
    jobId: string,
    job: StuckJob,
    { id, refundIs }: Decision,
  ): Promise<Resolution> {
    const { store } = this;
    const { state: payment } = await store.load(paymentAggregate, job.subjectId);
    assert(payment.status !== 'none', 'the payment of the request exists');
    const { kind, subjectId: paymentId } = job;
    const observation = await this.read(job, payment);
    if (observation === 'forgotten') {
      const at = this.clock.now();
      if (!job.isQuiet) throw mayArrive();
      const evidence = { readAt: at, intent: 'no such intent', refunds: [] };
      const { requestId } = job;
      return { jobId, kind, paymentId, requestId, evidence, ...forgotten(payment, job, at) };
    }
    const mismatch =
      payment.status === 'rejected'
        ? null
        : identityMismatch(paymentId, payment, observation.intent);
    if (mismatch !== null) {
      throw undecided('result_not_shown', `the provider shows ${mismatch.observed}`);
    }
    const made =
      kind === 'refund'
        ? resolveRefund(observation, {
            id,
            payment,
            paymentId,
            requestId: job.requestId,
            isQuiet: job.isQuiet,
            refundIs,
            lost: await lostTimes(this.pool, this.clock),
            at: this.clock.now(),
          })
        : await this.shown({ kind, paymentId, payment }, observation, refundIs);
    const { intent, refunds } = observation;
    const beside =
      'lostDebit' in made
        ? `, and ${made.lostDebit} in the period whose events a database restore lost`
        : '';
    return {
      jobId,
      kind,
      paymentId,
      requestId: kind === 'refund' ? job.requestId : null,
      ...made,
      evidence: {
        readAt: this.clock.now(),
        intent: `${intent.intentId} ${intent.status}${beside}`,
        refunds: (refunds ?? []).map(({ refundId, amountMinor }) => ({ refundId, amountMinor })),
      },
    };
  }

  /**
   * Reads the provider and records the resolution, once. The next run of the job then ends the job
   * without sending anything. The commit compares the job: if an operator has retried the request
   * since it was read, a worker may be sending it, and what the provider has shown decides nothing.
   */
  async apply(jobId: string, { id, reason, actor, refundIs }: ResolveOrder): Promise<Resolved> {
    const { store, pool } = this;
    const resolved = await stepOnce<Resolved>({ pool, store }, id, async () => {
      const job = await this.job(jobId);
      const { commands, ...outcome } = await this.resolution(jobId, job, { id, refundIs });
      const { paymentId } = outcome;
      const { state: payment } = await store.load(paymentAggregate, paymentId);
      const correlationId = payment.status === 'none' ? paymentId : payment.terms.orderId;
      const metadata = untraced(correlationId, jobId, actor);
      return {
        metadata,
        outcome,
        work: async (step) => {
          step.compareStuck({ ...job, key: jobId });
          for (const command of commands) await step.execute(paymentAggregate, paymentId, command);
        },
      };
    }).catch((error: unknown) => {
      if (error instanceof StepSuperseded) {
        throw new Rejection(
          'not_stuck',
          'the request was retried while the provider was read: nothing was recorded; resolve the request again if it fails again',
        );
      }
      if (!(error instanceof ReservationTaken)) throw error;
      throw undecided('result_not_shown', 'the provider shows an intent of another payment');
    });
    if (resolved.lostDebit !== undefined && resolved.outcome === 'others') {
      await keepOtherDebit(pool, resolved.lostDebit, resolved.paymentId);
    }
    // Retries the job, which finds nothing left to do, so that later jobs of the payment continue.
    // Does nothing if an operator has retried the job meanwhile.
    await new StuckCalls(pool).releaseIfStuck(jobId, `resolved as ${resolved.outcome}: ${reason}`);
    return resolved;
  }

  private async job(jobId: string): Promise<StuckJob> {
    const job = await firstRow<StuckJob>(this.pool, JOB, [jobId]);
    if (job === undefined) {
      throw new Rejection(
        'not_stuck',
        `no failed provider request of a payment has the id ${jobId}`,
      );
    }
    return job;
  }

  private async read(job: StuckJob, payment: Payment): Promise<PaymentFacts | 'forgotten'> {
    const client = await this.clientOf(job.accountId);
    if (client === null)
      throw new Rejection('no_account', `the provider account ${job.accountId} is missing`);
    if (exists(payment)) return readOrForgotten(client, payment.intentId, job.subjectId);
    const [intent] = await client.findIntents(job.subjectId);
    if (intent === undefined) {
      throw undecided('intent_not_found', 'the provider has no intent of this payment');
    }
    return client.details(intent);
  }

  private async shown(
    call: CallOfPayment,
    observation: PaymentFacts,
    debitIs: RefundIs,
  ): Promise<Pick<Resolution, 'outcome' | 'commands' | 'lostDebit'>> {
    const { kind, paymentId, payment } = call;
    const at = this.clock.now();
    if (!isShown(call, observation)) {
      const held = isWantedDebit(kind, payment)
        ? await heldDebitOf(this.pool, paymentId, payment, at)
        : null;
      if (held === null || held === 'unread') {
        throw undecided('result_not_shown', `the intent shows ${observation.intent.status}`);
      }
      return { ...resolveLostDebit(held, debitIs, at), lostDebit: held.attemptId };
    }
    const commands = [
      { type: 'ObservePayment', paymentId, observation, resolves: kind, at } as const,
    ];
    return { outcome: 'made', commands };
  }
}
