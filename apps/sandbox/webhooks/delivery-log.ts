import { Injectable } from '@nestjs/common';
import { assert, type Instant } from '#kernel';
import { conflict } from '../api/api-error.js';
import { noSuch } from '../api/ids.js';
import { SandboxClock } from '../clock/sandbox-clock.js';
import type { WebhookFaultKind } from '../faults/fault.js';
import { type AccountScope, FORWARD_ACCOUNT, scopeValues } from '../storage/account-scope.js';
import { Database } from '../storage/database.js';
import { Wake } from '../storage/wake.js';

export type DeliveryStatus = 'waiting' | 'sending' | 'delivered' | 'given_up' | 'dropped' | 'lost';

export interface AttemptRow {
  readonly attempt: number;
  readonly started_at: Instant;
  /** The end of the attempt; null while the attempt is in progress. */
  readonly ended_at: Instant | null;
  /** In real time. */
  readonly duration_ms: number | null;
  readonly outcome: 'http' | 'error' | 'interrupted' | null;
  readonly http_status: number | null;
  readonly error: string | null;
}

/** The delivery of an event to one endpoint, with every attempt. */
export interface DeliveryRow {
  readonly id: number;
  readonly account_id: string;
  readonly live: boolean;
  readonly event_id: string;
  readonly type: string;
  readonly object_id: string;
  readonly endpoint_id: string;
  readonly url: string;
  readonly status: DeliveryStatus;
  /** The time of the next attempt. */
  readonly due_at: Instant | null;
  readonly replayed_at: Instant | null;
  readonly fault: WebhookFaultKind | null;
  readonly event_at: Instant;
  readonly attempts: readonly AttemptRow[];
}

/** The filters of the delivery log; null: no filter. */
export interface LogQuery {
  readonly event?: string;
  readonly endpoint?: string;
  readonly start: number;
  readonly limit: number;
}

const SELECT = `
  SELECT d.id, e.account_id, e.live, d.event_id, e.type, e.object_id, d.endpoint_id, w.url,
         d.status, d.due_at, d.replayed_at, d.fault, e.created_at AS event_at
  FROM deliveries d
  JOIN events e ON e.id = d.event_id
  JOIN webhook_endpoints w ON w.id = d.endpoint_id`;
const PAGE = 'ORDER BY d.id DESC OFFSET $1 LIMIT $2';

const ALL = { name: 'log:all', text: `${SELECT} ${PAGE}` };
const OF_EVENT = { name: 'log:of-event', text: `${SELECT} WHERE d.event_id = $3 ${PAGE}` };
const OF_ENDPOINT = {
  name: 'log:of-endpoint',
  text: `${SELECT} WHERE d.endpoint_id = $3 ${PAGE}`,
};
const OF_BOTH = {
  name: 'log:of-both',
  text: `${SELECT} WHERE d.event_id = $3 AND d.endpoint_id = $4 ${PAGE}`,
};
const ONE = { name: 'log:one', text: `${SELECT} WHERE d.id = $1` };
const OF_EVENTS = {
  name: 'log:of-events',
  text: `${SELECT} WHERE d.event_id = ANY($1) ORDER BY d.id DESC LIMIT 500`,
};
const ATTEMPTS = {
  name: 'log:attempts',
  text: `SELECT delivery_id, attempt, started_at, ended_at, duration_ms, outcome, http_status, error
         FROM delivery_attempts WHERE delivery_id = ANY($1) ORDER BY delivery_id, attempt`,
};
const EVENT = { name: 'log:event', text: 'SELECT account_id, live FROM events WHERE id = $1' };
const ENDPOINT = {
  name: 'log:endpoint',
  text: `SELECT enabled FROM webhook_endpoints
         WHERE account_id IN ($1, '${FORWARD_ACCOUNT}') AND live = $2 AND id = $3
           AND deleted_at IS NULL FOR SHARE`,
};
const REPLAY = {
  name: 'log:replay',
  text: `WITH made AS (
           INSERT INTO deliveries (event_id, endpoint_id, due_at, replayed_at)
           VALUES ($1, $2, $3, $3) RETURNING id, endpoint_id, due_at
         )
         INSERT INTO delivery_queue (endpoint_id, due_at, delivery_id)
         SELECT endpoint_id, due_at, id FROM made RETURNING delivery_id AS id`,
};

const sourceOf = ({ event, endpoint }: LogQuery) => {
  if (event !== undefined && endpoint !== undefined) {
    return { statement: OF_BOTH, values: [event, endpoint] };
  }
  if (event !== undefined) return { statement: OF_EVENT, values: [event] };
  if (endpoint !== undefined) return { statement: OF_ENDPOINT, values: [endpoint] };
  return { statement: ALL, values: [] };
};

type Unattempted = Omit<DeliveryRow, 'attempts'>;

/** Reads deliveries with their attempts, and replays events. */
@Injectable()
export class DeliveryLog {
  constructor(
    private readonly database: Database,
    private readonly clock: SandboxClock,
    private readonly wake: Wake,
  ) {}

  /**
   * Returns deliveries, newest first. Reads one delivery more than the limit, to determine whether
   * there are more.
   */
  async list(query: LogQuery): Promise<DeliveryRow[]> {
    const { statement, values } = sourceOf(query);
    const rows = await this.database.query<Unattempted>(statement, [
      query.start,
      query.limit + 1,
      ...values,
    ]);
    return this.withDetails(rows);
  }

  /** Returns the newest 500 deliveries of these events, newest first. */
  async ofEvents(eventIds: readonly string[]): Promise<DeliveryRow[]> {
    return this.withDetails(await this.database.query<Unattempted>(OF_EVENTS, [eventIds]));
  }

  /** Returns the delivery with this id; null when there is none. */
  async find(id: number): Promise<DeliveryRow | null> {
    const rows = await this.database.query<Unattempted>(ONE, [id]);
    return (await this.withDetails(rows))[0] ?? null;
  }

  /**
   * Creates a delivery of the same event (same `evt_` id and body), due immediately, with its own
   * attempts. Returns its id. Throws `ApiError` 404, and 409 for a disabled endpoint.
   */
  async replay(eventId: string, endpointId: string): Promise<number> {
    const now = this.clock.now();
    const id = await this.database.transaction(async (tx) => {
      const [event] = await tx.query<AccountScope>(EVENT, [eventId]);
      if (event === undefined) throw noSuch('evt', eventId);
      const [endpoint] = await tx.query<{ enabled: boolean }>(ENDPOINT, [
        ...scopeValues(event),
        endpointId,
      ]);
      if (endpoint === undefined) throw noSuch('we', endpointId);
      if (!endpoint.enabled) throw conflict('Webhook endpoint is disabled: enable it first');
      const [made] = await tx.query<{ id: number }>(REPLAY, [eventId, endpointId, now]);
      assert(made !== undefined, 'an insert returns its id');
      return made.id;
    });
    this.wake.at(now);
    return id;
  }

  private async withDetails(rows: readonly Unattempted[]): Promise<DeliveryRow[]> {
    const attempts = await this.database.query<AttemptRow & { readonly delivery_id: number }>(
      ATTEMPTS,
      [rows.map((row) => row.id)],
    );
    const of = new Map<number, AttemptRow[]>(rows.map((row) => [row.id, []]));
    for (const { delivery_id: id, ...attempt } of attempts) of.get(id)?.push(attempt);
    return rows.map((row) => ({ ...row, attempts: of.get(row.id) ?? [] }));
  }
}
