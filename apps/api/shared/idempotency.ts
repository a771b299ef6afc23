import { Inject, Injectable } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { Pool } from 'pg';
import { AlreadyAnswered, ReservationTaken, type StoredAnswer } from '#log';
import { Rejection } from '#kernel';
import { type AssertHeld, Problem, SessionLocks } from '#platform';
import { isProviderError } from '#psp';
import type { IdempotentRequest } from './idempotency-key.js';

/** An answer to a request, and whether it is the one given before. */
export interface Answer<Body = unknown> {
  readonly status: number;
  readonly body: Body;
  readonly replayed: boolean;
}

type Outcome<Body> = Promise<{
  readonly status: number;
  readonly body: Body;
  /** Set where the work found that it had been done before, though no answer was known. */
  readonly replayed?: boolean;
}>;

type Known = Pick<StoredAnswer, 'fingerprint' | 'status' | 'body'>;

/**
 * Acting at the provider is rare; more at once than this wait for each other. Each has a connection;
 * docs/configuration.md counts them.
 */
const ACTING_AT_ONCE = 4;

const inFlight = (): Problem =>
  new Problem(
    409,
    'request_in_flight',
    'a request with this Idempotency-Key is being carried out: repeat it shortly',
    { headers: { 'retry-after': '1' } },
  );

const replay = <Body>(request: IdempotentRequest, known: Known): Answer<Body> => {
  if (known.fingerprint !== request.fingerprint) {
    throw new Problem(
      422,
      'idempotency_key_reused',
      'this Idempotency-Key was used for another request: send a new one',
      { errors: [{ detail: 'was used for another request', parameter: 'Idempotency-Key' }] },
    );
  }
  return { status: known.status, body: known.body as Body, replayed: true };
};

/**
 * Carries a request out once. Nothing is read beforehand: the answer commits in the same step as
 * its events, and the commit itself finds that there is one already.
 */
@Injectable()
export class Idempotency {
  private readonly inFlight = new Set<string>();
  private readonly locks: SessionLocks;

  constructor(@Inject(Pool) private readonly pool: Pool) {
    this.locks = new SessionLocks(pool, ACTING_AT_ONCE);
  }

  /** `work` commits the answer under the request's key and returns it. */
  once<Body>(request: IdempotentRequest, work: () => Outcome<Body>): Promise<Answer<Body>> {
    return this.alone(request, work);
  }

  /**
   * For work that acts before it commits, e.g. at the provider: asks first whether it was carried
   * out, so that neither a repetition nor another request under its key acts at all. The key is
   * locked from the question to the commit, for all processes. A lock that is lost meanwhile may be
   * another's: the work asks `assertHeld` directly before it acts.
   */
  onceBeforeActing<Body>(
    request: IdempotentRequest,
    work: (assertHeld: AssertHeld) => Outcome<Body>,
  ): Promise<Answer<Body>> {
    return this.alone(request, async () => {
      const name = `idempotency ${request.platformId} ${request.key}`;
      const held = await this.locks.hold(name, async (assertHeld) => {
        await this.mustBeNew(request);
        return work(assertHeld);
      });
      if (held === null) throw inFlight();
      return held.result;
    });
  }

  /**
   * For work that acts for so long that no lock may be held, and that can take back what it did:
   * asks first, and of two at once in different processes the later commit throws `AlreadyAnswered`,
   * for which `work` takes its part back and throws it on.
   */
  onceOrTakenBack<Body>(
    request: IdempotentRequest,
    work: () => Outcome<Body>,
  ): Promise<Answer<Body>> {
    return this.alone(request, async () => {
      await this.mustBeNew(request);
      return work();
    });
  }

  private async mustBeNew(request: IdempotentRequest): Promise<void> {
    const known = await this.find(request);
    if (known !== null) throw new AlreadyAnswered(known.fingerprint, known.status, known.body);
  }

  private async alone<Body>(
    request: IdempotentRequest,
    work: () => Outcome<Body>,
  ): Promise<Answer<Body>> {
    const name = `${request.platformId} ${request.key}`;
    if (this.inFlight.has(name)) throw inFlight();
    this.inFlight.add(name);
    try {
      return { replayed: false, ...(await work()) };
    } catch (error) {
      if (error instanceof AlreadyAnswered) return replay(request, error);
      const known = mayBeRepetition(error) ? await this.find(request) : null;
      if (known === null) throw error;
      return replay(request, known);
    } finally {
      this.inFlight.delete(name);
    }
  }

  /** The answer given under this key. */
  private async find({ platformId, key }: IdempotentRequest): Promise<Known | null> {
    const { rows } = await this.pool.query<Known>({
      name: 'idempotency-key',
      text: `SELECT fingerprint, status, body FROM idempotency_keys
              WHERE platform_id = $1 AND key = $2`,
      values: [platformId, key],
    });
    return rows[0] ?? null;
  }
}

/** What is refused now, here or by the provider, may have been accepted the first time. */
const mayBeRepetition = (error: unknown): boolean =>
  error instanceof Rejection ||
  error instanceof ReservationTaken ||
  error instanceof Problem ||
  isProviderError(error);

/** Writes an answer's status and marks; returns the body for the handler to return. */
export const send = <Body>(reply: FastifyReply, answer: Answer<Body>): Body => {
  reply.code(answer.status);
  if (answer.replayed) reply.header('idempotency-replayed', 'true');
  return answer.body;
};
