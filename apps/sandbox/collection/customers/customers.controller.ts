import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { pathId } from '../../api/ids.js';
import { InScope } from '../../api/request-scope.js';
import { listPage } from '../../api/resource.js';
import { capitals } from '../../api/values.js';
import type { AccountScope } from '../../storage/account-scope.js';
import { Database } from '../../storage/database.js';
import { CUSTOMERS } from './customer-resource.js';
import { Customers } from './customers.service.js';

@Controller('v2/customers')
export class CustomersController {
  constructor(
    private readonly customers: Customers,
    private readonly database: Database,
  ) {}

  @Post()
  @HttpCode(200)
  async create(@InScope() scope: AccountScope, @Body() body: unknown) {
    const asked = capitals(CUSTOMERS.create.read(body));
    return CUSTOMERS.wire(await this.customers.create(scope, asked));
  }

  @Get()
  async list(@InScope() scope: AccountScope, @Query() query: unknown) {
    return listPage(this.database, CUSTOMERS, scope, query);
  }

  @Get(':id')
  async read(@InScope() scope: AccountScope, @Param('id') id: string) {
    return CUSTOMERS.wire(await this.customers.read(scope, pathId('cust', id)));
  }

  @Patch(':id')
  async patch(@InScope() scope: AccountScope, @Param('id') id: string, @Body() body: unknown) {
    const known = pathId('cust', id);
    const row = await this.customers.patch(scope, known, capitals(CUSTOMERS.patch.read(body)));
    return CUSTOMERS.wire(row);
  }

  @Delete(':id')
  async remove(@InScope() scope: AccountScope, @Param('id') id: string) {
    return CUSTOMERS.wire(await this.customers.remove(scope, pathId('cust', id)));
  }
}
