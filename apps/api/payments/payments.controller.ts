import { Body, Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOperation, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import { type FastifyReply } from 'fastify';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import { Answers, CHANGE_ERRORS } from '../shared/docs.js';
import { paymentIdPipe } from '../shared/id.pipe.js';
import {
  Idempotent,
  type IdempotentRequest,
  TakesIdempotencyKey,
} from '../shared/idempotency-key.js';
import { send } from '../shared/idempotency.js';
import { type Origin, RequestOrigin } from '../shared/origin.js';
import { Tenancy } from '../shared/tenancy.js';
import { paymentAnswer, PaymentAnswer } from './payment-answer.js';
import { RefreshPayment } from './payment.commands.js';

class RefreshDto {
  @ApiPropertyOptional({
    default: false,
    description: 'True when the page posted its message `finished` to you.',
  })
  @IsOptional()
  @IsBoolean()
  pageFinished?: boolean;
}

@ApiTags('Payments')
@Controller('v1/payments')
export class PaymentsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly tenancy: Tenancy,
  ) {}

  @Get(':id')
  @Allow('payments:read')
  @ApiOperation({ summary: 'Read a payment', operationId: 'getPayment' })
  @Answers({ status: 200, type: PaymentAnswer, description: 'The payment.' }, 'payment_not_found')
  async read(
    @Param('id', paymentIdPipe) id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<PaymentAnswer> {
    return paymentAnswer(id, await this.tenancy.payment(caller, id));
  }

  @Post(':id/refresh')
  @HttpCode(200)
  @Allow('payments:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Read the provider now',
    operationId: 'refreshPayment',
    description:
      'For the moment when the payment page posts its message: what the provider shows is known ' +
      'at once instead of with its webhook or the next scheduled read.',
  })
  @Answers(
    { status: 200, type: PaymentAnswer, description: 'The payment as the provider shows it now.' },
    ...CHANGE_ERRORS,
    'payment_not_found',
    'capability_missing',
    'provider_rejected',
    'provider_unauthorized',
    'provider_unavailable',
  )
  async refresh(
    @Param('id', paymentIdPipe) id: string,
    @Body() { pageFinished = false }: RefreshDto,
    @CurrentCaller() caller: Caller,
    @Idempotent() request: IdempotentRequest,
    @RequestOrigin() origin: Origin,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PaymentAnswer> {
    const refresh = new RefreshPayment(caller, id, pageFinished, request, origin);
    return send(reply, await this.commands.execute(refresh));
  }
}
