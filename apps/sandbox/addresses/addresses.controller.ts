import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import type { AccountScope } from '../account-scope.js';
import { Database } from '../database/database.js';
import { pathId } from '../http/ids.js';
import { readPage } from '../http/lists.js';
import { InScope } from '../http/request-scope.js';
import { capitals } from '../http/schemas.js';
import { Resources } from '../resources.js';
import type { AddressRow } from './address-row.js';
import { addressCreate, addressList, addressPatch } from './address-schemas.js';
import { Addresses } from './addresses.service.js';

const LIST = {
  name: 'addresses', select: 'SELECT t.* FROM addresses t', where: 't.deleted_at IS NULL',
};

@Controller('v2/addresses')
export class AddressesController {
  constructor(
    private readonly addresses: Addresses,
    private readonly resources: Resources,
    private readonly database: Database,
  ) {}

  @Post()
  @HttpCode(200)
  async create(@InScope() scope: AccountScope, @Body() body: unknown) {
    const asked = capitals(addressCreate.read(body));
    return this.resources.address(await this.addresses.create(scope, asked));
  }

  @Get()
  async list(@InScope() scope: AccountScope, @Query() query: unknown) {
    const asked = addressList.read({ ...(query as object) });
    const { rows, range } = await readPage<AddressRow>(this.database, LIST, scope, asked);
    return { addresses: rows.map((row) => this.resources.address(row)), range };
  }

  @Get(':id')
  async read(@InScope() scope: AccountScope, @Param('id') id: string) {
    return this.resources.address(await this.addresses.read(scope, pathId('addr', id)));
  }

  @Patch(':id')
  async patch(@InScope() scope: AccountScope, @Param('id') id: string, @Body() body: unknown) {
    const known = pathId('addr', id);
    const row = await this.addresses.patch(scope, known, capitals(addressPatch.read(body)));
    return this.resources.address(row);
  }

  @Delete(':id')
  async remove(@InScope() scope: AccountScope, @Param('id') id: string) {
    return this.resources.address(await this.addresses.remove(scope, pathId('addr', id)));
  }
}
