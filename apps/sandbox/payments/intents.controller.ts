import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { Database } from '../database/database.js';
import { readNoBody } from '../http/checked.js';
import { pathId } from '../http/ids.js';
import { readPage } from '../http/lists.js';
import { Live } from '../http/request-mode.js';
import { Resources } from '../resources.js';
import type { IntentRow } from './intent-row.js';
import { intentCreate, intentList, intentPatch } from './intent-schemas.js';
import { Intents } from './intents.service.js';
import { Payments } from './payments.service.js';

const LIST = {
  name: 'payment_intents',
  select: 'SELECT t.* FROM payment_intents t',
  where: 'NOT t.single_call',
};

@Controller('v2/payment_intents')
export class IntentsController {
  constructor(
    private readonly intents: Intents,
    private readonly payments: Payments,
    private readonly resources: Resources,
    private readonly database: Database,
  ) {}

  @Post()
  @HttpCode(200)
  async create(@Live() live: boolean, @Body() body: unknown) {
    return this.resources.intent(await this.intents.create(live, intentCreate.read(body)));
  }

  @Get()
  async list(@Live() live: boolean, @Query() query: unknown) {
    const asked = intentList.read({ ...(query as object) });
    const { order_id, unique_id, card: card_id, sepa: sepa_id } = asked;
    const filters = { order_id, unique_id, card_id, sepa_id };
    const { rows, range } = await readPage<IntentRow>(this.database, LIST, live, asked, filters);
    return { payment_intents: rows.map((row) => this.resources.intent(row)), range };
  }

  @Get(':id')
  async read(@Live() live: boolean, @Param('id') id: string) {
    return this.resources.intent(await this.intents.read(live, pathId('pi', id)));
  }

  @Patch(':id')
  async patch(@Live() live: boolean, @Param('id') id: string, @Body() body: unknown) {
    const known = pathId('pi', id);
    return this.resources.intent(await this.intents.patch(live, known, intentPatch.read(body)));
  }

  @Delete(':id')
  async cancel(@Live() live: boolean, @Param('id') id: string) {
    return this.resources.intent(await this.intents.cancel(live, pathId('pi', id)));
  }

  @Post(':id/capture')
  @HttpCode(200)
  async capture(@Live() live: boolean, @Param('id') id: string, @Body() body: unknown) {
    readNoBody(body);
    return this.resources.intent(await this.intents.capture(live, pathId('pi', id)));
  }

  @Get(':id/payments')
  async paymentsOf(@Live() live: boolean, @Param('id') id: string) {
    const { id: intentId } = await this.intents.read(live, pathId('pi', id));
    const rows = await this.payments.ofIntent(intentId);
    return rows.map((row) => this.resources.payment(row));
  }
}
