import { Controller, Get, Param, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccountScope } from '../../../storage/account-scope.js';
import { EVENT_TYPES } from '../../../storage/event-types.js';
import { DeliveryLog } from '../../../webhooks/delivery-log.js';
import { AreaErrors } from '../area-errors.filter.js';
import { Desk, localeFor } from '../desk.js';
import { AreaScope } from '../web/area-scope.js';
import { readForm } from '../web/forms.js';
import { queryStart, queryText } from '../web/query.js';
import { areaPath } from '../web/view.js';
import { EndpointList } from './endpoint-list.js';
import { EventLog } from './event-log.js';
import { EVENT_PAGE_SIZE, eventPage, eventsPage } from './events-pages.js';
import { webhookWords } from './webhook-words.js';

/** The list of events, and the action Replay. */
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
    @AreaScope() scope: AccountScope,
    @Query() query: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const asked = { ...(query as object) };
    const type = EVENT_TYPES.find((known) => known === queryText(asked, 'type')) ?? '';
    const start = queryStart(asked);
    const { rows, hasMore } = await this.events.list(scope, type, start, EVENT_PAGE_SIZE);
    this.desk.show(request, reply, scope, (view) =>
      eventsPage(view, rows, { type, start }, hasMore),
    );
  }

  @Get(':id')
  async read(
    @AreaScope() scope: AccountScope,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const [event, endpoints] = await Promise.all([
      this.events.read(scope, id),
      this.endpoints.all(scope),
    ]);
    this.desk.show(request, reply, scope, (view) => eventPage(view, event, endpoints));
  }

  /** Delivers the event again to the endpoint named in the form. */
  @Post(':id/replay')
  @RouteConfig({ rawBody: true })
  async replay(
    @AreaScope() scope: AccountScope,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const endpoint = readForm(request).text('endpoint');
    await this.replayTo(scope, id, endpoint, `events/${id}`, request, reply);
  }

  /**
   * Delivers the event again, requested by the button beside a delivery; redirects to the page of
   * the delivery's endpoint.
   */
  @Post(':id/replay/:endpoint')
  @RouteConfig({ rawBody: true })
  async replayOne(
    @AreaScope() scope: AccountScope,
    @Param('id') id: string,
    @Param('endpoint') endpoint: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    readForm(request);
    await this.replayTo(scope, id, endpoint, `webhooks/${endpoint}`, request, reply);
  }

  private async replayTo(
    scope: AccountScope,
    id: string,
    endpoint: string,
    next: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    await this.events.read(scope, id);
    await this.log.replay(id, endpoint);
    const text = webhookWords(localeFor(request)).replayed;
    this.desk.done(reply, `${areaPath(scope)}/${next}`, text);
  }
}
