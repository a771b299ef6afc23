import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { readNoBody } from '../../api/checked.js';
import { pathId } from '../../api/ids.js';
import { readPage } from '../../api/lists.js';
import { InScope } from '../../api/request-scope.js';
import type { AccountScope } from '../../storage/account-scope.js';
import { Database } from '../../storage/database.js';
import type { IntentRow } from './intent-row.js';
import { intentCreate, intentList, intentPatch } from './intent-schemas.js';
import { Intents } from './intents.service.js';
import { PaymentResources } from './payment-resources.js';
import { Payments } from './payments.service.js';

const LIST = {
  name: 'payment_intents',
  select: 'SELECT t.* FROM payment_intents t',
  where: 'NOT t.single_call',
};

/** An intent has no `external_id` of its own: it is its customer's, where one was given. */
const LIST_OF_CUSTOMER = {
  ...LIST,
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
    return this.resources.intent(await this.intents.create(scope, intentCreate.read(body)));
  }

  @Get()
  async list(@InScope() scope: AccountScope, @Query() query: unknown) {
    const asked = intentList.read({ ...(query as object) });
    const { order_id, unique_id, card: card_id, sepa: sepa_id, external_id } = asked;
    const filters = { order_id, unique_id, card_id, sepa_id, external_id };
    const source = external_id === undefined ? LIST : LIST_OF_CUSTOMER;
    const { rows, range } = await readPage<IntentRow>(
      this.database, source, scope, asked, filters,
    );
    return { payment_intents: rows.map((row) => this.resources.intent(row)), range };
  }

  @Get(':id')
  async read(@InScope() scope: AccountScope, @Param('id') id: string) {
    return this.resources.intent(await this.intents.read(scope, pathId('pi', id)));
  }

  @Patch(':id')
  async patch(@InScope() scope: AccountScope, @Param('id') id: string, @Body() body: unknown) {
    const known = pathId('pi', id);
    return this.resources.intent(await this.intents.patch(scope, known, intentPatch.read(body)));
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
    const { id: intentId } = await this.intents.read(scope, pathId('pi', id));
    const rows = await this.payments.ofIntent(intentId);
    return rows.map((row) => this.resources.payment(row));
  }
}
