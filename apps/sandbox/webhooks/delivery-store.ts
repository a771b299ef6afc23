import { Injectable } from '@nestjs/common';
import { type Instant, plusMs } from '#kernel';
import type { PostResult } from '#platform';
import type { WebhookFaultKind } from '../faults/fault.js';
import { Database } from '../storage/database.js';
import { Grouped } from '../storage/grouped.js';
import { ATTEMPT_DELAYS_MS, delayAfterMs, MAX_ATTEMPTS } from './schedule.js';
import { isReceived } from './webhook-sender.js';

/**
 * An attempt claimed by this process. The attempt is counted before it is sent, so that no other
 * process sends the same attempt.
 */
export interface ClaimedAttempt {
  /** The id of the lease, which all attempts claimed together share. */
  readonly lease: number;
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

/**
 * How long, in real time, a process may work on a claimed attempt; longer than the timeout of an
 * attempt.
 */
const LEASE = `interval '20 seconds'`;

/**
 * Maximum number of concurrent attempts of a process per endpoint, so that a slow endpoint does not
 * block the others.
 */
const MAX_OF_ENDPOINT = 64;

const NEXT = {
  name: 'deliveries:next',
  text: `
    SELECT min(first.due_at) AS at
    FROM webhook_endpoints w CROSS JOIN LATERAL (
      SELECT due_at FROM delivery_queue WHERE endpoint_id = w.id ORDER BY due_at LIMIT 1
    ) first
    WHERE w.id <> ALL($1::text[])`,
};

/**
 * Claims due deliveries, under one lease. Drops due deliveries whose endpoint is disabled or
 * deleted.
 */
const CLAIM = {
  name: 'deliveries:claim',
  text: `
    WITH due AS (
      SELECT first.*, w.enabled AND w.deleted_at IS NULL AS wanted
      FROM webhook_endpoints w CROSS JOIN LATERAL (
        SELECT endpoint_id, due_at, delivery_id FROM delivery_queue
        WHERE endpoint_id = w.id AND due_at <= $1
        ORDER BY due_at, delivery_id
        LIMIT greatest(0, ${MAX_OF_ENDPOINT} - coalesce((
          SELECT busy.sending FROM unnest($3::text[], $4::integer[]) AS busy (id, sending)
          WHERE busy.id = w.id), 0))
        FOR UPDATE SKIP LOCKED
      ) first
      ORDER BY first.due_at, first.delivery_id LIMIT $2
    ), taken AS (
      DELETE FROM delivery_queue q USING due
      WHERE q.endpoint_id = due.endpoint_id AND q.due_at = due.due_at
        AND q.delivery_id = due.delivery_id
    ), dropped AS (
      UPDATE deliveries d SET status = 'dropped', due_at = NULL
      FROM due WHERE d.id = due.delivery_id AND NOT due.wanted
    ), claimed AS (
      UPDATE deliveries d SET status = 'sending', attempts = attempts + 1, due_at = NULL
      FROM due WHERE d.id = due.delivery_id AND due.wanted
      RETURNING d.id, d.attempts, d.event_id, d.endpoint_id, d.fault
    ), logged AS (
      INSERT INTO delivery_attempts (delivery_id, attempt, started_at)
      SELECT id, attempts, $1 FROM claimed
    ), leased AS (
      INSERT INTO delivery_leases (delivery_ids, until_wall)
      SELECT array_agg(id), clock_timestamp() + ${LEASE} FROM claimed HAVING count(*) > 0
      RETURNING id
    )
    SELECT l.id AS lease, c.id AS delivery_id, c.attempts AS attempt, c.endpoint_id, c.fault,
           e.type, w.url, w.secret, e.body
    FROM claimed c CROSS JOIN leased l
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
    ), ended_leases AS (
      DELETE FROM delivery_leases WHERE id = ANY($11::bigint[])
    ), finished AS (
      UPDATE deliveries d
      SET status = CASE WHEN e.status <> 'waiting' OR e.wanted THEN e.status ELSE 'dropped' END,
          due_at = CASE WHEN e.wanted THEN e.due_at END
      FROM ended e
      WHERE d.id = e.delivery_id AND d.attempts = e.attempt AND d.status = 'sending'
      RETURNING d.id, d.endpoint_id, d.due_at
    )
    INSERT INTO delivery_queue (endpoint_id, due_at, delivery_id)
    SELECT endpoint_id, due_at, id FROM finished WHERE due_at IS NOT NULL`,
};

const END_LEASE = {
  name: 'deliveries:end-lease',
  text: 'DELETE FROM delivery_leases WHERE id = $1',
};

/** The result of an attempt, as it is stored. */
interface EndedAttempt extends Pick<
  ClaimedAttempt,
  'lease' | 'delivery_id' | 'attempt' | 'endpoint_id'
> {
  readonly status: 'delivered' | 'given_up' | 'waiting';
  readonly dueAt: Instant | null;
  readonly endedAt: Instant;
  readonly durationMs: number;
  readonly outcome: PostResult;
}

/** The delay before the next attempt of a delivery, as an SQL expression. */
const DELAYS_SQL = `(ARRAY[${ATTEMPT_DELAYS_MS.join(',')}]::bigint[])[d.attempts + 1]`;

/**
 * Ends expired leases: the attempts under them count as failed and are rescheduled. A delivery that
 * is also under a newer lease stays unchanged: its earlier attempt has ended, and a newer attempt
 * is in progress.
 */
const RELEASE_INTERRUPTED = {
  name: 'deliveries:release-interrupted',
  text: `
    WITH expired AS (
      DELETE FROM delivery_leases WHERE until_wall < clock_timestamp() RETURNING delivery_ids
    ), lost AS (
      UPDATE deliveries d
      SET status = CASE WHEN d.attempts >= ${MAX_ATTEMPTS} THEN 'given_up' ELSE 'waiting' END,
          due_at = CASE WHEN d.attempts >= ${MAX_ATTEMPTS} THEN NULL
                   ELSE $1::timestamptz + ${DELAYS_SQL} * interval '1 millisecond' END
      FROM (SELECT DISTINCT unnest(delivery_ids) AS id FROM expired) held
      WHERE d.id = held.id AND d.status = 'sending'
        AND NOT EXISTS (
          SELECT FROM delivery_leases l
          WHERE l.until_wall >= clock_timestamp() AND d.id = ANY(l.delivery_ids))
      RETURNING d.id, d.endpoint_id, d.attempts, d.due_at
    ), logged AS (
      UPDATE delivery_attempts a SET ended_at = $1, outcome = 'interrupted'
      FROM lost WHERE a.delivery_id = lost.id AND a.attempt = lost.attempts
    ), waiting AS (
      INSERT INTO delivery_queue (endpoint_id, due_at, delivery_id)
      SELECT endpoint_id, due_at, id FROM lost WHERE due_at IS NOT NULL
    )
    SELECT count(*) AS count, min(due_at) AS at FROM lost`,
};

const SENDING = {
  name: 'deliveries:sending',
  text: 'SELECT EXISTS (SELECT FROM delivery_leases) AS sending',
};

/** Stores deliveries. A claim skips rows that another process has locked. */
@Injectable()
export class DeliveryStore {
  /** How many attempts of this process are in progress, by endpoint and by lease. */
  private readonly sending = new Map<string, number>();
  private readonly open = new Map<number, number>();
  private readonly ended = new Grouped<EndedAttempt>((attempts) => this.storeEnded(attempts));

  constructor(private readonly database: Database) {}

  /**
   * When the next delivery is due; null when all waiting deliveries are for endpoints at their
   * limit of concurrent attempts.
   */
  async nextDue(): Promise<Instant | null> {
    const [row] = await this.database.query<{ at: Instant | null }>(NEXT, [this.atLimit()]);
    return row?.at ?? null;
  }

  /**
   * Claims attempts. For each attempt, call `finish` after it was sent, or `endUnmade` when a fault
   * prevents it.
   */
  async claim(upTo: Instant, limit: number): Promise<ClaimedAttempt[]> {
    const busy = [...this.sending];
    const claimed = await this.database.query<ClaimedAttempt>(CLAIM, [
      upTo,
      limit,
      busy.map(([endpoint]) => endpoint),
      busy.map(([, count]) => count),
    ]);
    for (const { lease, endpoint_id: endpoint } of claimed) {
      this.open.set(lease, (this.open.get(lease) ?? 0) + 1);
      this.sending.set(endpoint, (this.sending.get(endpoint) ?? 0) + 1);
    }
    return claimed;
  }

  /** The endpoints that have reached their maximum of concurrent attempts. */
  atLimit(): readonly string[] {
    const full = [...this.sending].filter(([, count]) => count >= MAX_OF_ENDPOINT);
    return full.map(([endpoint]) => endpoint);
  }

  /**
   * Reduces the number of the endpoint's attempts in progress when an attempt ends, even if the
   * result could not be stored.
   */
  freeEndpoint({ endpoint_id: endpoint }: ClaimedAttempt): void {
    const left = (this.sending.get(endpoint) ?? 1) - 1;
    if (left === 0) this.sending.delete(endpoint);
    else this.sending.set(endpoint, left);
  }

  /**
   * Ends an attempt that a fault prevented; deletes the attempt's lease when no other attempt has
   * the same lease.
   */
  async endUnmade({ lease }: ClaimedAttempt): Promise<void> {
    if (this.endOne(lease)) await this.database.query(END_LEASE, [lease]);
  }

  /**
   * Records the result of an attempt; returns when the next attempt is due, or null when no attempt
   * is left.
   */
  async finish(
    { lease, delivery_id, attempt, endpoint_id }: ClaimedAttempt,
    outcome: PostResult,
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
      lease,
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

  /**
   * Counts the attempts of dead processes as failed; the delay before the next attempt starts now.
   */
  async releaseInterrupted(now: Instant): Promise<{ count: number; nextDue: Instant | null }> {
    const [row] = await this.database.query<{ count: number; at: Instant | null }>(
      RELEASE_INTERRUPTED,
      [now],
    );
    return { count: row?.count ?? 0, nextDue: row?.at ?? null };
  }

  private async storeEnded(attempts: readonly EndedAttempt[]): Promise<void> {
    const outcomes = attempts.map(({ outcome }) => outcome);
    // If the following write fails, these leases remain in the database until they expire.
    const endedLeases = attempts.map(({ lease }) => lease).filter((lease) => this.endOne(lease));
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
      endedLeases,
    ]);
  }

  /** Reduces the number of open attempts under a lease; returns whether none is left. */
  private endOne(lease: number): boolean {
    const left = (this.open.get(lease) ?? 1) - 1;
    if (left > 0) this.open.set(lease, left);
    else this.open.delete(lease);
    return left === 0;
  }

  /** Whether an attempt of any process is in progress. */
  async anySending(): Promise<boolean> {
    const [row] = await this.database.query<{ sending: boolean }>(SENDING);
    return row?.sending ?? false;
  }
}
