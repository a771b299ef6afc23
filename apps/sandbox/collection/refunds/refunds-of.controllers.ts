import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { pathId } from '../../api/ids.js';
import { InScope } from '../../api/request-scope.js';
import type { AccountScope } from '../../storage/account-scope.js';
import { Intents } from '../payments/intents.service.js';
import { Payments } from '../payments/payments.service.js';
import { refundOf, REFUNDS } from './refund-resource.js';
import { Refunds } from './refunds.service.js';

/** The requested refund amount; an empty body requests the full remaining amount. */
const amountIn = (body: unknown): number | null => refundOf.read(body ?? {}).amount ?? null;

/** The refunds of a payment, as an array. */
@Controller('v2/payments/:id')
export class PaymentRefundsController {
  constructor(
    private readonly refunds: Refunds,
    private readonly payments: Payments,
  ) {}

  @Post('refund')
  @HttpCode(200)
  async refund(@InScope() scope: AccountScope, @Param('id') id: string, @Body() body: unknown) {
    const known = pathId('paym', id);
    return REFUNDS.wire(await this.refunds.create(scope, known, amountIn(body)));
  }

  @Get('refunds')
  async list(@InScope() scope: AccountScope, @Param('id') id: string) {
    const payment = await this.payments.read(scope, pathId('paym', id));
    return (await this.refunds.ofPayment(payment.id)).map(REFUNDS.wire);
  }
}

/** The refunds of all payments of an intent, as an array. */
@Controller('v2/payment_intents/:id')
export class IntentRefundsController {
  constructor(
    private readonly refunds: Refunds,
    private readonly intents: Intents,
  ) {}

  @Post('refund')
  @HttpCode(200)
  async refund(@InScope() scope: AccountScope, @Param('id') id: string, @Body() body: unknown) {
    const known = pathId('pi', id);
    return REFUNDS.wire(await this.refunds.createOfIntent(scope, known, amountIn(body)));
  }

  @Get('refunds')
  async list(@InScope() scope: AccountScope, @Param('id') id: string) {
    const intent = await this.intents.read(scope, pathId('pi', id));
    return (await this.refunds.ofIntent(intent.id)).map(REFUNDS.wire);
  }
}
