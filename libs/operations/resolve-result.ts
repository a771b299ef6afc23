import { firstRow } from '#platform';
import type { Pool } from 'pg';
import { assert, type Clock, Rejection } from '#kernel';
import { type EventStore, ReservationTaken, untraced } from '#log';
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

/** The provider's current state for a failed request, and the resulting resolution. */
export interface Resolution {
  readonly jobId: string;
  readonly kind: ProviderCall;
  readonly paymentId: string;
  /** The id of the refund's request; null for other requests. */
  readonly requestId: string | null;
  /** The provider's payment in the lost time that equals a held debit. */
  readonly lostDebit?: string;
  /**
   * `others`: the existing object belongs to another request, so ours is sent. `forgotten`: the
   * provider no longer has the intent, so the payment ends according to its recorded state.
   */
  readonly outcome: 'made' | 'not_made' | 'others' | 'forgotten';
  /** The evidence shown to the operator; no secrets and no payer data. */
  readonly evidence: {
    readonly readAt: string;
    readonly intent: string;
    readonly refunds: readonly { readonly refundId: string; readonly amountMinor: number }[];
  };
  /** The commands that record the resolution: `ObservePayment`, like any other observation. */
  readonly commands: readonly PaymentCommand[];
}

/** The result of the resolution. */
export type Resolved = Omit<Resolution, 'commands'>;

/** A request to resolve a failed provider request. */
export interface ResolveOrder {
  /** The idempotency key of the resolution. */
  readonly id: string;
  readonly reason: string;
  /** `user:<id>` or `ops:<hash>`. */
  readonly actor: string;
  readonly refundIs: RefundIs;
}

interface StuckJob {
  readonly kind: ProviderCall;
  readonly subjectId: string;
  readonly accountId: string;
  /** Who made a refund that equals the requested one. */
  readonly requestId: string | null;
  /** Whether no request was sent recently that might still arrive. */
  readonly isQuiet: boolean;
}

/** Minutes of wall time after which no request can still be in progress. */
const QUIET_MINUTES = 15;

const JOB = `
  SELECT kind, subject_id AS "subjectId", account_id AS "accountId",
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

/** Whether the intent shows that a request other than a refund was executed, or never can be. */
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
 * Resolves a failed provider request by the provider's state. An executed request is recorded; a
 * refund that is missing after its quiet period is recorded as not made, so that it can be
 * requested again. Only an operator can decide whether a refund was made manually, or whether a
 * debit is one that a restore lost; the request is then sent or recorded. The log is not edited:
 * the result is an ordinary observation.
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
  async preview(jobId: string, refundIs: RefundIs): Promise<Resolution> {
    const { store } = this;
    const job = await this.job(jobId);
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
    const beside = 'lostDebit' in made ? `, and ${made.lostDebit} of lost time` : '';
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

  /** Reads the provider and records the resolution, once; the job then ends by itself. */
  async apply(jobId: string, { id, reason, actor, refundIs }: ResolveOrder): Promise<Resolved> {
    const { store, pool } = this;
    const resolved = await stepOnce<Resolved>({ pool, store }, id, async () => {
      const { commands, ...outcome } = await this.preview(jobId, refundIs);
      const { paymentId } = outcome;
      const { state: payment } = await store.load(paymentAggregate, paymentId);
      const correlationId = payment.status === 'none' ? paymentId : payment.terms.orderId;
      const metadata = untraced(correlationId, jobId, actor);
      return {
        metadata,
        outcome,
        work: async (step) => {
          for (const command of commands) await step.execute(paymentAggregate, paymentId, command);
        },
      };
    }).catch((error: unknown) => {
      if (!(error instanceof ReservationTaken)) throw error;
      throw undecided('result_not_shown', 'the provider shows an intent of another payment');
    });
    if (resolved.lostDebit !== undefined && resolved.outcome === 'others') {
      await keepOtherDebit(pool, resolved.lostDebit, resolved.paymentId);
    }
    // The job is retried: it finds nothing left to do, and later requests continue. If an operator
    // has released it meanwhile, it has found that already or is about to.
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
