import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import type { Answer } from '../shared/answer.js';
import { type ChangeRequest, Idempotent, TakesIdempotencyKey } from '../shared/change-request.js';
import { Answers, CHANGE_ERRORS } from '../shared/docs.js';
import { merchantIdPipe } from '../shared/id.pipe.js';
import { NoFields } from '../shared/no-fields.js';
import { TerminalsAnswer } from './merchant-answer.js';
import { OrderTerminalDto } from './merchant.dto.js';
import { Terminals } from './terminals.js';

@ApiTags('Merchants')
@Controller('v1/merchants/:id/terminals')
export class TerminalsController {
  constructor(private readonly terminals: Terminals) {}

  @Get()
  @Allow('merchants:read')
  @ApiOperation({ summary: 'List a merchant’s terminals', operationId: 'listTerminals' })
  @Answers(
    { status: 200, type: TerminalsAnswer, description: 'Its terminals.' },
    'merchant_not_found',
  )
  list(
    @Param('id', merchantIdPipe) id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<TerminalsAnswer> {
    return this.terminals.list(caller, id);
  }

  @Post()
  @HttpCode(202)
  @Allow('merchants:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Order a terminal',
    operationId: 'orderTerminal',
    description:
      'For a merchant that is `validated` or `available`, shipped to its delivery address. One at ' +
      'a time; the timeline shows a refusal by the provider.',
  })
  @Answers(
    { status: 202, type: TerminalsAnswer, description: 'The order is requested.' },
    ...CHANGE_ERRORS,
    'merchant_not_found',
    'merchant_not_registered',
    'merchant_not_validated',
    'terminal_order_in_progress',
  )
  order(
    @Param('id', merchantIdPipe) id: string,
    @Body() { name }: OrderTerminalDto,
    @Idempotent() request: ChangeRequest,
  ): Promise<Answer<TerminalsAnswer>> {
    return this.terminals.order(request, id, name);
  }

  @Post(':terminalId/cancel')
  @HttpCode(202)
  @Allow('merchants:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Cancel the order of a terminal',
    operationId: 'cancelTerminal',
    description: 'Possible while it is pending.',
  })
  @Answers(
    { status: 202, type: TerminalsAnswer, description: 'The cancellation is requested.' },
    ...CHANGE_ERRORS,
    'merchant_not_found',
    'merchant_not_registered',
    'terminal_not_found',
    'terminal_not_pending',
  )
  cancel(
    @Param('id', merchantIdPipe) id: string,
    @Param('terminalId') terminalId: string,
    @NoFields() _fields: void,
    @Idempotent() request: ChangeRequest,
  ): Promise<Answer<TerminalsAnswer>> {
    return this.terminals.cancel(request, id, terminalId);
  }
}
