import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  Res,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { pathId } from '../../api/ids.js';
import { InScope } from '../../api/request-scope.js';
import { listPage } from '../../api/resource.js';
import type { AccountScope } from '../../storage/account-scope.js';
import { Database } from '../../storage/database.js';
import { sendPdf } from './document-reply.js';
import { MandateDocuments } from './mandate-documents.js';
import { type MandateRow, MANDATES } from './mandate-resource.js';
import { MandateResources } from './mandate-resources.js';
import { Mandates } from './mandates.service.js';

/**
 * Mandates to debit bank accounts: imported by merchants, or signed by payers on the payment page.
 */
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
    return this.resources.mandate(await this.mandates.create(scope, MANDATES.create.read(body)));
  }

  @Get()
  async list(@InScope() scope: AccountScope, @Query() query: unknown) {
    const wire = (row: MandateRow) => this.resources.mandate(row);
    return listPage(this.database, { ...MANDATES, wire }, scope, query);
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
    const changes = MANDATES.patch.read(body);
    return this.resources.mandate(await this.mandates.patch(scope, known, changes));
  }

  @Delete(':id')
  async remove(@InScope() scope: AccountScope, @Param('id') id: string) {
    return this.resources.mandate(await this.mandates.remove(scope, pathId('mndt', id)));
  }
}
