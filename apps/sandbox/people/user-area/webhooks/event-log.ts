import { Injectable } from '@nestjs/common';
import { noSuch } from '../../../api/ids.js';
import { readPage } from '../../../api/lists.js';
import type { AccountScope } from '../../../storage/account-scope.js';
import { findRow } from '../../../storage/by-id.js';
import { Database } from '../../../storage/database.js';
import { type EventRow, EVENTS } from '../../../storage/event-row.js';
import { DeliveryLog, type DeliveryRow } from '../../../webhooks/delivery-log.js';

/** An event with all its deliveries, newest first. */
export interface LoggedEvent extends EventRow {
  readonly deliveries: readonly DeliveryRow[];
}

const OF_OBJECTS = {
  name: 'area:events-of-objects',
  text: 'SELECT * FROM events WHERE object_id = ANY($1) ORDER BY seq DESC LIMIT 60',
};
const LIST = { name: 'area:events', select: 'SELECT t.* FROM events t' };

/** Events with their deliveries. */
@Injectable()
export class EventLog {
  constructor(
    private readonly database: Database,
    private readonly deliveries: DeliveryLog,
  ) {}

  /** Returns the newest 60 events of these objects, newest first. */
  async ofObjects(ids: readonly string[]): Promise<LoggedEvent[]> {
    return this.withDeliveries(await this.database.query<EventRow>(OF_OBJECTS, [ids]));
  }

  /** Returns events, newest first: of one type, or of all types when `type` is empty. */
  async list(
    scope: AccountScope,
    type: string,
    start: number,
    limit: number,
  ): Promise<{ readonly rows: readonly LoggedEvent[]; readonly hasMore: boolean }> {
    const filters = type === '' ? {} : { type };
    const { rows, range } = await readPage<EventRow>(
      this.database,
      LIST,
      scope,
      { start, limit },
      filters,
    );
    return { rows: await this.withDeliveries(rows), hasMore: range.has_more };
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
