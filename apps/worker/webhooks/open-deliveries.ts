import { assert, type Instant, instantFromMs, storableText, type StreamType } from '#kernel';
import { firstRow, maskCardNumbers, type PostResult } from '#platform';
import { type EndpointHealth, type StoredEndpointDetails, TEST_EVENT } from '#webhook';
import type { Pool } from 'pg';

/** The number of attempts that a delivery logs, and of characters of each response. */
const LOGGED = { attempts: 20, characters: 1_000 };

/** The first open delivery of a stream to an endpoint. */
export interface Head {
  readonly id: string;
  readonly state: 'pending' | 'failed';
  readonly eventType: string;
  readonly streamType: StreamType;
  readonly version: number;
  /** The number of attempts since the delivery was last requested. */
  readonly tries: number;
  /** The status of the endpoint. */
  readonly status: 'enabled' | 'disabled' | 'deleted';
  readonly host: string;
  readonly url: string;
  /** The current secret, then the former secret if it is still valid. */
  readonly secrets: readonly string[];
}

interface HeadRow extends Omit<Head, 'url' | 'secrets'> {
  readonly currentRef: string;
  readonly current: string | null;
  readonly formerRef: string | null;
  readonly former: string | null;
}

/** An attempt and its result. `at` is real time. */
interface Attempt {
  readonly host: string;
  readonly at: Date;
  readonly tookMs: number;
  readonly result: PostResult;
}

interface Recorded {
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly attempt: Attempt;
  /** Whether the result counts for the health of the endpoint. */
  readonly counts: boolean;
  /** Business time. */
  readonly now: Instant;
}

/**
 * Endpoint, URL and secrets are read in one statement with the delivery: a change of the URL deletes
 * the former URL. A failed test event holds nothing.
 */
const HEAD = `
  SELECT d.id, d.state, d.event_type AS "eventType", d.stream_type AS "streamType", d.version,
         d.tries, e.status, e.host, e.details_ref AS "currentRef", c.sealed AS current,
         f.ref AS "formerRef", f.sealed AS former
    FROM webhook_deliveries d
    JOIN webhook_endpoints e ON e.id = d.endpoint_id
    LEFT JOIN webhook_details c ON c.ref = e.details_ref
    LEFT JOIN webhook_details f ON f.ref = e.former_ref AND e.former_until > $3
   WHERE d.endpoint_id = $1 AND d.stream_id = $2 AND d.state IN ('pending', 'failed')
     AND NOT (d.state = 'failed' AND d.event_type = '${TEST_EVENT}')
   ORDER BY d.version LIMIT 1`;

const SKIP = `
  UPDATE webhook_deliveries SET state = 'skipped', ended_at = clock_timestamp()
   WHERE endpoint_id = $1 AND stream_id = $2 AND state IN ('pending', 'failed')`;

/**
 * Adds an attempt to the log of the delivery, which keeps the last attempts, and counts it for the
 * health of the endpoint. An endpoint that is healthy is not written.
 */
const RECORD = `
  WITH recorded AS (
    UPDATE webhook_deliveries
       SET state = $2, tries = tries + 1,
           ended_at = CASE $2 WHEN 'pending' THEN NULL ELSE clock_timestamp() END,
           attempts = (SELECT jsonb_agg(a.attempt ORDER BY a.n)
                         FROM jsonb_array_elements(attempts || $3::jsonb) WITH ORDINALITY
                           AS a(attempt, n)
                        WHERE a.n > jsonb_array_length(attempts) + 1 - ${LOGGED.attempts})
     WHERE id = $1 AND state = 'pending'
    RETURNING endpoint_id, state)
  UPDATE webhook_endpoints e
     SET failures = CASE r.state WHEN 'delivered' THEN 0 ELSE e.failures + 1 END,
         failing_since = CASE WHEN r.state <> 'delivered' THEN coalesce(e.failing_since, $4) END
    FROM recorded r
   WHERE e.id = r.endpoint_id AND $5 AND (r.state <> 'delivered' OR e.failures > 0)
  RETURNING e.failures, e.failing_since AS "failingSince"`;

/** An attempt as the delivery logs it. */
const loggedAttempt = ({ host, at, tookMs, result }: Attempt): object => ({
  at: at.toISOString(),
  host,
  tookMs: Math.round(tookMs),
  status: result.kind === 'http' ? result.status : null,
  error: result.kind === 'error' ? result.error : null,
  response:
    result.kind === 'http' ? storableText(maskCardNumbers(result.body), LOGGED.characters) : null,
});

/** The deliveries that are waiting or have failed. */
export class OpenDeliveries {
  constructor(
    private readonly pool: Pool,
    private readonly details: Pick<StoredEndpointDetails, 'open'>,
  ) {}

  /** `now`: business time, which decides whether the former secret is valid. */
  async head(endpointId: string, streamId: string, now: Instant): Promise<Head | null> {
    const statement = { name: 'webhook-head', text: HEAD };
    const row = await firstRow<HeadRow>(this.pool, statement, [endpointId, streamId, now]);
    if (row === undefined) return null;
    const { currentRef, current, formerRef, former, ...head } = row;
    if (head.status !== 'enabled') return { ...head, url: '', secrets: [] };
    assert(current !== null, 'an enabled endpoint has its URL and its secret');
    const { url, secret } = this.details.open(currentRef, current);
    const secrets =
      formerRef === null || former === null
        ? [secret]
        : [secret, this.details.open(formerRef, former).secret];
    return { ...head, url, secrets };
  }

  /** Ends all open deliveries of the stream to a deleted endpoint without sending them. */
  async skip(endpointId: string, streamId: string): Promise<void> {
    await this.pool.query({ name: 'skip-webhooks', text: SKIP, values: [endpointId, streamId] });
  }

  /** Returns the health of the endpoint if it is not healthy; otherwise null. */
  async record(
    id: string,
    { state, attempt, counts, now }: Recorded,
  ): Promise<EndpointHealth | null> {
    const logged = JSON.stringify([loggedAttempt(attempt)]);
    const row = await firstRow<{ failures: number; failingSince: Date | null }>(
      this.pool,
      { name: 'record-webhook', text: RECORD },
      [id, state, logged, now, counts],
    );
    if (row === undefined || row.failingSince === null) return null;
    return { failures: row.failures, failingSince: instantFromMs(row.failingSince.getTime()) };
  }
}
