import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { pathId } from '../../api/ids.js';
import { InScope } from '../../api/request-scope.js';
import { listPage } from '../../api/resource.js';
import { capitals } from '../../api/values.js';
import type { AccountScope } from '../../storage/account-scope.js';
import { Database } from '../../storage/database.js';
import { ADDRESSES } from './address-resource.js';
import { Addresses } from './addresses.service.js';

@Controller('v2/addresses')
export class AddressesController {
  constructor(
    private readonly addresses: Addresses,
    private readonly database: Database,
  ) {}

  @Post()
  @HttpCode(200)
  async create(@InScope() scope: AccountScope, @Body() body: unknown) {
    const asked = capitals(ADDRESSES.create.read(body));
    return ADDRESSES.wire(await this.addresses.create(scope, asked));
  }

  @Get()
  async list(@InScope() scope: AccountScope, @Query() query: unknown) {
    return listPage(this.database, ADDRESSES, scope, query);
  }

  @Get(':id')
  async read(@InScope() scope: AccountScope, @Param('id') id: string) {
    return ADDRESSES.wire(await this.addresses.read(scope, pathId('addr', id)));
  }

  @Patch(':id')
  async patch(@InScope() scope: AccountScope, @Param('id') id: string, @Body() body: unknown) {
    const known = pathId('addr', id);
    const row = await this.addresses.patch(scope, known, capitals(ADDRESSES.patch.read(body)));
    return ADDRESSES.wire(row);
  }

  @Delete(':id')
  async remove(@InScope() scope: AccountScope, @Param('id') id: string) {
    return ADDRESSES.wire(await this.addresses.remove(scope, pathId('addr', id)));
  }
}
