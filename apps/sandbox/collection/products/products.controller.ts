import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { pathId } from '../../api/ids.js';
import { readPage } from '../../api/lists.js';
import { InScope } from '../../api/request-scope.js';
import type { AccountScope } from '../../storage/account-scope.js';
import { Database } from '../../storage/database.js';
import { productResource } from './product-resource.js';
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
    private readonly database: Database,
  ) {}

  @Post()
  @HttpCode(200)
  async create(@InScope() scope: AccountScope, @Body() body: unknown) {
    return productResource(await this.products.create(scope, productCreate.read(body)));
  }

  @Get()
  async list(@InScope() scope: AccountScope, @Query() query: unknown) {
    const asked = productList.read({ ...(query as object) });
    const { rows, range } = await readPage<ProductRow>(this.database, LIST, scope, asked);
    return { products: rows.map(productResource), range };
  }

  @Get(':id')
  async read(@InScope() scope: AccountScope, @Param('id') id: string) {
    return productResource(await this.products.read(scope, pathId('prod', id)));
  }

  @Patch(':id')
  async patch(@InScope() scope: AccountScope, @Param('id') id: string, @Body() body: unknown) {
    const known = pathId('prod', id);
    return productResource(
      await this.products.patch(scope, known, productPatch.read(body)),
    );
  }

  @Delete(':id')
  async remove(@InScope() scope: AccountScope, @Param('id') id: string) {
    return productResource(await this.products.remove(scope, pathId('prod', id)));
  }
}
