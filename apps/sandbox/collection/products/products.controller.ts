import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { pathId } from '../../api/ids.js';
import { InScope } from '../../api/request-scope.js';
import { listPage } from '../../api/resource.js';
import type { AccountScope } from '../../storage/account-scope.js';
import { Database } from '../../storage/database.js';
import { PRODUCTS } from './product-resource.js';
import { Products } from './products.service.js';

@Controller('v2/products')
export class ProductsController {
  constructor(
    private readonly products: Products,
    private readonly database: Database,
  ) {}

  @Post()
  @HttpCode(200)
  async create(@InScope() scope: AccountScope, @Body() body: unknown) {
    return PRODUCTS.wire(await this.products.create(scope, PRODUCTS.create.read(body)));
  }

  @Get()
  async list(@InScope() scope: AccountScope, @Query() query: unknown) {
    return listPage(this.database, PRODUCTS, scope, query);
  }

  @Get(':id')
  async read(@InScope() scope: AccountScope, @Param('id') id: string) {
    return PRODUCTS.wire(await this.products.read(scope, pathId('prod', id)));
  }

  @Patch(':id')
  async patch(@InScope() scope: AccountScope, @Param('id') id: string, @Body() body: unknown) {
    const known = pathId('prod', id);
    return PRODUCTS.wire(await this.products.patch(scope, known, PRODUCTS.patch.read(body)));
  }

  @Delete(':id')
  async remove(@InScope() scope: AccountScope, @Param('id') id: string) {
    return PRODUCTS.wire(await this.products.remove(scope, pathId('prod', id)));
  }
}
