import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { idOf } from '../api/answers.js';
import { notFound } from '../api/api-error.js';
import { checkedBody, checkedQuery } from '../api/checked.js';
import { PAGE_PROPERTIES, pageOf } from '../api/lists.js';
import { DeliveryLog, type DeliveryRow, type LogQuery } from './delivery-log.js';

const logQuery = checkedQuery<LogQuery>({
  event: idOf('evt'),
  endpoint: idOf('we'),
  ...PAGE_PROPERTIES,
});
const replayBody = checkedBody<{ readonly event: string; readonly endpoint: string }>({
  required: ['event', 'endpoint'],
  properties: { event: idOf('evt'), endpoint: idOf('we') },
});

const toResource = (row: DeliveryRow) => ({
  id: row.id,
  account: row.account_id,
  live: row.live,
  event: row.event_id,
  type: row.type,
  object: row.object_id,
  endpoint: row.endpoint_id,
  url: row.url,
  status: row.status,
  due_at: row.due_at,
  replayed_at: row.replayed_at,
  fault: row.fault,
  attempts: row.attempts,
});

/**
 * The delivery log of both modes, newest first, with filters `event` and `endpoint`, and replay.
 * Times are ISO instants of the sandbox's clock. Needs no API key; exists only where the control
 * routes are enabled.
 */
@Controller('sandbox/deliveries')
export class DeliveriesController {
  constructor(private readonly log: DeliveryLog) {}

  @Get()
  async list(@Query() query: unknown) {
    const asked = logQuery.read({ ...(query as object) });
    const { rows, range } = pageOf(await this.log.list(asked), asked);
    return { deliveries: rows.map(toResource), range };
  }

  @Get(':id')
  async read(@Param('id') id: string) {
    const row = /^\d{1,15}$/.test(id) ? await this.log.find(Number(id)) : null;
    if (row === null) throw notFound('Delivery', id);
    return toResource(row);
  }

  /** Delivers an event again, to one endpoint. */
  @Post()
  @HttpCode(200)
  async replay(@Body() body: unknown) {
    const { event, endpoint } = replayBody.read(body);
    return this.read(String(await this.log.replay(event, endpoint)));
  }
}
