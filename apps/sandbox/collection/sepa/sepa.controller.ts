import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { pathId } from '../../api/ids.js';
import { InScope } from '../../api/request-scope.js';
import { listPage } from '../../api/resource.js';
import type { AccountScope } from '../../storage/account-scope.js';
import { Database } from '../../storage/database.js';
import { SEPA } from './sepa-resource.js';
import { Sepas } from './sepa.service.js';

/** Bank accounts to debit. Their IBANs are validated and never stored. */
@Controller('v2/sepa')
export class SepaController {
  constructor(
    private readonly sepas: Sepas,
    private readonly database: Database,
  ) {}

  @Post()
  @HttpCode(200)
  async create(@InScope() scope: AccountScope, @Body() body: unknown) {
    return SEPA.wire(await this.sepas.create(scope, SEPA.create.read(body)));
  }

  @Get()
  async list(@InScope() scope: AccountScope, @Query() query: unknown) {
    return listPage(this.database, SEPA, scope, query);
  }

  @Get(':id')
  async read(@InScope() scope: AccountScope, @Param('id') id: string) {
    return SEPA.wire(await this.sepas.read(scope, pathId('sepa', id)));
  }

  @Patch(':id')
  async patch(@InScope() scope: AccountScope, @Param('id') id: string, @Body() body: unknown) {
    const known = pathId('sepa', id);
    return SEPA.wire(await this.sepas.patch(scope, known, SEPA.patch.read(body)));
  }

  @Delete(':id')
  async remove(@InScope() scope: AccountScope, @Param('id') id: string) {
    return SEPA.wire(await this.sepas.remove(scope, pathId('sepa', id)));
  }
}
