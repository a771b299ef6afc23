import { Controller, Get, Param, Query, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccountScope } from '../../../storage/account-scope.js';
import { DeliveryLog } from '../../../webhooks/delivery-log.js';
import { AreaErrors } from '../area-errors.filter.js';
import { Desk } from '../desk.js';
import { AreaScope } from '../web/area-scope.js';
import { queryStart } from '../web/query.js';
import { EndpointList } from './endpoint-list.js';
import { DELIVERY_PAGE_SIZE, endpointPage, endpointsPage } from './webhooks-pages.js';

/** The pages of webhook endpoints, with every delivery attempt. */
@Controller('user-area/:mode/webhooks')
@UseFilters(AreaErrors)
export class AreaWebhooksController {
  constructor(
    private readonly desk: Desk,
    private readonly endpoints: EndpointList,
    private readonly log: DeliveryLog,
  ) {}

  @Get()
  async list(
    @AreaScope() scope: AccountScope,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const rows = await this.endpoints.all(scope);
    this.desk.show(request, reply, scope, (view) => endpointsPage(view, rows));
  }

  @Get(':id')
  async read(
    @AreaScope() scope: AccountScope,
    @Param('id') id: string,
    @Query() query: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const endpoint = await this.endpoints.read(scope, id);
    const start = queryStart({ ...(query as object) });
    const found = await this.log.list({ endpoint: id, start, limit: DELIVERY_PAGE_SIZE });
    const rows = found.slice(0, DELIVERY_PAGE_SIZE);
    this.desk.show(request, reply, scope, (view) =>
      endpointPage(view, endpoint, rows, start, found.length > rows.length),
    );
  }
}
