import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { EventStore, type RecordedEvent, type StreamRef } from '#log';
import { Rejection } from '#kernel';
import { entityOfSubject } from '#onboarding';
import { parseTraceparent } from '#platform';
import { ProviderAccounts } from '#psp';
import { CHECKOUT_SAGA, ONBOARDING_SAGA } from '#sagas';
import { TRACE_URL, type TraceUrl } from '../admin-config.js';
import { BusinessTimes, businessTimeOf } from './business-times.js';
import type { EntityRef } from './entity-types.js';
import type { TimelineEntry } from './timeline-entry.js';

/** The maximum number of events in a timeline; later events are read by version. */
const MAX_EVENTS = 2_000;
const MAX_BESIDE = 500;

const eventEntry = (event: RecordedEvent, traceUrl: string | null): TimelineEntry => {
  const { at: _, ...data } = event.data;
  const traceId = parseTraceparent(event.metadata.traceparent ?? undefined)?.traceId ?? null;
  return {
    id: event.eventId,
    kind: 'event',
    at: businessTimeOf(event),
    recordedAt: event.recordedAt,
    name: event.type,
    subjectType: event.streamType,
    subjectId: event.streamId,
    version: event.version,
    actor: event.metadata.actor,
    causationId: event.metadata.causationId,
    traceId,
    traceUrl: traceId === null ? null : (traceUrl?.replaceAll('{traceId}', traceId) ?? null),
    data,
  };
};

/**
 * A statement that returns timeline entries; `$1` are the ids of the subjects. The column `at` is
 * wall-clock time, except for deadlines; for provider requests a further column is business time.
 */
interface Source {
  readonly kind: TimelineEntry['kind'];
  readonly sql: string;
}

/**
 * The query lists the names of the sagas, because the index of their table begins with the saga's
 * name.
 */
const SAGAS = [CHECKOUT_SAGA, ONBOARDING_SAGA];

const BESIDE: readonly Source[] = [
  {
    kind: 'saga',
    sql: `SELECT saga || ' ' || key AS id, updated_at AS at, saga AS name, 'saga' AS "subjectType",
                 key AS "subjectId", NULL AS actor, NULL AS "causationId",
                 jsonb_build_object('done', done, 'version', version, 'state', state)
                   || CASE WHEN waiting IS NULL THEN '{}' ELSE jsonb_build_object(
                        'waiting', waiting, 'failingSince', failing_since,
                        'retryAt', nullif(retry_at, 'infinity')) END AS data
            FROM sagas WHERE saga = ANY ('{${SAGAS.join()}}') AND key = ANY ($1)`,
  },
  {
    kind: 'deadline',
    sql: `SELECT kind || ' ' || key AS id, due_at AS at, kind AS name,
                 'deadline' AS "subjectType", key AS "subjectId", NULL AS actor,
                 NULL AS "causationId", jsonb_build_object('tries', coalesce((progress ->> 'tries')::int, 0))
                   AS data
            FROM jobs WHERE key = ANY ($1) AND subject_id IS NULL`,
  },
];

/**
 * Finds queued requests: the key of a request's job is the id of the event that records the
 * request.
 */
const JOBS = `
  SELECT 'job ' || key AS id, created_at AS at, kind AS name, 'payment' AS "subjectType",
         ${entityOfSubject('subject_id')} AS "subjectId", NULL AS actor, key AS "causationId",
         jsonb_build_object('state', CASE state WHEN 'running' THEN 'calling' ELSE state END,
                            'tries', attempts, 'note', note,
                            'dueAt', CASE state WHEN 'waiting' THEN due_at END,
                            'updatedAt', updated_at, 'jobId', key) AS data
    FROM jobs WHERE key = ANY ($1::text[]) AND subject_id IS NOT NULL`;

/**
 * Finds provider requests. Our ids (`$1`) are references in the requests, the provider's ids (`$2`)
 * are in the paths. A payout has one id for both. Requests for a merchant contain our id until the
 * provider has registered the company.
 */
const CALLS = `
  SELECT 'call ' || id AS id, at, business_at AS "businessAt", method || ' ' || path AS name, 'call' AS "subjectType",
         coalesce(object_id, reference, '') AS "subjectId", NULL AS actor, NULL AS "causationId",
         jsonb_build_object('request', request, 'status', status, 'answer', answer,
                            'failure', failure, 'durationMs', duration_ms) AS data
    FROM api_requests WHERE reference = ANY ($1) OR object_id = ANY ($1 || $2)`;

const WEBHOOKS = `
  SELECT 'webhook ' || id AS id, received_at AS at, type AS name, 'webhook' AS "subjectType",
         id::text AS "subjectId", NULL AS actor, event_id AS "causationId",
         jsonb_build_object('handledAt', handled_at, 'note', note, 'tries', tries,
                            'accountId', account_id) AS data
    FROM webhooks_received WHERE intent_id = ANY ($1)`;

/**
 * Finds the user actions on an entity, on its jobs (each has the id of an event in `$1`), on its
 * reconciliation breaks, and on webhooks about its provider ids (`$2`).
 */
const AUDIT = `
  SELECT 'audit ' || id AS id, at, action AS name, subject_type AS "subjectType",
         subject_id AS "subjectId", actor, request_id AS "causationId",
         detail || jsonb_build_object('reason', reason) AS data
    FROM audit WHERE subject_id IN (
      SELECT unnest($1::text[])
       UNION ALL
      SELECT exception_id FROM reconciliation_exceptions WHERE payment_id = ANY ($1)
       UNION ALL
      SELECT exception_id FROM reconciliation_exceptions WHERE payout_id = ANY ($1)
       UNION ALL
      SELECT id::text FROM webhooks_received WHERE intent_id = ANY ($2))`;

type OnlyOfEvents = 'version' | 'traceId' | 'traceUrl';

type Row = Omit<TimelineEntry, 'at' | 'recordedAt' | 'kind' | OnlyOfEvents> & {
  readonly at: Date;
  readonly businessAt?: Date | null;
};

const timesOf = (events: readonly RecordedEvent[], calls: readonly Row[]): BusinessTimes =>
  new BusinessTimes([
    ...events.map((event) => ({ at: businessTimeOf(event), recordedAt: event.recordedAt })),
    ...calls.flatMap(({ at, businessAt }) =>
      businessAt instanceof Date
        ? [{ at: businessAt.toISOString(), recordedAt: at.toISOString() }]
        : [],
    ),
  ]);

const entryOf = (
  kind: TimelineEntry['kind'],
  { businessAt, ...row }: Row,
  times: BusinessTimes,
): TimelineEntry => {
  const recordedAt = row.at.toISOString();
  const entry = { ...row, kind, version: null, traceId: null, traceUrl: null };
  if (kind === 'deadline') return { ...entry, at: recordedAt, recordedAt: null };
  const at = businessAt?.toISOString() ?? times.at(row.at);
  return { ...entry, at, recordedAt };
};

/**
 * The events of streams. The clock of a recording process may have been behind, so the time of an
 * event is never earlier than the time of the previous event of its stream.
 */
const inLogOrder = (
  entries: readonly TimelineEntry[],
): readonly { readonly entry: TimelineEntry; readonly at: string }[] => {
  const latest = new Map<string, string>();
  return entries.map((entry) => {
    const before = latest.get(entry.subjectId) ?? entry.at;
    const at = entry.at < before ? before : entry.at;
    latest.set(entry.subjectId, at);
    return { entry, at };
  });
};

/** The history of an entity and of its payments, in the order of business time. */
@Injectable()
export class Timeline {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly store: EventStore,
    @Inject(TRACE_URL) private readonly traces: TraceUrl,
    @Inject(ProviderAccounts) private readonly accounts: Pick<ProviderAccounts, 'operationOf'>,
  ) {}

  /** Reads the timeline of an entity. Throws `Rejection('entity_not_found')`. */
  async of(ref: EntityRef): Promise<readonly TimelineEntry[]> {
    const own = await this.store.readStream(ref, 0, MAX_EVENTS);
    if (own.length === 0) throw new Rejection('entity_not_found', 'not found');
    const belonging = belongingTo(own);
    const theirs = belonging.length === 0 ? [] : await this.store.readStreams(belonging);
    const events = [...own, ...theirs];
    const ids = [ref.streamId, ...belonging.map(({ streamId }) => streamId)];
    const providerIds = providerIdsIn(events);
    const eventIds = events.map(({ eventId }) => eventId);
    const [calls, ...rest] = await Promise.all([
      this.read('call', newest(CALLS), ids, providerIds),
      this.read('job', JOBS, eventIds),
      this.read('audit', newest(AUDIT), [...ids, ...eventIds], providerIds),
      this.read('webhook', newest(WEBHOOKS), providerIds),
      ...BESIDE.map(({ kind, sql }) => this.read(kind, newest(sql), ids)),
    ]);
    const times = timesOf(events, calls.rows);
    const beside = [calls, ...rest].flatMap(({ kind, rows }) =>
      rows.map((row) => entryOf(kind, row, times)),
    );
    const recorded = inLogOrder(events.map((event) => eventEntry(event, this.traces.template)));
    const others = beside.map((entry) => ({ entry, at: entry.at }));
    // Sorting is stable, so entries with equal times stay in log order.
    return [...recorded, ...others]
      .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
      .map(({ entry }) => entry);
  }

  private async read(
    kind: TimelineEntry['kind'],
    sql: string,
    ...keys: readonly (readonly string[])[]
  ): Promise<{ readonly kind: TimelineEntry['kind']; readonly rows: readonly Row[] }> {
    const { rows } = await this.pool.query<Row>(sql, [...keys]);
    return { kind, rows: kind === 'call' ? rows.map((row) => this.withOperation(row)) : rows };
  }

  /** Adds the operation of each provider request, which only the provider's adapter knows. */
  private withOperation(row: Row): Row {
    const [method = '', path = ''] = row.name.split(' ');
    const operation = this.accounts.operationOf(method, path) ?? 'other';
    return { ...row, data: { operation, ...row.data } };
  }
}

const newest = (sql: string): string =>
  `SELECT * FROM (${sql}) found ORDER BY at DESC LIMIT ${MAX_BESIDE}`;

/** The event fields that contain the provider's ids. */
const PROVIDER_ID_FIELDS = [
  'intentId',
  'attemptId',
  'refundId',
  'disputeId',
  'companyId',
  'terminalId',
] as const;

const providerIdsIn = (events: readonly RecordedEvent[]): readonly string[] => [
  ...new Set(
    events.flatMap(({ data }) =>
      PROVIDER_ID_FIELDS.map((field) => data[field]).filter((id) => typeof id === 'string'),
    ),
  ),
];

/** The payment ids that the events of an order name. */
const belongingTo = (events: readonly RecordedEvent[]): readonly StreamRef[] =>
  events
    .filter(({ type }) => type === 'OrderPaymentStarted')
    .map(({ data }) => ({ streamType: 'payment', streamId: String(data['paymentId']) }));
