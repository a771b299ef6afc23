import { randomInt } from 'node:crypto';
import type { Job, JobEnd, JobHold, JobKind } from '#jobs';
import { STRUCTURED_MEDIA_TYPE, structuredCloudEvent } from '#kafka';
import { type EventStore, untraced } from '#log';
import {
  assert,
  type Clock,
  type Instant,
  msOf,
  parseInstant,
  plusMs,
  type StreamType,
} from '#kernel';
import { firstRow, type GuardedPost, maskCardNumbers, type PostResult } from '#platform';
import {
  DISABLED_AFTER_MS,
  type DisabledReason,
  type EndpointDetails,
  endpointAggregate,
  retryDelayMs,
  signedHeaders,
  type StoredEndpointDetails,
} from '#webhook';
import type { Pool } from 'pg';
import { DELIVER } from './delivery-feed.js';

/** The number of attempts that a delivery logs, and of characters of each response. */
const LOGGED = { attempts: 20, characters: 1_000 };

/**
 * The time at which a failed delivery is due: its job keeps the later events of the stream waiting
 * until the platform requests or discards the delivery.
 */
const NEVER = parseInstant('9999-12-31T00:00:00Z');

/** The status with which a receiver says that it wants no more webhooks. */
const UNSUBSCRIBED = 410;

interface OpenDelivery {
  readonly endpointId: string;
  readonly streamType: StreamType;
  readonly streamId: string;
  readonly version: number;
  readonly tries: number;
  readonly status: 'enabled' | 'disabled' | 'deleted';
  /** The references of the current secret and of the former secret, if it is still valid. */
  readonly refs: readonly string[];
}

const OPEN = `
  SELECT d.endpoint_id AS "endpointId", d.stream_type AS "streamType", d.stream_id AS "streamId",
         d.version, d.tries, e.status,
         CASE WHEN e.former_until > $2 THEN ARRAY[e.details_ref, e.former_ref]
              ELSE ARRAY[e.details_ref] END AS refs
    FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
   WHERE d.id = $1 AND d.state = 'pending'`;

const SKIP = `
  UPDATE webhook_deliveries SET state = 'skipped', ended_at = clock_timestamp()
   WHERE id = $1 AND state = 'pending'`;

/** Adds an attempt to the log of the delivery, which keeps the last attempts only. */
const RECORD = `
  UPDATE webhook_deliveries
     SET state = $2, tries = tries + 1,
         ended_at = CASE $2 WHEN 'pending' THEN NULL ELSE clock_timestamp() END,
         attempts = (SELECT jsonb_agg(a.attempt ORDER BY a.n)
                       FROM jsonb_array_elements(attempts || $3::jsonb) WITH ORDINALITY
                         AS a(attempt, n)
                      WHERE a.n > jsonb_array_length(attempts) + 1 - ${LOGGED.attempts})
   WHERE id = $1 AND state = 'pending'`;

const SUCCEEDED = `
  UPDATE webhook_endpoints SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL`;

const FAILED = `
  UPDATE webhook_endpoints SET failing_since = coalesce(failing_since, $2) WHERE id = $1
  RETURNING failing_since AS since`;

const isReceived = (result: PostResult): boolean =>
  result.kind === 'http' && result.status >= 200 && result.status < 300;

/** An attempt as the delivery logs it. */
const loggedAttempt = (result: PostResult, at: Date, tookMs: number): object => ({
  at: at.toISOString(),
  tookMs: Math.round(tookMs),
  status: result.kind === 'http' ? result.status : null,
  error: result.kind === 'error' ? result.error : null,
  response:
    result.kind === 'http' ? maskCardNumbers(result.body).slice(0, LOGGED.characters) : null,
});

/** From 0 (inclusive) to 1 (exclusive). */
const random = (): number => randomInt(1_000_000) / 1_000_000;

/**
 * Sends an event to an endpoint, again and again until the endpoint confirms it or no attempt is
 * left. Deliveries of one stream to one endpoint are sent one after another.
 */
export class DeliveryJob implements JobKind {
  readonly kind = DELIVER;
  readonly lane = 'webhooks';

  constructor(
    private readonly pool: Pool,
    private readonly store: EventStore,
    private readonly details: Pick<StoredEndpointDetails, 'read'>,
    private readonly post: Pick<GuardedPost, 'send'>,
    private readonly clock: Clock,
  ) {}

  readonly run = async (job: Job, { stillHeld }: JobHold): Promise<JobEnd> => {
    const now = this.clock.now();
    const delivery = await this.open(job.key, now);
    if (delivery === null) return { next: 'done' };
    const [current, ...former] = delivery.status === 'enabled' ? await this.read(delivery) : [];
    if (current === undefined) {
      await this.pool.query({ name: 'skip-webhook', text: SKIP, values: [job.key] });
      return { next: 'done' };
    }
    const [event] = await this.store.readStream(delivery, delivery.version - 1, 1);
    assert(event !== undefined, 'a delivery is written after its event');
    const body = JSON.stringify(structuredCloudEvent(event));
    const secrets = [current, ...former].map(({ secret }) => secret);
    const [at, beganMs] = [new Date(), performance.now()];
    const headers = {
      'content-type': STRUCTURED_MEDIA_TYPE,
      'user-agent': 'payment-orchestrator-webhooks',
      ...signedHeaders(event.eventId, body, secrets, at.getTime()),
    };
    const result = await this.post.send(current.url, headers, body);
    stillHeld();
    return this.record(
      job.key,
      delivery,
      result,
      loggedAttempt(result, at, performance.now() - beganMs),
    );
  };

  private async open(id: string, now: Instant): Promise<OpenDelivery | null> {
    const statement = { name: 'open-webhook', text: OPEN };
    return (await firstRow<OpenDelivery>(this.pool, statement, [id, now])) ?? null;
  }

  private async read({ refs }: OpenDelivery): Promise<readonly EndpointDetails[]> {
    const known = await this.details.read(refs);
    return refs.flatMap((ref) => known.get(ref) ?? []);
  }

  private async record(
    id: string,
    { endpointId, tries }: OpenDelivery,
    result: PostResult,
    attempt: object,
  ): Promise<JobEnd> {
    const now = this.clock.now();
    const received = isReceived(result);
    const delayMs = received ? null : retryDelayMs(tries + 1, random());
    const state = received ? 'delivered' : delayMs === null ? 'failed' : 'pending';
    const values = [id, state, JSON.stringify([attempt])];
    await this.pool.query({ name: 'record-webhook', text: RECORD, values });
    if (received) {
      await this.pool.query({ name: 'webhook-succeeded', text: SUCCEEDED, values: [endpointId] });
      return { next: 'done' };
    }
    await this.failed(endpointId, result, now);
    return { next: 'again', dueAt: delayMs === null ? NEVER : plusMs(now, delayMs) };
  }

  private async failed(endpointId: string, result: PostResult, now: Instant): Promise<void> {
    const statement = { name: 'webhook-failed', text: FAILED };
    const row = await firstRow<{ since: Date }>(this.pool, statement, [endpointId, now]);
    const isLong = row !== undefined && msOf(now) - row.since.getTime() >= DISABLED_AFTER_MS;
    if (result.kind === 'http' && result.status === UNSUBSCRIBED) {
      await this.disable(endpointId, 'unsubscribed', now);
    } else if (isLong) await this.disable(endpointId, 'failing', now);
  }

  private async disable(endpointId: string, reason: DisabledReason, at: Instant): Promise<void> {
    await this.store.execute(
      endpointAggregate,
      endpointId,
      { type: 'DisableEndpoint', reason, at },
      untraced(endpointId, DELIVER, 'system:webhooks'),
    );
  }
}
