import { Body, Controller, Get, Inject, Param, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOperation, ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { IsInt, IsOptional, Length, Matches, Max, Min, ValidateIf } from 'class-validator';
import { type FastifyReply } from 'fastify';
import { type Clock, MAX_AMOUNT_MINOR, newId } from '#kernel';
import { exists } from '#payment';
import { CLOCK } from '#platform';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import { refundAnswer, RefundAnswer } from '../payments/money-back-answer.js';
import { RefundOrder } from '../payments/refund.commands.js';
import { Answers, CHANGE_ERRORS } from '../shared/docs.js';
import { orderIdPipe } from '../shared/id.pipe.js';
import {
  Idempotent,
  type IdempotentRequest,
  TakesIdempotencyKey,
} from '../shared/idempotency-key.js';
import { send } from '../shared/idempotency.js';
import { type Origin, RequestOrigin } from '../shared/origin.js';
import { Tenancy } from '../shared/tenancy.js';
import { HoldsNoEmail } from '../shared/validators.js';

class RefundDto {
  @ApiPropertyOptional({
    description: 'In minor units; not given: all that is left.',
    type: 'integer',
    minimum: 1,
    maximum: MAX_AMOUNT_MINOR,
    example: 500,
  })
  // Null is no amount: it must not mean all that is left, as JSON has null for NaN.
  @ValidateIf((_, value) => value !== undefined)
  @Max(MAX_AMOUNT_MINOR)
  @Min(1)
  @IsInt()
  amountMinor?: number;

  @ApiPropertyOptional({
    description: 'Your own, given back as it is: 1 to 64 visible ASCII characters.',
    maxLength: 64,
    example: 'return-17',
  })
  @IsOptional()
  @Matches(/^[!-~]{1,64}$/, { message: '$property must be 1 to 64 visible ASCII characters' })
  @HoldsNoEmail()
  reference?: string;

  @ApiPropertyOptional({
    description: 'No personal data: it becomes part of the history.',
    minLength: 3,
    maxLength: 64,
  })
  @IsOptional()
  @Length(3, 64)
  @HoldsNoEmail()
  reason?: string;
}

class RefundList {
  @ApiProperty({ type: RefundAnswer, isArray: true })
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
    operationId: 'refundOrder',
    description:
      'Whole or in part, as often as something is left; from when the capture was sent, about ' +
      'a day after `paid`: before that, cancel it. The refund is `requested` until the provider ' +
      'shows it, within seconds unless its answer is lost; only then may the next one be asked for.',
  })
  @Answers(
    { status: 202, type: RefundAnswer, description: 'The refund is asked for.' },
    ...CHANGE_ERRORS,
    'order_not_found',
    'not_captured',
    'payment_ended',
    'payment_disputed',
    'refund_in_flight',
    'already_refunded',
    'refund_exceeds_payment',
    'capability_missing',
    'limit_exceeded',
    'limit_reached',
  )
  async refund(
    @Param('id', orderIdPipe) id: string,
    @Body() { amountMinor, reference, reason }: RefundDto,
    @CurrentCaller() caller: Caller,
    @Idempotent() request: IdempotentRequest,
    @RequestOrigin() origin: Origin,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RefundAnswer> {
    const wanted = {
      requestId: newId('rfr'),
      amountMinor: amountMinor ?? null,
      reference: reference ?? null,
      reason: reason ?? null,
    };
    const refund = new RefundOrder(caller, id, wanted, this.clock.now(), request, origin);
    return send(reply, await this.commands.execute(refund));
  }

  @Get()
  @Allow('orders:read')
  @ApiOperation({ summary: 'List the refunds of an order', operationId: 'listRefunds' })
  @Answers(
    { status: 200, type: RefundList, description: 'All of them, oldest first.' },
    'order_not_found',
  )
  async list(
    @Param('id', orderIdPipe) id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<RefundList> {
    const { payment } = await this.tenancy.orderWithPayment(caller, id);
    const refunds = payment !== null && exists(payment.state) ? payment.state.refunds : [];
    return { items: refunds.map(refundAnswer) };
  }
}
