import { Injectable } from '@nestjs/common';
import { type Instant, plusMs } from '#kernel';
import type { WebhookFaultKind } from '../faults/fault.js';
import { Database } from '../storage/database.js';
import { ATTEMPT_DELAYS_MS, delayAfterMs, MAX_ATTEMPTS } from './schedule.js';
import { type AttemptOutcome, isReceived } from './webhook-sender.js';

/**
 * An attempt claimed by this process. It is counted before it is sent, so that no attempt is made
 * twice.
 */
export interface ClaimedAttempt {
  readonly delivery_id: number;
  readonly attempt: number;
  readonly endpoint_id: string;
  readonly type: string;
  /** The fault already applied to this delivery; each delivery has at most one. */
  readonly fault: WebhookFaultKind | null;
  readonly url: string;
  /** The endpoint's secret as stored in the database. */
  readonly secret: string;
  readonly body: string;
}

/** How long a process may keep an attempt, in real time: longer than the timeout of an attempt. */
const LEASE = `interval '20 seconds'`;

/**
 * Maximum number of concurrent attempts per endpoint, so that a slow endpoint does not block the
 * others.
 */
const MAX_OF_ENDPOINT = 8;

const SENDING_OF_ENDPOINT = `(SELECT count(*) FROM deliveries s WHERE s.endpoint_id = w.id AND s.status = 'sending')`;

const NEXT = {
  name: 'deliveries:next',
  text: `
    SELECT min(first.due_at) AS at
    FROM webhook_endpoints w CROSS JOIN LATERAL (
      SELECT due_at FROM deliveries WHERE endpoint_id = w.id AND status = 'waiting'
      ORDER BY due_at LIMIT 1
    ) first
    WHERE ${SENDING_OF_ENDPOINT} < ${MAX_OF_ENDPOINT}`,
};

/**
 * Claims due deliveries. Deliveries created while their endpoint was disabled or deleted are
 * dropped here at the latest.
 */
const CLAIM = {
  name: 'deliveries:claim',
  text: `
    WITH due AS (
      SELECT first.id, w.enabled AND w.deleted_at IS NULL AS wanted
      FROM webhook_endpoints w CROSS JOIN LATERAL (
        SELECT id, due_at FROM deliveries
        WHERE endpoint_id = w.id AND status = 'waiting' AND due_at <= $1
        ORDER BY due_at, id LIMIT greatest(0, ${MAX_OF_ENDPOINT} - ${SENDING_OF_ENDPOINT})
        FOR UPDATE SKIP LOCKED
      ) first
      ORDER BY first.due_at, first.id LIMIT $2
    ), dropped AS (
      UPDATE deliveries d SET status = 'dropped', due_at = NULL
      FROM due WHERE d.id = due.id AND NOT due.wanted
    ), claimed AS (
      UPDATE deliveries d
      SET status = 'sending', attempts = attempts + 1, due_at = NULL,
          leased_until_wall = clock_timestamp() + ${LEASE}
      FROM due WHERE d.id = due.id AND due.wanted
      RETURNING d.id, d.attempts, d.event_id, d.endpoint_id, d.fault
    ), logged AS (
      INSERT INTO delivery_attempts (delivery_id, attempt, started_at)
      SELECT id, attempts, $1 FROM claimed
    )
    SELECT c.id AS delivery_id, c.attempts AS attempt, c.endpoint_id, c.fault, e.type, w.url,
           w.secret, e.body
    FROM claimed c
    JOIN events e ON e.id = c.event_id
    JOIN webhook_endpoints w ON w.id = c.endpoint_id
    ORDER BY c.id`,
};

const FINISH = {
  name: 'deliveries:finish',
  text: `
    WITH logged AS (
      UPDATE delivery_attempts
      SET ended_at = $5, duration_ms = $6, outcome = $7, http_status = $8, error = $9
      WHERE delivery_id = $1 AND attempt = $2
    )
    UPDATE deliveries d
    SET status = CASE WHEN $3 <> 'waiting' OR wanted THEN $3 ELSE 'dropped' END,
        due_at = CASE WHEN wanted THEN $4::timestamptz END, leased_until_wall = NULL
    FROM (
      SELECT w.enabled AND w.deleted_at IS NULL AS wanted
      FROM deliveries same JOIN webhook_endpoints w ON w.id = same.endpoint_id WHERE same.id = $1
    ) endpoint
    WHERE d.id = $1 AND d.attempts = $2 AND d.status = 'sending'`,
};

/** The retry delays as an SQL array, for the statement that computes the next attempt. */
const DELAYS_SQL = `(ARRAY[${ATTEMPT_DELAYS_MS.join(',')}]::bigint[])[d.attempts + 1]`;

const RELEASE_INTERRUPTED = {
  name: 'deliveries:take-back',
  text: `
    WITH lost AS (
      UPDATE deliveries d
      SET status = CASE WHEN d.attempts >= ${MAX_ATTEMPTS} THEN 'given_up' ELSE 'waiting' END,
          due_at = CASE WHEN d.attempts >= ${MAX_ATTEMPTS} THEN NULL
                   ELSE $1::timestamptz + ${DELAYS_SQL} * interval '1 millisecond' END,
          leased_until_wall = NULL
      WHERE d.status = 'sending' AND d.leased_until_wall < clock_timestamp()
      RETURNING d.id, d.attempts, d.due_at
    ), logged AS (
      UPDATE delivery_attempts a SET ended_at = $1, outcome = 'interrupted'
      FROM lost WHERE a.delivery_id = lost.id AND a.attempt = lost.attempts
    )
    SELECT count(*) AS count, min(due_at) AS at FROM lost`,
};

const SENDING = {
  name: 'deliveries:sending',
  text: `SELECT EXISTS (SELECT FROM deliveries WHERE status = 'sending') AS sending`,
};

/** Stores deliveries. Claims skip rows locked by other processes. */
@Injectable()
export class DeliveryStore {
  constructor(private readonly database: Database) {}

  /**
   * When the next delivery is due; null when all waiting deliveries are for endpoints at their
   * limit of concurrent attempts.
   */
  async nextDue(): Promise<Instant | null> {
    const [row] = await this.database.query<{ at: Instant | null }>(NEXT);
    return row?.at ?? null;
  }

  async claim(upTo: Instant, limit: number): Promise<ClaimedAttempt[]> {
    return this.database.query<ClaimedAttempt>(CLAIM, [upTo, limit]);
  }

  /**
   * Records the result of an attempt; returns when the next attempt is due, or null when there is
   * none.
   */
  async finish(
    { delivery_id: id, attempt }: ClaimedAttempt,
    outcome: AttemptOutcome,
    endedAt: Instant,
    durationMs: number,
  ): Promise<Instant | null> {
    const delayMs = isReceived(outcome) ? null : delayAfterMs(attempt);
    const dueAt = delayMs === null ? null : plusMs(endedAt, delayMs);
    const status = isReceived(outcome) ? 'delivered' : dueAt === null ? 'given_up' : 'waiting';
    await this.database.query(FINISH, [
      id,
      attempt,
      status,
      dueAt,
      endedAt,
      durationMs,
      outcome.kind,
      outcome.kind === 'http' ? outcome.status : null,
      outcome.kind === 'error' ? outcome.error : null,
    ]);
    return dueAt;
  }

  /** Records attempts whose process died as failed; their retry schedule continues from now. */
  async releaseInterrupted(now: Instant): Promise<{ count: number; nextDue: Instant | null }> {
    const [row] = await this.database.query<{ count: number; at: Instant | null }>(
      RELEASE_INTERRUPTED,
      [now],
    );
    return { count: row?.count ?? 0, nextDue: row?.at ?? null };
  }

  /** Whether an attempt of any process is in progress. */
  async anySending(): Promise<boolean> {
    const [row] = await this.database.query<{ sending: boolean }>(SENDING);
    return row?.sending ?? false;
  }
}
