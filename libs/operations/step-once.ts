import type { Pool } from 'pg';
import {
  AlreadyAnswered, type EventMetadata, type EventStore, type StepBuilder,
} from '#event-store';

/** Answers under the ids of repairs are kept beside those of the platforms. */
const SCOPE = 'console';

export interface StepOnceParts {
  readonly pool: Pool;
  readonly store: EventStore;
}

/** A step, and what is answered when it is committed: JSON. */
export interface GatheredStep<T> {
  readonly metadata: EventMetadata;
  readonly work: (step: StepBuilder) => Promise<unknown>;
  readonly outcome: T;
}

/**
 * Commits a step under the id of a repair. One that was committed under it before is not gathered
 * again, as what it rested on is gone: its outcome is read from where the step has left it.
 * Throws what `gather` throws, and as `EventStore.step`.
 */
export const stepOnce = async <T>(
  { pool, store }: StepOnceParts, id: string, gather: () => Promise<GatheredStep<T>>,
): Promise<T> => {
  const { rows: [before] } = await pool.query<{ body: T }>(
    'SELECT body FROM idempotency_keys WHERE platform_id = $1 AND key = $2', [SCOPE, id]);
  if (before !== undefined) return before.body;
  const { metadata, work, outcome } = await gather();
  try {
    await store.step(metadata, async (step) => {
      await work(step);
      step.answered({ platformId: SCOPE, key: id, fingerprint: id, status: 200, body: outcome });
    });
  } catch (error) {
    if (!(error instanceof AlreadyAnswered)) throw error;
    return error.body as T;
  }
  return outcome;
};
