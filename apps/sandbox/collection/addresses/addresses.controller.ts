import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { pathId } from '../../api/ids.js';
import { readPage } from '../../api/lists.js';
import { InScope } from '../../api/request-scope.js';
import { capitals } from '../../api/schemas.js';
import type { AccountScope } from '../../storage/account-scope.js';
import { Database } from '../../storage/database.js';
import { addressResource } from './address-resource.js';
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
    private readonly database: Database,
  ) {}

  @Post()
  @HttpCode(200)
  async create(@InScope() scope: AccountScope, @Body() body: unknown) {
    const asked = capitals(addressCreate.read(body));
    return addressResource(await this.addresses.create(scope, asked));
  }

  @Get()
  async list(@InScope() scope: AccountScope, @Query() query: unknown) {
    const asked = addressList.read({ ...(query as object) });
    const { rows, range } = await readPage<AddressRow>(this.database, LIST, scope, asked);
    return { addresses: rows.map(addressResource), range };
  }

  @Get(':id')
  async read(@InScope() scope: AccountScope, @Param('id') id: string) {
    return addressResource(await this.addresses.read(scope, pathId('addr', id)));
  }

  @Patch(':id')
  async patch(@InScope() scope: AccountScope, @Param('id') id: string, @Body() body: unknown) {
    const known = pathId('addr', id);
    const row = await this.addresses.patch(scope, known, capitals(addressPatch.read(body)));
    return addressResource(row);
  }

  @Delete(':id')
  async remove(@InScope() scope: AccountScope, @Param('id') id: string) {
    return addressResource(await this.addresses.remove(scope, pathId('addr', id)));
  }
}
