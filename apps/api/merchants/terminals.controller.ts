import { Body, Controller, Get, Inject, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Clock, newId } from '#kernel';
import { merchantAggregate, type MerchantCommand } from '#onboarding';
import { CLOCK } from '#platform';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import type { Answer } from '../shared/answer.js';
import { type ChangeRequest, Idempotent, TakesIdempotencyKey } from '../shared/change-request.js';
import { Answers, CHANGE_ERRORS } from '../shared/docs.js';
import { merchantIdPipe } from '../shared/id.pipe.js';
import { Idempotency } from '../shared/idempotency.js';
import { NoFields } from '../shared/no-fields.js';
import { Tenancy } from '../shared/tenancy.js';
import { terminalsAnswer, TerminalsAnswer } from './merchant-answer.js';
import { OrderTerminalDto } from './merchant.dto.js';

type TerminalCommand = Extract<
  MerchantCommand,
  { type: 'RequestTerminal' | 'RequestTerminalCancel' }
>;

/** Requests terminals and the cancellation of their orders; the worker calls the provider. */
@ApiTags('Merchants')
@Controller('v1/merchants/:id/terminals')
export class TerminalsController {
  constructor(
    private readonly tenancy: Tenancy,
    private readonly idempotency: Idempotency,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @Allow('merchants:read')
  @ApiOperation({ summary: 'List a merchant’s terminals' })
  @Answers(
    { type: TerminalsAnswer, description: 'The terminals of the merchant.' },
    'merchant_not_found',
  )
  async listTerminals(
    @Param('id', merchantIdPipe) id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<TerminalsAnswer> {
    return terminalsAnswer(await this.tenancy.merchant(caller, id));
  }

  @Post()
  @Allow('merchants:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Order a terminal',
    description:
      'For a merchant that is `validated` or `available`, shipped to its delivery address. One at ' +
      'a time; the timeline shows a refusal by the provider.',
  })
  @Answers(
    { status: 202, type: TerminalsAnswer, description: 'The order of the terminal is requested.' },
    ...CHANGE_ERRORS,
    'merchant_not_found',
    'merchant_not_registered',
    'merchant_not_validated',
    'terminal_order_in_progress',
  )
  orderTerminal(
    @Param('id', merchantIdPipe) id: string,
    @Body() { name }: OrderTerminalDto,
    @Idempotent() request: ChangeRequest,
  ): Promise<Answer<TerminalsAnswer>> {
    const [requestId, at] = [newId('req'), this.clock.now()];
    const command = { type: 'RequestTerminal', requestId, name, by: 'platform', at } as const;
    return this.execute(request, id, command);
  }

  @Post(':terminalId/cancel')
  @Allow('merchants:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Cancel the order of a terminal',
    description: 'Possible only while the terminal’s order is pending.',
  })
  @Answers(
    { status: 202, type: TerminalsAnswer, description: 'The cancellation is requested.' },
    ...CHANGE_ERRORS,
    'merchant_not_found',
    'merchant_not_registered',
    'terminal_not_found',
    'terminal_not_pending',
  )
  cancelTerminal(
    @Param('id', merchantIdPipe) id: string,
    @Param('terminalId') terminalId: string,
    @NoFields() _fields: void,
    @Idempotent() request: ChangeRequest,
  ): Promise<Answer<TerminalsAnswer>> {
    const command = { type: 'RequestTerminalCancel', terminalId, at: this.clock.now() } as const;
    return this.execute(request, id, command);
  }

  private execute(
    request: ChangeRequest,
    merchantId: string,
    command: TerminalCommand,
  ): Promise<Answer<TerminalsAnswer>> {
    return this.idempotency.withReplay(request, () =>
      this.idempotency.step(request, merchantId, 202, async (step) => {
        await this.tenancy.merchant(request.caller, merchantId, step);
        await step.execute(merchantAggregate, merchantId, command);
        return terminalsAnswer(await this.tenancy.merchant(request.caller, merchantId, step));
      }),
    );
  }
}
