import { Controller, Get, Param, Query } from '@nestjs/common';
import { notFound } from '../api/api-error.js';
import { pathId } from '../api/ids.js';
import { listQuery, readPage } from '../api/lists.js';
import { InScope } from '../api/request-scope.js';
import { type AccountScope, scopeValues } from '../storage/account-scope.js';
import { Database } from '../storage/database.js';
import type { EventRow } from '../storage/event-row.js';

const BY_ID = {
  name: 'event:by-id',
  text: 'SELECT * FROM events WHERE account_id = $1 AND live = $2 AND id = $3',
};
const LIST = { name: 'events', select: 'SELECT t.* FROM events t' };
const eventList = listQuery();

const toResource = (row: EventRow): unknown => JSON.parse(row.body);

/** Serves events as they are sent to endpoints. */
@Controller('v2/events')
export class EventsController {
  constructor(private readonly database: Database) {}

  @Get()
  async list(@InScope() scope: AccountScope, @Query() query: unknown) {
    const asked = eventList.read({ ...(query as object) });
    const { rows, range } = await readPage<EventRow>(this.database, LIST, scope, asked);
    return { events: rows.map(toResource), range };
  }

  @Get(':id')
  async read(@InScope() scope: AccountScope, @Param('id') id: string) {
    const known = pathId('evt', id);
    const [row] = await this.database.query<EventRow>(BY_ID, [...scopeValues(scope), known]);
    if (row === undefined) throw notFound('Event', known);
    return toResource(row);
  }
}
