import { assert, type Instant, instantFromMs, storableText, type StreamType } from '#kernel';
import { firstRow, maskCardNumbers, NO_PUBLIC_ADDRESS, type PostResult } from '#platform';
import { type EndpointHealth, type StoredEndpointDetails, TEST_EVENT } from '#webhook';
import type { Pool } from 'pg';

/**
 * The maximum number of attempts in the log of a delivery, and of characters of each logged
 * response.
 */
const LOGGED = { attempts: 20, characters: 1_000 };

/** The first open delivery of a stream to an endpoint. */
export interface Head {
  readonly id: string;
  readonly state: 'pending' | 'failed';
  readonly eventType: string;
  readonly streamType: StreamType;
  readonly version: number;
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

/** An attempt and its result. `at`: when the attempt began, in wall-clock time. */
interface Attempt {
  readonly host: string;
  readonly at: Date;
  readonly tookMs: number;
  readonly result: PostResult;
}

interface ToRecord {
  readonly received: boolean;
  readonly attempt: Attempt;
  /**
   * The maximum number of attempts of the delivery, counted since redelivery was last requested.
   */
  readonly mostTries: number;
  /** Whether the result counts for the health of the endpoint. */
  readonly counts: boolean;
  /** Business time. */
  readonly now: Instant;
}

interface Recorded {
  /** The number of attempts since redelivery was last requested, including this attempt. */
  readonly tries: number;
  /** The health of the endpoint; null if the endpoint is healthy. */
  readonly health: EndpointHealth | null;
}

/**
 * Whether the delivery `d` delays the later deliveries of its stream. A failed test event delays
 * none.
 */
export const IS_OPEN = `d.state IN ('pending', 'failed')
     AND NOT (d.state = 'failed' AND d.event_type = '${TEST_EVENT}')`;

/** Restricts `webhook_deliveries d` to the first open delivery of endpoint $1 and stream $2. */
const FIRST_OPEN = `
   WHERE d.endpoint_id = $1 AND d.stream_id = $2 AND ${IS_OPEN}
   ORDER BY d.version LIMIT 1`;

/**
 * Reads the delivery, its endpoint, URL and secrets in one statement, because a concurrent change
 * of the URL deletes the former URL.
 */
const HEAD = `
  SELECT d.id, d.state, d.event_type AS "eventType", d.stream_type AS "streamType", d.version,
         e.status, e.host, e.details_ref AS "currentRef", c.sealed AS current,
         f.ref AS "formerRef", f.sealed AS former
    FROM webhook_deliveries d
    JOIN webhook_endpoints e ON e.id = d.endpoint_id
    LEFT JOIN webhook_details c ON c.ref = e.details_ref
    LEFT JOIN webhook_details f ON f.ref = e.former_ref AND e.former_until > $3
   ${FIRST_OPEN}`;

const SKIP = `
  UPDATE webhook_deliveries SET state = 'skipped', ended_at = clock_timestamp()
   WHERE endpoint_id = $1 AND stream_id = $2 AND state IN ('pending', 'failed')`;

/**
 * Makes the job due if the first open delivery of its stream has had no attempt yet, or none since
 * its redelivery was requested.
 */
const REQUEST_UNTRIED = `
  SELECT request_webhooks($1, $2)
    FROM (SELECT d.state, d.tries FROM webhook_deliveries d ${FIRST_OPEN}) head
   WHERE head.state = 'pending' AND head.tries = 0`;

/** SQL for the current wall-clock time, in the format of the logged attempts. */
const NOW_TEXT = `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Adds an attempt to the log of the delivery, which contains the last attempts only, and updates
 * the health of the endpoint. An attempt without a time gets the current time. A success does not
 * write the row of a healthy endpoint. The count of failures begins at 1 again if no delivery to
 * the endpoint is being repeated, e.g. because the platform has discarded the failing delivery.
 */
const RECORD = `
  WITH recorded AS (
    UPDATE webhook_deliveries
       SET state = CASE WHEN $2 THEN 'delivered' WHEN tries + 1 < $6 THEN 'pending'
                        ELSE 'failed' END,
           tries = tries + 1,
           ended_at = CASE WHEN $2 OR tries + 1 >= $6 THEN clock_timestamp() END,
           attempts = (SELECT jsonb_agg(a.attempt ORDER BY a.n)
                         FROM jsonb_array_elements(attempts || jsonb_build_array(
                                jsonb_build_object('at', ${NOW_TEXT}) || $3::jsonb))
                              WITH ORDINALITY AS a(attempt, n)
                        WHERE a.n > jsonb_array_length(attempts) + 1 - ${LOGGED.attempts})
     WHERE id = $1 AND state = 'pending'
    RETURNING id, endpoint_id, tries),
  counted AS (
    SELECT r.endpoint_id, r.tries > 1 OR EXISTS (
             SELECT FROM webhook_deliveries other
              WHERE other.endpoint_id = r.endpoint_id AND other.id <> r.id
                AND other.state = 'pending' AND other.tries > 0) AS continues
      FROM recorded r),
  health AS (
    UPDATE webhook_endpoints e
       SET failures = CASE WHEN $2 THEN 0 WHEN c.continues THEN e.failures + 1 ELSE 1 END,
           failing_since = CASE WHEN $2 THEN NULL WHEN c.continues THEN coalesce(e.failing_since, $4)
                                ELSE $4 END
      FROM counted c
     WHERE e.id = c.endpoint_id AND $5 AND (NOT $2 OR e.failures > 0)
    RETURNING e.failures, e.failing_since)
  SELECT r.tries, h.failures, h.failing_since AS "failingSince"
    FROM recorded r LEFT JOIN health h ON true`;

/** Whether no request was sent, because the host has no public address. */
const hasNoAddress = (result: PostResult): boolean =>
  result.kind === 'error' && result.error === NO_PUBLIC_ADDRESS;

/**
 * An attempt as the platform reads it in the log of the delivery. If the host has no public
 * address, the cause and the duration of the lookup are left out, because they would show which
 * hosts exist in our network. The start of the lookup would show the duration as well, so such an
 * attempt is logged with the time of its recording.
 */
const loggedAttempt = ({ host, at, tookMs, result }: Attempt): object => ({
  ...(hasNoAddress(result) ? {} : { at: at.toISOString() }),
  host,
  tookMs: hasNoAddress(result) ? 0 : Math.round(tookMs),
  status: result.kind === 'http' ? result.status : null,
  error: result.kind === 'error' ? result.error : null,
  response:
    result.kind === 'http' ? storableText(maskCardNumbers(result.body), LOGGED.characters) : null,
});

/** The deliveries that are pending or failed. */
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

  async requestUntried(endpointId: string, streamId: string): Promise<void> {
    const statement = { name: 'request-untried-webhook', text: REQUEST_UNTRIED };
    await this.pool.query({ ...statement, values: [endpointId, streamId] });
  }

  /**
   * Records an attempt. If the delivery is no longer pending, records nothing and returns null.
   */
  async record(
    id: string,
    { received, attempt, mostTries, counts, now }: ToRecord,
  ): Promise<Recorded | null> {
    const logged = JSON.stringify(loggedAttempt(attempt));
    const row = await firstRow<{ tries: number; failures: number; failingSince: Date | null }>(
      this.pool,
      { name: 'record-webhook', text: RECORD },
      [id, received, logged, now, counts, mostTries],
    );
    if (row === undefined) return null;
    const { tries, failures, failingSince } = row;
    const health = failingSince && {
      failures,
      failingSince: instantFromMs(failingSince.getTime()),
    };
    return { tries, health };
  }
}
