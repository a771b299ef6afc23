import { Injectable } from '@nestjs/common';
import { type AccountScope, scopeValues } from '../../account-scope.js';
import { Database } from '../../database/database.js';
import { findRow } from '../../database/by-id.js';
import { noSuch } from '../../http/ids.js';
import { DeliveryLog, type DeliveryRow } from '../../webhooks/delivery-log.js';
import { type EventRow, EVENTS } from '../../webhooks/event-row.js';

/** An event with all its deliveries, newest first. */
export interface LoggedEvent extends EventRow {
  readonly deliveries: readonly DeliveryRow[];
}

const OF_OBJECTS = {
  name: 'area:events-of-objects',
  text: 'SELECT * FROM events WHERE object_id = ANY($1) ORDER BY seq DESC LIMIT 60',
};
const NEWEST = {
  name: 'area:events',
  text: `SELECT * FROM events WHERE account_id = $1 AND live = $2 AND ($5 = '' OR type = $5)
         ORDER BY created_at DESC, seq DESC OFFSET $3 LIMIT $4`,
};

/** Events as they were made, with how they reached the endpoints. */
@Injectable()
export class EventLog {
  constructor(
    private readonly database: Database,
    private readonly deliveries: DeliveryLog,
  ) {}

  /** The newest 60 of these objects, newest first. */
  async ofObjects(ids: readonly string[]): Promise<LoggedEvent[]> {
    return this.withDeliveries(await this.database.query<EventRow>(OF_OBJECTS, [ids]));
  }

  /** Newest first, of one type or of all; one more than the limit tells that there are more. */
  async list(
    scope: AccountScope, type: string, start: number, limit: number,
  ): Promise<LoggedEvent[]> {
    const rows = await this.database.query<EventRow>(
      NEWEST, [...scopeValues(scope), start, limit + 1, type],
    );
    return this.withDeliveries(rows);
  }

  /** Throws `ApiError` 404. */
  async read(scope: AccountScope, id: string): Promise<LoggedEvent> {
    const row = await findRow(this.database, EVENTS, scope, id);
    if (row === null) throw noSuch('evt', id);
    const [event] = await this.withDeliveries([row]);
    return event ?? { ...row, deliveries: [] };
  }

  private async withDeliveries(rows: readonly EventRow[]): Promise<LoggedEvent[]> {
    const deliveries = await this.deliveries.ofEvents(rows.map((row) => row.id));
    const of = new Map<string, DeliveryRow[]>(rows.map((row) => [row.id, []]));
    for (const delivery of deliveries) of.get(delivery.event_id)?.push(delivery);
    return rows.map((row) => ({ ...row, deliveries: of.get(row.id) ?? [] }));
  }
}
