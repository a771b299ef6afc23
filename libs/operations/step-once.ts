import { firstRow, REPAIR_SCOPE } from '#platform';
import type { Pool, PoolClient } from 'pg';
import { Rejection } from '#kernel';
import { AlreadyAnswered, type EventMetadata, type EventStore, type StepBuilder } from '#log';

const DONE = 200;
/**
 * The stored status of an action that was marked failed: no step may be committed under the
 * action's id any more.
 */
const CLOSED = 409;

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const ANSWER = 'SELECT status, body FROM idempotency_keys WHERE platform_id = $1 AND key = $2';

const outcomeOf = <T>({ status, body }: Answer): T => {
  if (status === DONE) return body as T;
  throw new Rejection('marked_failed', 'the action was already marked failed; it was not executed');
};

export interface StepOnceParts {
  readonly pool: Pool;
  readonly store: EventStore;
}

/** A step that is not committed yet, and the outcome (JSON) to return after the commit. */
export interface GatheredStep<T> {
  readonly metadata: EventMetadata;
  readonly work: (step: StepBuilder) => Promise<unknown>;
  readonly outcome: T;
}

/**
 * Commits a step under the id of a repair. If a step was already committed under this id, `gather`
 * is not called (its preconditions no longer hold), and the stored outcome is returned. Throws what
 * `gather` throws, `Rejection('marked_failed')` after `closeStep`, and the errors of
 * `EventStore.step`.
 */
export const stepOnce = async <T>(
  { pool, store }: StepOnceParts,
  id: string,
  gather: () => Promise<GatheredStep<T>>,
): Promise<T> => {
  const before = await firstRow<Answer>(pool, ANSWER, [REPAIR_SCOPE, id]);
  if (before !== undefined) return outcomeOf<T>(before);
  const { metadata, work, outcome } = await gather();
  try {
    await store.step(metadata, async (step) => {
      await work(step);
      step.answered({
        platformId: REPAIR_SCOPE,
        key: id,
        fingerprint: id,
        status: DONE,
        body: outcome,
      });
    });
  } catch (error) {
    if (!(error instanceof AlreadyAnswered)) throw error;
    return outcomeOf<T>(error);
  }
  return outcome;
};

/**
 * From now on the step of the action cannot be committed, not even by a process that is preparing
 * the step: an action that is marked failed must not be executed. Returns the outcome of a step
 * that was committed before, or null. Call this function in the transaction that records the
 * failure.
 */
export const closeStep = async <T>(client: PoolClient, id: string): Promise<T | null> => {
  const { rowCount } = await client.query(
    `INSERT INTO idempotency_keys (platform_id, key, fingerprint, status, body)
     VALUES ($1, $2, $2, $3, '{}') ON CONFLICT DO NOTHING`,
    [REPAIR_SCOPE, id, CLOSED],
  );
  if (rowCount === 1) return null;
  const answer = await firstRow<Answer>(client, ANSWER, [REPAIR_SCOPE, id]);
  return answer?.status === DONE ? (answer.body as T) : null;
};
