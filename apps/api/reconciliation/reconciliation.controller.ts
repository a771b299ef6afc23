import { Body, Controller, Param, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import { Answers, CHANGE_ERRORS } from '../shared/docs.js';
import { exceptionIdPipe } from '../shared/id.pipe.js';
import {
  Idempotent,
  type IdempotentRequest,
  TakesIdempotencyKey,
} from '../shared/idempotency-key.js';
import { send } from '../shared/idempotency.js';
import { type Origin, RequestOrigin } from '../shared/origin.js';
import { CloseExceptionDto, ExceptionAnswer } from './exception-answer.js';
import { ReconciliationExceptions } from './exceptions.js';

@ApiTags('Payouts')
@Controller('v1/reconciliation/exceptions')
export class ReconciliationController {
  constructor(private readonly exceptions: ReconciliationExceptions) {}

  @Post(':id/close')
  @Allow('payouts:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Ask for an exception to be closed, with a reason',
    operationId: 'closeException',
    description:
      'It is closed when a second person, at the operator’s console, approves that within a day. It ' +
      'stays closed, whatever is found later; who closed it and why is kept.',
  })
  @Answers(
    { status: 202, type: ExceptionAnswer, description: 'It is asked for; the exception as it is.' },
    ...CHANGE_ERRORS,
    'exception_not_found',
    'exception_closed',
    'already_asked',
  )
  async close(
    @Param('id', exceptionIdPipe) id: string,
    @Body() { reason }: CloseExceptionDto,
    @CurrentCaller() caller: Caller,
    @Idempotent() request: IdempotentRequest,
    @RequestOrigin() origin: Origin,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ExceptionAnswer> {
    return send(reply, await this.exceptions.requestClosing(caller, id, reason, request, origin));
  }
}
