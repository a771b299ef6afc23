import {
  Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Database } from '../database/database.js';
import { readNoBody } from '../http/checked.js';
import { pathId } from '../http/ids.js';
import { listQuery, readPage } from '../http/lists.js';
import { Live } from '../http/request-mode.js';
import { Resources } from '../resources.js';
import { sendPdf } from './document-reply.js';
import { MandateDocuments } from './mandate-documents.js';
import { mandateCreate, mandatePatch } from './mandate-input.js';
import type { MandateRow } from './mandate-row.js';
import { Mandates } from './mandates.service.js';

const LIST = {
  name: 'mandates',
  select: 'SELECT t.* FROM mandates t',
  where: 't.deleted_at IS NULL',
};
const mandateList = listQuery();

/** Mandates to debit accounts: those that merchants import, and those that payers sign. */
@Controller('v2/mandates')
export class MandatesController {
  constructor(
    private readonly mandates: Mandates,
    private readonly documents: MandateDocuments,
    private readonly resources: Resources,
    private readonly database: Database,
  ) {}

  @Post()
  @HttpCode(200)
  async create(@Live() live: boolean, @Body() body: unknown) {
    return this.resources.mandate(await this.mandates.create(live, mandateCreate.read(body)));
  }

  @Get()
  async list(@Live() live: boolean, @Query() query: unknown) {
    const asked = mandateList.read({ ...(query as object) });
    const { rows, range } = await readPage<MandateRow>(this.database, LIST, live, asked);
    return { mandates: rows.map((row) => this.resources.mandate(row)), range };
  }

  @Get(':id.pdf')
  async document(
    @Live() live: boolean,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const mandate = await this.mandates.read(live, pathId('mndt', id));
    sendPdf(reply, mandate, await this.documents.read(mandate));
  }

  @Get(':id')
  async read(@Live() live: boolean, @Param('id') id: string) {
    return this.resources.mandate(await this.mandates.read(live, pathId('mndt', id)));
  }

  @Patch(':id')
  async patch(@Live() live: boolean, @Param('id') id: string, @Body() body: unknown) {
    const known = pathId('mndt', id);
    return this.resources.mandate(await this.mandates.patch(live, known, mandatePatch.read(body)));
  }

  @Delete(':id')
  async remove(@Live() live: boolean, @Param('id') id: string, @Body() body: unknown) {
    readNoBody(body);
    return this.resources.mandate(await this.mandates.remove(live, pathId('mndt', id)));
  }
}
