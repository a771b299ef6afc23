import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { readNoBody } from '../../api/checked.js';
import { pathId } from '../../api/ids.js';
import { InScope } from '../../api/request-scope.js';
import { listPage } from '../../api/resource.js';
import type { AccountScope } from '../../storage/account-scope.js';
import { Database } from '../../storage/database.js';
import { type IntentRow, INTENTS } from './intent-resource.js';
import { Intents } from './intents.service.js';
import { PaymentResources } from './payment-resources.js';
import { Payments } from './payments.service.js';

const LISTED = { ...INTENTS, where: 'NOT t.single_call' };
/** Filters intents by the `external_id` of their customer. */
const LIST_OF_CUSTOMER = {
  ...LISTED,
  name: 'payment-intents-of-customer',
  select: `SELECT t.* FROM (SELECT i.*, c.external_id
             FROM payment_intents i JOIN customers c ON c.id = i.customer_id) t`,
};

@Controller('v2/payment_intents')
export class IntentsController {
  constructor(
    private readonly intents: Intents,
    private readonly payments: Payments,
    private readonly resources: PaymentResources,
    private readonly database: Database,
  ) {}

  @Post()
  @HttpCode(200)
  async create(@InScope() scope: AccountScope, @Body() body: unknown) {
    return this.resources.intent(await this.intents.create(scope, INTENTS.create.read(body)));
  }

  @Get()
  async list(@InScope() scope: AccountScope, @Query() query: unknown) {
    const { external_id } = query as { readonly external_id?: unknown };
    const listed = { ...LISTED, wire: (row: IntentRow) => this.resources.intent(row) };
    const source = external_id === undefined ? LISTED : LIST_OF_CUSTOMER;
    return listPage(this.database, listed, scope, query, source);
  }

  @Get(':id')
  async read(@InScope() scope: AccountScope, @Param('id') id: string) {
    return this.resources.intent(await this.intents.read(scope, pathId('pi', id)));
  }

  @Patch(':id')
  async patch(@InScope() scope: AccountScope, @Param('id') id: string, @Body() body: unknown) {
    const known = pathId('pi', id);
    return this.resources.intent(await this.intents.patch(scope, known, INTENTS.patch.read(body)));
  }

  @Delete(':id')
  async cancel(@InScope() scope: AccountScope, @Param('id') id: string) {
    return this.resources.intent(await this.intents.cancel(scope, pathId('pi', id)));
  }

  @Post(':id/capture')
  @HttpCode(200)
  async capture(@InScope() scope: AccountScope, @Param('id') id: string, @Body() body: unknown) {
    readNoBody(body);
    return this.resources.intent(await this.intents.capture(scope, pathId('pi', id)));
  }

  @Get(':id/payments')
  async paymentsOf(@InScope() scope: AccountScope, @Param('id') id: string) {
    const known = pathId('pi', id);
    const rows = await this.payments.ofIntent(scope, known);
    // The list may be empty because the intent does not exist: in that case this call throws 404.
    if (rows.length === 0) await this.intents.read(scope, known);
    return rows.map((row) => this.resources.payment(row));
  }
}
