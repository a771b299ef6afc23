import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOperation, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { Optional } from '#platform';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import type { Answer } from '../shared/answer.js';
import { type ChangeRequest, Idempotent, TakesIdempotencyKey } from '../shared/change-request.js';
import { Answers, CHANGE_ERRORS } from '../shared/docs.js';
import { paymentIdPipe } from '../shared/id.pipe.js';
import { CallsProvider } from '../shared/provider-share.js';
import { Tenancy } from '../shared/tenancy.js';
import { paymentAnswer, PaymentAnswer } from './payment-answer.js';
import { RefreshPayment } from './payment-refresh.js';

class RefreshDto {
  @ApiPropertyOptional({
    default: false,
    description: 'True when the payment page posted its message `finished` to you.',
  })
  @Optional()
  @IsBoolean()
  pageCompleted?: boolean;
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
  @ApiOperation({ summary: 'Read a payment' })
  @Answers({ type: PaymentAnswer, description: 'The payment.' }, 'payment_not_found')
  async getPayment(
    @Param('id', paymentIdPipe) id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<PaymentAnswer> {
    return paymentAnswer(id, await this.tenancy.payment(caller, id));
  }

  @Post(':id/refresh')
  @CallsProvider()
  @Allow('payments:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Read a payment from the provider now',
    description:
      'For the moment when the payment page posts its message: the status changes immediately ' +
      'instead of with the webhook or the next scheduled read.',
  })
  @Answers(
    {
      type: PaymentAnswer,
      description: 'The payment, with its current status at the provider.',
    },
    ...CHANGE_ERRORS,
    'payment_not_found',
    'capability_missing',
    'provider_rejected',
    'provider_unauthorized',
    'provider_unavailable',
  )
  refreshPayment(
    @Param('id', paymentIdPipe) id: string,
    @Body() { pageCompleted = false }: RefreshDto,
    @Idempotent() request: ChangeRequest,
  ): Promise<Answer<PaymentAnswer>> {
    return this.commands.execute(new RefreshPayment(request, id, pageCompleted));
  }
}
