import { Body, Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import { Answers, CHANGE_ERRORS } from '../shared/docs.js';
import { merchantIdPipe } from '../shared/id.pipe.js';
import {
  Idempotent,
  type IdempotentRequest,
  TakesIdempotencyKey,
} from '../shared/idempotency-key.js';
import { send } from '../shared/idempotency.js';
import { NoFields } from '../shared/no-fields.js';
import { type Origin, RequestOrigin } from '../shared/origin.js';
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
      'For a merchant that is `validated` or `available`, to its shipping address. One at a ' +
      'time; a refusal of the provider’s is in the timeline.',
  })
  @Answers(
    { status: 202, type: TerminalsAnswer, description: 'It is asked for.' },
    ...CHANGE_ERRORS,
    'merchant_not_found',
    'merchant_not_registered',
    'merchant_not_validated',
    'terminal_order_under_way',
  )
  async order(
    @Param('id', merchantIdPipe) id: string,
    @Body() { name }: OrderTerminalDto,
    @CurrentCaller() caller: Caller,
    @Idempotent() request: IdempotentRequest,
    @RequestOrigin() origin: Origin,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TerminalsAnswer> {
    return send(reply, await this.terminals.order(caller, id, name, request, origin));
  }

  @Post(':terminalId/cancel')
  @HttpCode(202)
  @Allow('merchants:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Cancel the order of a terminal',
    operationId: 'cancelTerminal',
    description: 'While it is pending.',
  })
  @Answers(
    { status: 202, type: TerminalsAnswer, description: 'Its cancellation is asked for.' },
    ...CHANGE_ERRORS,
    'merchant_not_found',
    'merchant_not_registered',
    'terminal_not_found',
    'terminal_not_pending',
  )
  async cancel(
    @Param('id', merchantIdPipe) id: string,
    @Param('terminalId') terminalId: string,
    @NoFields() _fields: void,
    @CurrentCaller() caller: Caller,
    @Idempotent() request: IdempotentRequest,
    @RequestOrigin() origin: Origin,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TerminalsAnswer> {
    return send(reply, await this.terminals.cancel(caller, id, terminalId, request, origin));
  }
}
