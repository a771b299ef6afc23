import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { Database } from '../database/database.js';
import { readNoBody } from '../http/checked.js';
import { pathId } from '../http/ids.js';
import { readPage } from '../http/lists.js';
import { Live } from '../http/request-mode.js';
import { Resources } from '../resources.js';
import { PAYMENT_SELECT } from './aggregate.js';
import type { FullPayment } from './payment-row.js';
import { paymentCreate, paymentList, paymentPatch } from './payment-schemas.js';
import { Payments } from './payments.service.js';
import { SinglePayments } from './single-payments.service.js';

const LIST = { name: 'payments', select: PAYMENT_SELECT };

@Controller('v2/payments')
export class PaymentsController {
  constructor(
    private readonly payments: Payments,
    private readonly single: SinglePayments,
    private readonly resources: Resources,
    private readonly database: Database,
  ) {}

  @Post()
  @HttpCode(200)
  async create(@Live() live: boolean, @Body() body: unknown) {
    return this.resources.payment(await this.single.create(live, paymentCreate.read(body)));
  }

  @Get()
  async list(@Live() live: boolean, @Query() query: unknown) {
    const asked = paymentList.read({ ...(query as object) });
    const { order_id, unique_id, payout: payout_id } = asked;
    const { rows, range } = await readPage<FullPayment>(
      this.database, LIST, live, asked, { order_id, unique_id, payout_id },
    );
    return { payments: rows.map((row) => this.resources.payment(row)), range };
  }

  @Get(':id')
  async read(@Live() live: boolean, @Param('id') id: string) {
    return this.resources.payment(await this.payments.read(live, pathId('paym', id)));
  }

  @Patch(':id')
  async patch(@Live() live: boolean, @Param('id') id: string, @Body() body: unknown) {
    const known = pathId('paym', id);
    return this.resources.payment(await this.payments.patch(live, known, paymentPatch.read(body)));
  }

  @Post(':id/capture')
  @HttpCode(200)
  async capture(@Live() live: boolean, @Param('id') id: string, @Body() body: unknown) {
    readNoBody(body);
    return this.resources.payment(await this.payments.capture(live, pathId('paym', id)));
  }
}
