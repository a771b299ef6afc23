import {
  Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { pathId } from '../../api/ids.js';
import { readPage } from '../../api/lists.js';
import { InScope } from '../../api/request-scope.js';
import type { AccountScope } from '../../storage/account-scope.js';
import { Database } from '../../storage/database.js';
import { sendPdf } from './document-reply.js';
import { MandateDocuments } from './mandate-documents.js';
import { mandateCreate, mandateList, mandatePatch } from './mandate-input.js';
import { MandateResources } from './mandate-resources.js';
import type { MandateRow } from './mandate-row.js';
import { Mandates } from './mandates.service.js';

const LIST = {
  name: 'mandates',
  select: 'SELECT t.* FROM mandates t',
  where: 't.deleted_at IS NULL',
};

/** Mandates to debit accounts: those that merchants import, and those that payers sign. */
@Controller('v2/mandates')
export class MandatesController {
  constructor(
    private readonly mandates: Mandates,
    private readonly documents: MandateDocuments,
    private readonly resources: MandateResources,
    private readonly database: Database,
  ) {}

  @Post()
  @HttpCode(200)
  async create(@InScope() scope: AccountScope, @Body() body: unknown) {
    return this.resources.mandate(await this.mandates.create(scope, mandateCreate.read(body)));
  }

  @Get()
  async list(@InScope() scope: AccountScope, @Query() query: unknown) {
    const asked = mandateList.read({ ...(query as object) });
    const { rows, range } = await readPage<MandateRow>(this.database, LIST, scope, asked, {
      customer_id: asked.customer, sepa_id: asked.sepa,
    });
    return { mandates: rows.map((row) => this.resources.mandate(row)), range };
  }

  @Get(':id.pdf')
  async document(
    @InScope() scope: AccountScope,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const mandate = await this.mandates.read(scope, pathId('mndt', id));
    sendPdf(reply, mandate, await this.documents.read(mandate));
  }

  @Get(':id')
  async read(@InScope() scope: AccountScope, @Param('id') id: string) {
    return this.resources.mandate(await this.mandates.read(scope, pathId('mndt', id)));
  }

  @Patch(':id')
  async patch(@InScope() scope: AccountScope, @Param('id') id: string, @Body() body: unknown) {
    const known = pathId('mndt', id);
    return this.resources.mandate(await this.mandates.patch(scope, known, mandatePatch.read(body)));
  }

  @Delete(':id')
  async remove(@InScope() scope: AccountScope, @Param('id') id: string) {
    return this.resources.mandate(await this.mandates.remove(scope, pathId('mndt', id)));
  }
}
