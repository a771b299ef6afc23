import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { pathId } from '../../api/ids.js';
import { readPage } from '../../api/lists.js';
import { InScope } from '../../api/request-scope.js';
import { capitals } from '../../api/schemas.js';
import type { AccountScope } from '../../storage/account-scope.js';
import { Database } from '../../storage/database.js';
import { customerResource } from './customer-resource.js';
import type { CustomerRow } from './customer-row.js';
import { customerCreate, customerList, customerPatch } from './customer-schemas.js';
import { Customers } from './customers.service.js';

const LIST = {
  name: 'customers', select: 'SELECT t.* FROM customers t', where: 't.deleted_at IS NULL',
};

@Controller('v2/customers')
export class CustomersController {
  constructor(
    private readonly customers: Customers,
    private readonly database: Database,
  ) {}

  @Post()
  @HttpCode(200)
  async create(@InScope() scope: AccountScope, @Body() body: unknown) {
    const asked = capitals(customerCreate.read(body));
    return customerResource(await this.customers.create(scope, asked));
  }

  @Get()
  async list(@InScope() scope: AccountScope, @Query() query: unknown) {
    const asked = customerList.read({ ...(query as object) });
    const { external_id, email, mobile } = asked;
    const filters = { external_id, email, mobile };
    const { rows, range } = await readPage<CustomerRow>(this.database, LIST, scope, asked, filters);
    return { customers: rows.map(customerResource), range };
  }

  @Get(':id')
  async read(@InScope() scope: AccountScope, @Param('id') id: string) {
    return customerResource(await this.customers.read(scope, pathId('cust', id)));
  }

  @Patch(':id')
  async patch(@InScope() scope: AccountScope, @Param('id') id: string, @Body() body: unknown) {
    const known = pathId('cust', id);
    const row = await this.customers.patch(scope, known, capitals(customerPatch.read(body)));
    return customerResource(row);
  }

  @Delete(':id')
  async remove(@InScope() scope: AccountScope, @Param('id') id: string) {
    return customerResource(await this.customers.remove(scope, pathId('cust', id)));
  }
}
