import { Body, Controller, Get, Inject, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOperation, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { type Clock, newId } from '#kernel';
import { exists } from '#payment';
import { CLOCK, ListOf, Optional } from '#platform';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import { refundAnswer, RefundAnswer } from '../payments/refund-and-dispute-answers.js';
import { RefundOrder } from '../payments/refunds.js';
import type { Answer } from '../shared/answer.js';
import { type ChangeRequest, Idempotent, TakesIdempotencyKey } from '../shared/change-request.js';
import { Answers, CHANGE_ERRORS } from '../shared/docs.js';
import { orderIdPipe } from '../shared/id.pipe.js';
import { Tenancy } from '../shared/tenancy.js';
import { HasLength, HoldsNoEmail } from '../shared/validators.js';
import { PartAmount } from './part-amount.js';

class RefundDto {
  @PartAmount('In minor units, e.g. cents. Default: the full amount that can still be refunded.')
  amountMinor?: number;

  @ApiPropertyOptional({
    description: 'Your reference, returned unchanged: 1 to 64 visible ASCII characters.',
    maxLength: 64,
    example: 'return-17',
  })
  @Optional()
  @Matches(/^[!-~]{1,64}$/, { message: '$property must be 1 to 64 visible ASCII characters' })
  @HoldsNoEmail()
  reference?: string;

  @ApiPropertyOptional({
    description: 'Must not contain personal data: the event history stores this text.',
    minLength: 3,
    maxLength: 64,
  })
  @Optional()
  @HasLength(3, 64)
  @HoldsNoEmail()
  reason?: string;
}

class RefundList {
  @ListOf(RefundAnswer)
  items!: readonly RefundAnswer[];
}

@ApiTags('Orders')
@Controller('v1/orders/:id/refunds')
export class RefundsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly tenancy: Tenancy,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Post()
  @Allow('refunds:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Refund an order',
    description:
      'In whole or in part, repeatedly until nothing is left. Until the capture is sent to clearing, ' +
      'about a day after `paid` (of a direct debit, two bank days after the debit), the refund is `queued`, and `expectedAt` says when it will be requested ' +
      'at the latest from the provider. It is then `requested` until the provider shows the refund, usually within ' +
      'seconds; only then can another refund be requested.',
  })
  @Answers(
    {
      status: 202,
      type: RefundAnswer,
      description: 'The refund is requested, or queued until clearing.',
    },
    ...CHANGE_ERRORS,
    'order_not_found',
    'not_captured',
    'payment_ended',
    'payment_disputed',
    'refund_in_progress',
    'already_refunded',
    'refund_exceeds_payment',
    'capability_missing',
    'limit_exceeded',
    'limit_reached',
  )
  refundOrder(
    @Param('id', orderIdPipe) id: string,
    @Body() { amountMinor, reference, reason }: RefundDto,
    @Idempotent() request: ChangeRequest,
  ): Promise<Answer<RefundAnswer>> {
    const refund = {
      type: 'RequestRefund' as const,
      requestId: newId('rfr'),
      amountMinor: amountMinor ?? null,
      reference: reference ?? null,
      reason: reason ?? null,
      at: this.clock.now(),
    };
    return this.commands.execute(new RefundOrder(request, id, refund));
  }

  @Get()
  @Allow('orders:read')
  @ApiOperation({ summary: 'List the refunds of an order' })
  @Answers({ type: RefundList, description: 'All refunds, oldest first.' }, 'order_not_found')
  async listRefunds(
    @Param('id', orderIdPipe) id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<RefundList> {
    const { payment } = await this.tenancy.orderWithPayment(caller, id);
    const refunds = payment !== null && exists(payment.state) ? payment.state.refunds : [];
    return { items: refunds.map(refundAnswer) };
  }
}
