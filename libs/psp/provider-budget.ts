import { createHash } from 'node:crypto';
import { MINUTE_MS, SECOND_MS } from '#kernel';
import type { Logger } from '#platform';
import type { Pool } from 'pg';

/**
 * Called for each 429 response to a request with the key, before the caller receives the response;
 * never rejects.
 */
export type RateLimitListener = (apiKey: string, retryAfterMs: number | null) => Promise<void>;

/**
 * Thrown if the budget is used up, or if the provider has demanded a pause. No request was sent.
 */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';

  /** `waitMs`: the wait before the next request, in milliseconds of wall time. */
  constructor(readonly waitMs: number) {
    super(
      `the call budget of the API key is used up: wait ${Math.ceil(waitMs)} ms before the next background request`,
    );
  }
}

/**
 * Requests that were not used can be used later, up to the number that the budget allows in this
 * period. The period is short, so that no minute contains many more requests than the budget.
 */
const SAVED_MS = 5 * SECOND_MS;
/** The pause after a 429 response without Retry-After. */
const PAUSE_MS = 10 * SECOND_MS;
const MIN_WAIT_MS = 20;

const REFILLED = `
  least($2::float8, b.calls_left + extract(epoch FROM clock_timestamp() - b.refilled_at) * $3)`;

/**
 * The commit does not wait for the disk; after a crash of the database server the whole budget may
 * be available again, which does no harm.
 */
const TAKE = `
  INSERT INTO provider_budgets AS b (key_digest, calls_left, refilled_at)
  SELECT $1, $2::float8 - 1, clock_timestamp()
    FROM set_config('synchronous_commit', 'off', true)
      ON CONFLICT (key_digest) DO UPDATE
     SET calls_left = ${REFILLED} - 1, refilled_at = clock_timestamp()
   WHERE ${REFILLED} >= 1
     AND (b.blocked_until IS NULL OR b.blocked_until <= clock_timestamp())
  RETURNING 1`;

const WAIT = `
  SELECT 1000 * greatest(
           (1 - ${REFILLED}) / $3,
           extract(epoch FROM b.blocked_until - clock_timestamp()))::float8 AS wait
    FROM provider_budgets b WHERE b.key_digest = $1`;

/** Inserts a row with a pause for a key that has no row yet; the new row has no unused requests. */
const BLOCK = `
  INSERT INTO provider_budgets AS b (key_digest, calls_left, refilled_at, blocked_until)
  SELECT $1, 0, now, now + $2 * interval '1 millisecond' FROM clock_timestamp() AS now
      ON CONFLICT (key_digest) DO UPDATE
     SET blocked_until = greatest(b.blocked_until, excluded.blocked_until)`;

/** The hash that identifies the row of a key; the key cannot be computed from it. */
const digestOf = (apiKey: string): string =>
  createHash('sha256').update(apiKey).digest('base64url');

/**
 * Limits the background requests per minute with each API key of a provider, across all workers.
 * Each key has a row in `provider_budgets`. Requests that move money, and requests that a platform
 * waits for, do not wait for the budget.
 */
export class ProviderBudget {
  private readonly capacity: number;
  private readonly perSecond: number;

  constructor(
    private readonly pool: Pool,
    callsPerMinute: number,
  ) {
    this.perSecond = (callsPerMinute * SECOND_MS) / MINUTE_MS;
    this.capacity = Math.max(1, (callsPerMinute * SAVED_MS) / MINUTE_MS);
  }

  /** Takes one request from the budget. Throws `BudgetSpent`. */
  async take(apiKey: string): Promise<void> {
    const values = [digestOf(apiKey), this.capacity, this.perSecond];
    const { rowCount } = await this.pool.query({ name: 'take-call', text: TAKE, values });
    if (rowCount === 1) return;
    const { rows } = await this.pool.query<{ wait: number }>({
      name: 'wait-call',
      text: WAIT,
      values,
    });
    throw new BudgetSpent(Math.max(MIN_WAIT_MS, rows[0]?.wait ?? 0));
  }
}

/** The length of the pause after a 429 response, in milliseconds. */
export const pauseMsOf = (retryAfterMs: number | null): number => retryAfterMs ?? PAUSE_MS;

/**
 * Returns a listener that stores the pauses that the provider demands with a 429. Until a pause has
 * ended, `take` grants no request for the key. If a pause cannot be stored, the next 429 stores a
 * pause.
 */
export const notePauses =
  (pool: Pool, logger: Logger): RateLimitListener =>
  async (apiKey, retryAfterMs) => {
    try {
      const values = [digestOf(apiKey), pauseMsOf(retryAfterMs)];
      await pool.query({ name: 'block-calls', text: BLOCK, values });
    } catch (err) {
      logger.warn({ err }, 'a pause that the provider demands could not be stored');
    }
  };
