import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { pathId } from '../../api/ids.js';
import { readPage } from '../../api/lists.js';
import { InScope } from '../../api/request-scope.js';
import type { AccountScope } from '../../storage/account-scope.js';
import { Database } from '../../storage/database.js';
import { sepaCreate, sepaList, sepaPatch } from './sepa-input.js';
import { sepaResource } from './sepa-resource.js';
import type { SepaRow } from './sepa-row.js';
import { Sepas } from './sepa.service.js';

const LIST = { name: 'sepa', select: 'SELECT t.* FROM sepa t', where: 't.deleted_at IS NULL' };

/** Bank accounts to debit. Their IBANs are checked and never kept. */
@Controller('v2/sepa')
export class SepaController {
  constructor(
    private readonly sepas: Sepas,
    private readonly database: Database,
  ) {}

  @Post()
  @HttpCode(200)
  async create(@InScope() scope: AccountScope, @Body() body: unknown) {
    return sepaResource(await this.sepas.create(scope, sepaCreate.read(body)));
  }

  @Get()
  async list(@InScope() scope: AccountScope, @Query() query: unknown) {
    const asked = sepaList.read({ ...(query as object) });
    const { rows, range } = await readPage<SepaRow>(this.database, LIST, scope, asked, {
      customer_id: asked.customer,
    });
    return { sepa: rows.map(sepaResource), range };
  }

  @Get(':id')
  async read(@InScope() scope: AccountScope, @Param('id') id: string) {
    return sepaResource(await this.sepas.read(scope, pathId('sepa', id)));
  }

  @Patch(':id')
  async patch(@InScope() scope: AccountScope, @Param('id') id: string, @Body() body: unknown) {
    const known = pathId('sepa', id);
    return sepaResource(await this.sepas.patch(scope, known, sepaPatch.read(body)));
  }

  @Delete(':id')
  async remove(@InScope() scope: AccountScope, @Param('id') id: string) {
    return sepaResource(await this.sepas.remove(scope, pathId('sepa', id)));
  }
}
