import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { pathId } from '../../api/ids.js';
import { InScope } from '../../api/request-scope.js';
import { listPage } from '../../api/resource.js';
import type { AccountScope } from '../../storage/account-scope.js';
import { Database } from '../../storage/database.js';
import { PRICES } from './price-resource.js';
import { Prices } from './prices.service.js';

@Controller('v2/prices')
export class PricesController {
  constructor(
    private readonly prices: Prices,
    private readonly database: Database,
  ) {}

  @Post()
  @HttpCode(200)
  async create(@InScope() scope: AccountScope, @Body() body: unknown) {
    return PRICES.wire(await this.prices.create(scope, PRICES.create.read(body)));
  }

  @Get()
  async list(@InScope() scope: AccountScope, @Query() query: unknown) {
    return listPage(this.database, PRICES, scope, query);
  }

  @Get(':id')
  async read(@InScope() scope: AccountScope, @Param('id') id: string) {
    return PRICES.wire(await this.prices.read(scope, pathId('price', id)));
  }

  @Patch(':id')
  async patch(@InScope() scope: AccountScope, @Param('id') id: string, @Body() body: unknown) {
    const known = pathId('price', id);
    return PRICES.wire(await this.prices.patch(scope, known, PRICES.patch.read(body)));
  }

  @Delete(':id')
  async remove(@InScope() scope: AccountScope, @Param('id') id: string) {
    return PRICES.wire(await this.prices.remove(scope, pathId('price', id)));
  }
}
