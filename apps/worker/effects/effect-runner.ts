import { assert, AssertionFailed, type Clock, plusMs, Rejection } from '#kernel';
import { type EventMetadata, type EventStore, StepSuperseded } from '#event-store';
import { type Payment, paymentAggregate, type ProviderCall } from '#payment';
import { isProviderError, type PaymentClient } from '#provider';
import type { Logger } from '#platform';
import { cancel } from './cancel.js';
import { capture } from './capture.js';
import { createIntent } from './create-intent.js';
import { debitMandate } from './debit-mandate.js';
import {
  ClaimLapsed, type Effect, type EffectJob, type EffectOutcome, stuck,
} from './effect-job.js';
import type { EffectQueue } from './effect-queue.js';
import { HeldClaims } from './held-claims.js';
import { waitAfterTry } from './look-schedule.js';
import { outcomeOfProviderError } from './provider-failure.js';
import { refund } from './refund.js';

const EFFECTS: Readonly<Record<ProviderCall, Effect>> = {
  create_intent: createIntent,
  debit_mandate: debitMandate,
  capture,
  cancel,
  refund,
};

const isKnown = (kind: string): kind is ProviderCall => Object.hasOwn(EFFECTS, kind);

const MAX_NOTE = 500;

export interface EffectRunnerParts {
  readonly store: EventStore;
  readonly queue: EffectQueue;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The payment API with the account's key; null when the account is not there. */
  readonly clientOf: (accountId: string) => Promise<PaymentClient | null>;
  /** Told after the commit, for the metrics. */
  readonly onEnded?: (kind: string, state: 'done' | 'waiting' | 'stuck') => void;
}

/** SQLSTATE class 22: what the provider showed is no text or number that the database takes. */
const isUnstorable = (error: Error): boolean =>
  'code' in error && typeof error.code === 'string' && /^22\w{3}$/.test(error.code);

const isFinal = (error: unknown): error is Error =>
  error instanceof AssertionFailed || error instanceof Rejection ||
  (error instanceof Error && isUnstorable(error));

/** NUL and half a surrogate pair, which a cut may leave, are in no database text. */
const UNSTORABLE = /[\p{Surrogate}\0]/gu;

const storable = (note: string): string =>
  note.slice(0, MAX_NOTE).replace(UNSTORABLE, '\u{FFFD}');

interface Loaded {
  readonly job: EffectJob;
  readonly payment: Payment;
  readonly metadata: EventMetadata;
}

/**
 * Runs effect jobs: the claim has committed `calling`; then the call; then what it showed and what
 * becomes of the job, in one step. Whatever happens between, the job is found and looked up.
 */
export class EffectRunner {
  private readonly claims: HeldClaims;

  constructor(private readonly parts: EffectRunnerParts) {
    const { queue, logger } = parts;
    this.claims = new HeldClaims(
      (jobs) => queue.extend(jobs),
      (err) => logger.warn({ err }, 'claims could not be extended'),
    );
  }

  async claim(limit: number): Promise<readonly EffectJob[]> {
    const claimedAtMs = performance.now();
    const jobs = await this.parts.queue.claim(this.parts.clock.now(), limit);
    for (const job of jobs) this.claims.add(job, claimedAtMs);
    return jobs;
  }

  /** Rejects when the database fails: the claim then lapses, and the job is looked up. */
  async run(job: EffectJob): Promise<void> {
    try {
      const { state: payment } = await this.parts.store.load(paymentAggregate, job.subjectId);
      const correlationId = payment.status === 'none' ? job.subjectId : payment.terms.orderId;
      const loaded: Loaded = {
        job, payment,
        metadata: {
          correlationId, causationId: job.jobId, actor: 'provider', traceparent: null,
        },
      };
      await this.commit(loaded, await this.outcome(loaded));
    } catch (error) {
      if (!(error instanceof StepSuperseded) && !(error instanceof ClaimLapsed)) throw error;
      this.parts.logger.warn({ jobId: job.jobId, err: error }, 'the job went to another worker');
    } finally {
      this.claims.remove(job);
    }
  }

  stop(): void {
    this.claims.stop();
  }

  private async outcome({ job, payment }: Loaded): Promise<EffectOutcome> {
    const { clientOf, clock } = this.parts;
    const client = await clientOf(job.accountId);
    try {
      assert(payment.status !== 'none', 'a call is made for a payment that exists');
      assert(isKnown(job.kind), `the kind of call '${job.kind}' is known`);
      assert(client !== null, `the provider account ${job.accountId} exists`);
      return await EFFECTS[job.kind]({
        job, payment, client,
        stillHeld: () => this.claims.assertHeld(job),
        now: () => clock.now(),
      });
    } catch (error) {
      if (error instanceof ClaimLapsed) throw error;
      if (isProviderError(error)) return outcomeOfProviderError(error);
      this.parts.logger.error({ jobId: job.jobId, kind: job.kind, err: error }, 'a call is stuck');
      return stuck(error instanceof Error ? error.message : String(error));
    }
  }

  private async commit(loaded: Loaded, outcome: EffectOutcome): Promise<void> {
    try {
      await this.commitStep(loaded, outcome);
    } catch (error) {
      if (!isFinal(error)) throw error;
      // What the provider shows cannot be taken in: a bug, or nothing we can decide on or store.
      const { job } = loaded;
      this.parts.logger.error({ jobId: job.jobId, kind: job.kind, err: error }, 'a call is stuck');
      await this.commitStep(loaded, stuck(error.message));
    }
  }

  private async commitStep(loaded: Loaded, { commands, next, note }: EffectOutcome): Promise<void> {
    const { store, clock, logger } = this.parts;
    const { job, metadata } = loaded;
    const { jobId, claim } = job;
    const waitMs = next.state === 'waiting' ? waitAfterTry(job.tries) : null;
    const state = next.state === 'waiting' && waitMs === null ? 'stuck' : next.state;
    const dueAt = next.state === 'waiting' && waitMs !== null
      ? plusMs(clock.now(), Math.max(waitMs, next.afterMs)) : null;
    await store.step(metadata, async (step) => {
      for (const command of commands) await step.execute(paymentAggregate, job.subjectId, command);
      step.effectEnded({ jobId, claim, state, dueAt, note: storable(note) });
    });
    const level = state === 'stuck' ? 'error' : state === 'waiting' ? 'warn' : 'debug';
    logger[level]({ jobId, kind: job.kind, subjectId: job.subjectId, state, note }, 'a call ended');
    this.parts.onEnded?.(job.kind, state);
  }
}
