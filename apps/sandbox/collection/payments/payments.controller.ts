import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { readNoBody } from '../../api/checked.js';
import { pathId } from '../../api/ids.js';
import { readPage } from '../../api/lists.js';
import { InScope } from '../../api/request-scope.js';
import type { AccountScope } from '../../storage/account-scope.js';
import { Database } from '../../storage/database.js';
import { fullPayments } from './aggregate.js';
import { PaymentResources } from './payment-resources.js';
import type { FullPayment } from './payment-row.js';
import { paymentCreate, paymentList, paymentPatch } from './payment-schemas.js';
import { Payments } from './payments.service.js';
import { SinglePayments } from './single-payments.service.js';

const LIST = {
  name: 'payments', select: 'SELECT t.* FROM payments t', complete: fullPayments,
};

@Controller('v2/payments')
export class PaymentsController {
  constructor(
    private readonly payments: Payments,
    private readonly single: SinglePayments,
    private readonly resources: PaymentResources,
    private readonly database: Database,
  ) {}

  @Post()
  @HttpCode(200)
  async create(@InScope() scope: AccountScope, @Body() body: unknown) {
    return this.resources.payment(await this.single.create(scope, paymentCreate.read(body)));
  }

  @Get()
  async list(@InScope() scope: AccountScope, @Query() query: unknown) {
    const asked = paymentList.read({ ...(query as object) });
    const { order_id, unique_id, payout: payout_id } = asked;
    const { rows, range } = await readPage<FullPayment>(
      this.database, LIST, scope, asked, { order_id, unique_id, payout_id },
    );
    return { payments: rows.map((row) => this.resources.payment(row)), range };
  }

  @Get(':id')
  async read(@InScope() scope: AccountScope, @Param('id') id: string) {
    return this.resources.payment(await this.payments.read(scope, pathId('paym', id)));
  }

  @Patch(':id')
  async patch(@InScope() scope: AccountScope, @Param('id') id: string, @Body() body: unknown) {
    const known = pathId('paym', id);
    return this.resources.payment(await this.payments.patch(scope, known, paymentPatch.read(body)));
  }

  @Post(':id/capture')
  @HttpCode(200)
  async capture(@InScope() scope: AccountScope, @Param('id') id: string, @Body() body: unknown) {
    readNoBody(body);
    return this.resources.payment(await this.payments.capture(scope, pathId('paym', id)));
  }
}
