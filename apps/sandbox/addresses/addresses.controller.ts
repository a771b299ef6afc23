import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { Database } from '../database/database.js';
import { readNoBody } from '../http/checked.js';
import { pathId } from '../http/ids.js';
import { readPage } from '../http/lists.js';
import { Live } from '../http/request-mode.js';
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
  async create(@Live() live: boolean, @Body() body: unknown) {
    return this.resources.address(await this.addresses.create(live, addressCreate.read(body)));
  }

  @Get()
  async list(@Live() live: boolean, @Query() query: unknown) {
    const asked = addressList.read({ ...(query as object) });
    const { rows, range } = await readPage<AddressRow>(this.database, LIST, live, asked);
    return { addresses: rows.map((row) => this.resources.address(row)), range };
  }

  @Get(':id')
  async read(@Live() live: boolean, @Param('id') id: string) {
    return this.resources.address(await this.addresses.read(live, pathId('addr', id)));
  }

  @Patch(':id')
  async patch(@Live() live: boolean, @Param('id') id: string, @Body() body: unknown) {
    const known = pathId('addr', id);
    const row = await this.addresses.patch(live, known, addressPatch.read(body));
    return this.resources.address(row);
  }

  @Delete(':id')
  async remove(@Live() live: boolean, @Param('id') id: string, @Body() body: unknown) {
    readNoBody(body);
    return this.resources.address(await this.addresses.remove(live, pathId('addr', id)));
  }
}
