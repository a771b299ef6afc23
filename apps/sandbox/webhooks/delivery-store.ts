import { Injectable } from '@nestjs/common';
import { type Instant, plusMs } from '#kernel';
import type { WebhookFaultKind } from '../faults/fault.js';
import { Database } from '../storage/database.js';
import { Grouped } from '../storage/grouped.js';
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
const MAX_OF_ENDPOINT = 32;

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
    WITH ended AS (
      SELECT r.*, w.enabled AND w.deleted_at IS NULL AS wanted
      FROM unnest($1::bigint[], $2::integer[], $3::text[], $4::text[], $5::timestamptz[],
                  $6::timestamptz[], $7::integer[], $8::text[], $9::integer[], $10::text[])
             AS r(delivery_id, attempt, endpoint_id, status, due_at, ended_at, duration_ms, outcome,
                  http_status, error)
      JOIN webhook_endpoints w ON w.id = r.endpoint_id
    ), logged AS (
      UPDATE delivery_attempts a
      SET ended_at = e.ended_at, duration_ms = e.duration_ms, outcome = e.outcome,
          http_status = e.http_status, error = e.error
      FROM ended e WHERE a.delivery_id = e.delivery_id AND a.attempt = e.attempt
    )
    UPDATE deliveries d
    SET status = CASE WHEN e.status <> 'waiting' OR e.wanted THEN e.status ELSE 'dropped' END,
        due_at = CASE WHEN e.wanted THEN e.due_at END, leased_until_wall = NULL
    FROM ended e
    WHERE d.id = e.delivery_id AND d.attempts = e.attempt AND d.status = 'sending'`,
};

/** The result of an attempt, as it is stored. */
interface EndedAttempt extends Pick<ClaimedAttempt, 'delivery_id' | 'attempt' | 'endpoint_id'> {
  readonly status: 'delivered' | 'given_up' | 'waiting';
  readonly dueAt: Instant | null;
  readonly endedAt: Instant;
  readonly durationMs: number;
  readonly outcome: AttemptOutcome;
}

/** The retry delays as an SQL array, for the statement that computes the next attempt. */
const DELAYS_SQL = `(ARRAY[${ATTEMPT_DELAYS_MS.join(',')}]::bigint[])[d.attempts + 1]`;

const RELEASE_INTERRUPTED = {
  name: 'deliveries:release-interrupted',
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
  private readonly ended = new Grouped<EndedAttempt>((attempts) => this.storeEnded(attempts));

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
    { delivery_id, attempt, endpoint_id }: ClaimedAttempt,
    outcome: AttemptOutcome,
    endedAt: Instant,
    durationMs: number,
  ): Promise<Instant | null> {
    const delayMs = isReceived(outcome) ? null : delayAfterMs(attempt);
    const dueAt = delayMs === null ? null : plusMs(endedAt, delayMs);
    const status: EndedAttempt['status'] = isReceived(outcome)
      ? 'delivered'
      : dueAt === null
        ? 'given_up'
        : 'waiting';
    const ended = {
      delivery_id,
      attempt,
      endpoint_id,
      status,
      dueAt,
      endedAt,
      durationMs,
      outcome,
    };
    await this.ended.add(ended);
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

  private async storeEnded(attempts: readonly EndedAttempt[]): Promise<void> {
    const outcomes = attempts.map(({ outcome }) => outcome);
    await this.database.query(FINISH, [
      attempts.map((one) => one.delivery_id),
      attempts.map((one) => one.attempt),
      attempts.map((one) => one.endpoint_id),
      attempts.map((one) => one.status),
      attempts.map((one) => one.dueAt),
      attempts.map((one) => one.endedAt),
      attempts.map((one) => one.durationMs),
      outcomes.map(({ kind }) => kind),
      outcomes.map((outcome) => (outcome.kind === 'http' ? outcome.status : null)),
      outcomes.map((outcome) => (outcome.kind === 'error' ? outcome.error : null)),
    ]);
  }

  /** Whether an attempt of any process is in progress. */
  async anySending(): Promise<boolean> {
    const [row] = await this.database.query<{ sending: boolean }>(SENDING);
    return row?.sending ?? false;
  }
}
