import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import type { AccountScope } from '../account-scope.js';
import { Database } from '../database/database.js';
import { pathId } from '../http/ids.js';
import { readPage } from '../http/lists.js';
import { InScope } from '../http/request-scope.js';
import { Resources } from '../resources.js';
import type { ProductRow } from './product-row.js';
import { productCreate, productList, productPatch } from './product-schemas.js';
import { Products } from './products.service.js';

const LIST = {
  name: 'products', select: 'SELECT t.* FROM products t', where: 't.deleted_at IS NULL',
};

@Controller('v2/products')
export class ProductsController {
  constructor(
    private readonly products: Products,
    private readonly resources: Resources,
    private readonly database: Database,
  ) {}

  @Post()
  @HttpCode(200)
  async create(@InScope() scope: AccountScope, @Body() body: unknown) {
    return this.resources.product(await this.products.create(scope, productCreate.read(body)));
  }

  @Get()
  async list(@InScope() scope: AccountScope, @Query() query: unknown) {
    const asked = productList.read({ ...(query as object) });
    const { rows, range } = await readPage<ProductRow>(this.database, LIST, scope, asked);
    return { products: rows.map((row) => this.resources.product(row)), range };
  }

  @Get(':id')
  async read(@InScope() scope: AccountScope, @Param('id') id: string) {
    return this.resources.product(await this.products.read(scope, pathId('prod', id)));
  }

  @Patch(':id')
  async patch(@InScope() scope: AccountScope, @Param('id') id: string, @Body() body: unknown) {
    const known = pathId('prod', id);
    return this.resources.product(
      await this.products.patch(scope, known, productPatch.read(body)),
    );
  }

  @Delete(':id')
  async remove(@InScope() scope: AccountScope, @Param('id') id: string) {
    return this.resources.product(await this.products.remove(scope, pathId('prod', id)));
  }
}
