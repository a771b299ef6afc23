import { Controller, Get, Param, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DeliveryLog } from '../../webhooks/delivery-log.js';
import { EVENT_TYPES } from '../../webhooks/event-types.js';
import { AreaErrors } from '../area-errors.filter.js';
import { Desk, localeFor } from '../desk.js';
import { queryStart, queryText } from '../payments/payment-query.js';
import { readForm } from '../web/forms.js';
import { LiveMode } from '../web/mode.js';
import { modePath } from '../web/view.js';
import { EndpointList } from './endpoint-list.js';
import { EventLog } from './event-log.js';
import { EVENT_PAGE_SIZE, eventPage, eventsPage } from './events-pages.js';
import { webhookWords } from './webhook-words.js';

/** The event log, and Replay. */
@Controller('user-area/:mode/events')
@UseFilters(AreaErrors)
export class AreaEventsController {
  constructor(
    private readonly desk: Desk,
    private readonly events: EventLog,
    private readonly endpoints: EndpointList,
    private readonly log: DeliveryLog,
  ) {}

  @Get()
  async list(
    @LiveMode() live: boolean, @Query() query: unknown,
    @Req() request: FastifyRequest, @Res() reply: FastifyReply,
  ): Promise<void> {
    const asked = { ...(query as object) };
    const type = EVENT_TYPES.find((known) => known === queryText(asked, 'type')) ?? '';
    const start = queryStart(asked);
    const found = await this.events.list(live, type, start, EVENT_PAGE_SIZE);
    const rows = found.slice(0, EVENT_PAGE_SIZE);
    this.desk.show(request, reply, live, (view) =>
      eventsPage(view, rows, { type, start }, found.length > rows.length));
  }

  @Get(':id')
  async read(
    @LiveMode() live: boolean, @Param('id') id: string,
    @Req() request: FastifyRequest, @Res() reply: FastifyReply,
  ): Promise<void> {
    const [event, endpoints] = await Promise.all([
      this.events.read(live, id), this.endpoints.all(live),
    ]);
    this.desk.show(request, reply, live, (view) => eventPage(view, event, endpoints));
  }

  /** To the endpoint that the form names. */
  @Post(':id/replay')
  @RouteConfig({ rawBody: true })
  async replay(
    @LiveMode() live: boolean, @Param('id') id: string,
    @Req() request: FastifyRequest, @Res() reply: FastifyReply,
  ): Promise<void> {
    const endpoint = readForm(request).text('endpoint');
    await this.replayTo(live, id, endpoint, `events/${id}`, request, reply);
  }

  /** By the button beside a delivery: leads to its endpoint. */
  @Post(':id/replay/:endpoint')
  @RouteConfig({ rawBody: true })
  async replayOne(
    @LiveMode() live: boolean, @Param('id') id: string, @Param('endpoint') endpoint: string,
    @Req() request: FastifyRequest, @Res() reply: FastifyReply,
  ): Promise<void> {
    readForm(request);
    await this.replayTo(live, id, endpoint, `webhooks/${endpoint}`, request, reply);
  }

  private async replayTo(
    live: boolean, id: string, endpoint: string, next: string,
    request: FastifyRequest, reply: FastifyReply,
  ): Promise<void> {
    await this.events.read(live, id);
    await this.log.replay(id, endpoint);
    const text = webhookWords(localeFor(request)).replayed;
    this.desk.done(reply, `${modePath(live)}/${next}`, text);
  }
}
