import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { pathId } from '../../api/ids.js';
import { readPage } from '../../api/lists.js';
import { InScope } from '../../api/request-scope.js';
import type { AccountScope } from '../../storage/account-scope.js';
import { Database } from '../../storage/database.js';
import { priceResource } from './price-resource.js';
import type { PriceRow } from './price-row.js';
import { priceCreate, priceList, pricePatch } from './price-schemas.js';
import { Prices } from './prices.service.js';

const LIST = {
  name: 'prices', select: 'SELECT t.* FROM prices t', where: 't.deleted_at IS NULL',
};

@Controller('v2/prices')
export class PricesController {
  constructor(
    private readonly prices: Prices,
    private readonly database: Database,
  ) {}

  @Post()
  @HttpCode(200)
  async create(@InScope() scope: AccountScope, @Body() body: unknown) {
    return priceResource(await this.prices.create(scope, priceCreate.read(body)));
  }

  @Get()
  async list(@InScope() scope: AccountScope, @Query() query: unknown) {
    const asked = priceList.read({ ...(query as object) });
    const { rows, range } = await readPage<PriceRow>(this.database, LIST, scope, asked);
    return { prices: rows.map(priceResource), range };
  }

  @Get(':id')
  async read(@InScope() scope: AccountScope, @Param('id') id: string) {
    return priceResource(await this.prices.read(scope, pathId('price', id)));
  }

  @Patch(':id')
  async patch(@InScope() scope: AccountScope, @Param('id') id: string, @Body() body: unknown) {
    const known = pathId('price', id);
    return priceResource(
      await this.prices.patch(scope, known, pricePatch.read(body)),
    );
  }

  @Delete(':id')
  async remove(@InScope() scope: AccountScope, @Param('id') id: string) {
    return priceResource(await this.prices.remove(scope, pathId('price', id)));
  }
}
