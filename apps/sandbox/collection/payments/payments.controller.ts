import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { readNoBody } from '../../api/checked.js';
import { pathId } from '../../api/ids.js';
import { InScope } from '../../api/request-scope.js';
import { listPage } from '../../api/resource.js';
import type { AccountScope } from '../../storage/account-scope.js';
import { Database } from '../../storage/database.js';
import { fullPayments } from './aggregate.js';
import { type FullPayment, PAYMENTS } from './payment-resource.js';
import { PaymentResources } from './payment-resources.js';
import { Payments } from './payments.service.js';
import { SinglePayments } from './single-payments.service.js';

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
    return this.resources.payment(await this.single.create(scope, PAYMENTS.create.read(body)));
  }

  @Get()
  async list(@InScope() scope: AccountScope, @Query() query: unknown) {
    const wire = (row: FullPayment) => this.resources.payment(row);
    const listed = { ...PAYMENTS, wire, complete: fullPayments };
    return listPage(this.database, listed, scope, query);
  }

  @Get(':id')
  async read(@InScope() scope: AccountScope, @Param('id') id: string) {
    return this.resources.payment(await this.payments.read(scope, pathId('paym', id)));
  }

  @Patch(':id')
  async patch(@InScope() scope: AccountScope, @Param('id') id: string, @Body() body: unknown) {
    const known = pathId('paym', id);
    const changes = PAYMENTS.patch.read(body);
    return this.resources.payment(await this.payments.patch(scope, known, changes));
  }

  @Post(':id/capture')
  @HttpCode(200)
  async capture(@InScope() scope: AccountScope, @Param('id') id: string, @Body() body: unknown) {
    readNoBody(body);
    return this.resources.payment(await this.payments.capture(scope, pathId('paym', id)));
  }
}
