import { Controller, Get, Param, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isId, noSuch } from '../../../api/ids.js';
import { readPage } from '../../../api/lists.js';
import type { IntentRow } from '../../../collection/payments/intent-resource.js';
import { Intents } from '../../../collection/payments/intents.service.js';
import type { AccountScope } from '../../../storage/account-scope.js';
import { Database } from '../../../storage/database.js';
import { AreaErrors } from '../area-errors.filter.js';
import { Desk, localeFor } from '../desk.js';
import { AreaScope } from '../web/area-scope.js';
import { readForm } from '../web/forms.js';
import { queryStart } from '../web/query.js';
import { areaPath } from '../web/view.js';
import { intentPage, intentsPage } from './intents-page.js';
import { Dossiers } from './payment-dossier.js';
import { PAGE_SIZE } from './payment-search.js';
import { paymentWords } from './payment-words.js';

const LIST = {
  name: 'area:intents',
  select: 'SELECT t.* FROM payment_intents t',
  where: 'NOT t.single_call',
};

/** Payment intents, including those without an attempt. */
@Controller('user-area/:mode/intents')
@UseFilters(AreaErrors)
export class AreaIntentsController {
  constructor(
    private readonly desk: Desk,
    private readonly database: Database,
    private readonly dossiers: Dossiers,
    private readonly intents: Intents,
  ) {}

  @Get()
  async list(
    @AreaScope() scope: AccountScope,
    @Query() query: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const start = queryStart({ ...(query as object) });
    const { rows, range } = await readPage<IntentRow>(this.database, LIST, scope, {
      start,
      limit: PAGE_SIZE,
    });
    this.desk.show(request, reply, scope, (view) => intentsPage(view, rows, start, range.has_more));
  }

  @Get(':id')
  async read(
    @AreaScope() scope: AccountScope,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (!isId('pi', id)) throw noSuch('pi', id);
    const dossier = await this.dossiers.intent(scope, id);
    this.desk.show(request, reply, scope, (view) => intentPage(view, dossier));
  }

  @Post(':id/cancel')
  @RouteConfig({ rawBody: true })
  async cancel(
    @AreaScope() scope: AccountScope,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    readForm(request);
    await this.intents.cancel(scope, id);
    const text = paymentWords(localeFor(request)).canceled;
    this.desk.done(reply, `${areaPath(scope)}/intents/${id}`, text);
  }
}
