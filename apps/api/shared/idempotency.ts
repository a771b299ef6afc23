import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import {
  AlreadyAnswered,
  EventStore,
  ReservationTaken,
  type StepBuilder,
  type StoredAnswer,
} from '#log';
import { Rejection } from '#kernel';
import { type AssertHeld, Problem, SessionLocks, Slots } from '#platform';
import { isProviderError } from '#psp';
import type { Answer } from './answer.js';
import { type ChangeRequest, metadataOf } from './change-request.js';
import { problem, tooManyAtOnce } from './error-codes.js';

type Known = Pick<StoredAnswer, 'fingerprint' | 'status' | 'body'>;

/**
 * The maximum number of requests that hold a lock and call the provider at the same time; further
 * requests wait. Each lock needs a database connection (see docs/configuration.md).
 */
const ACTING_AT_ONCE = 4;
/** The maximum number of these requests of one platform: a lock is left for the others. */
const OF_PLATFORM_AT_ONCE = ACTING_AT_ONCE - 1;

const inFlight = (): Problem => problem('request_in_progress', { headers: { 'retry-after': '1' } });

const replay = <Body>(request: ChangeRequest, known: Known): Answer<Body> => {
  if (known.fingerprint !== request.fingerprint) throw problem('idempotency_key_reused');
  return { status: known.status, body: known.body as Body, replayed: true };
};

/**
 * Executes each request only once. The response is stored in the same commit as the request's
 * events, and the commit itself detects the response of an earlier execution, so no read is needed
 * before.
 */
@Injectable()
export class Idempotency {
  private readonly inFlight = new Set<string>();
  private readonly locks: SessionLocks;
  /** The requests that hold a lock or wait for one. */
  private readonly acting = new Slots(Infinity, OF_PLATFORM_AT_ONCE);

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly store: EventStore,
  ) {
    this.locks = new SessionLocks(pool, ACTING_AT_ONCE);
  }

  /**
   * Returns a step that changes the resource `id` and stores the returned body as the request's
   * response.
   */
  step<Body>(
    request: ChangeRequest,
    id: string,
    status: number,
    work: (step: StepBuilder) => Body | Promise<Body>,
  ): Promise<Answer<Body>> {
    const { caller, key, fingerprint } = request;
    return this.store.step(metadataOf(id, request), async (step) => {
      const answer = { status, body: await work(step) };
      step.answered({ platformId: caller.platformId, key, fingerprint, ...answer });
      return answer;
    });
  }

  /**
   * Runs `work`, which stores a response under the request's key in its commit, and returns this
   * response. A repetition gets the stored response.
   */
  async withReplay<Body>(
    request: ChangeRequest,
    work: () => Promise<Answer<Body>>,
  ): Promise<Answer<Body>> {
    const name = `${request.caller.platformId} ${request.key}`;
    if (this.inFlight.has(name)) throw inFlight();
    this.inFlight.add(name);
    try {
      return await work();
    } catch (error) {
      if (error instanceof AlreadyAnswered) return replay(request, error);
      const known = mayBeRepetition(error) ? await this.find(request) : null;
      if (known === null) throw error;
      return replay(request, known);
    } finally {
      this.inFlight.delete(name);
    }
  }

  /**
   * Runs `work` that has an effect before its commit, e.g. at the provider. The key is locked for
   * all processes until the commit. Under the lock, a read finds an earlier execution with the key,
   * so that neither a repetition nor a different request with the key has an effect. The lock may
   * be lost to another process, so `work` calls `assertHeld` directly before it causes the effect.
   * `check` throws if the request cannot succeed, before it takes one of the few locks. Throws
   * `Problem` 429 if the platform has too many of these requests in progress.
   */
  withLock<Body>(
    request: ChangeRequest,
    work: (assertHeld: AssertHeld) => Promise<Answer<Body>>,
    check: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<Answer<Body>> {
    return this.withReplay(request, async () => {
      await check();
      const { platformId } = request.caller;
      if (!this.acting.hasRoom(platformId)) throw tooManyAtOnce();
      const release = this.acting.take(platformId);
      try {
        return await this.underLock(request, work);
      } finally {
        release();
      }
    });
  }

  private async underLock<Body>(
    request: ChangeRequest,
    work: (assertHeld: AssertHeld) => Promise<Answer<Body>>,
  ): Promise<Answer<Body>> {
    const name = `idempotency ${request.caller.platformId} ${request.key}`;
    const held = await this.locks.hold(name, async (assertHeld) => {
      await this.mustBeNew(request);
      return work(assertHeld);
    });
    if (held === null) throw inFlight();
    return held.result;
  }

  /**
   * Runs `work` that takes too long for a lock but can undo its effect. Of two concurrent
   * executions in different processes, the second commit throws `AlreadyAnswered`; `work` then
   * undoes its effect and rethrows.
   */
  withCompensation<Body>(
    request: ChangeRequest,
    work: () => Promise<Answer<Body>>,
  ): Promise<Answer<Body>> {
    return this.withReplay(request, async () => {
      await this.mustBeNew(request);
      return work();
    });
  }

  private async mustBeNew(request: ChangeRequest): Promise<void> {
    const known = await this.find(request);
    if (known !== null) throw new AlreadyAnswered(known.fingerprint, known.status, known.body);
  }

  /** Finds the stored response of this key. */
  private async find({ caller, key }: ChangeRequest): Promise<Known | null> {
    const { rows } = await this.pool.query<Known>({
      name: 'idempotency-key',
      text: `SELECT fingerprint, status, body FROM idempotency_keys
              WHERE platform_id = $1 AND key = $2`,
      values: [caller.platformId, key],
    });
    return rows[0] ?? null;
  }
}

/**
 * Whether a request refused for this reason may be the repetition of a request that was accepted.
 */
const mayBeRepetition = (error: unknown): boolean =>
  error instanceof Rejection ||
  error instanceof ReservationTaken ||
  error instanceof Problem ||
  isProviderError(error);
