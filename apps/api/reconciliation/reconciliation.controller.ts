import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Allow } from '../auth/authenticate.js';
import type { Answer } from '../shared/answer.js';
import { type ChangeRequest, Idempotent, TakesIdempotencyKey } from '../shared/change-request.js';
import { Answers, CHANGE_ERRORS } from '../shared/docs.js';
import { exceptionIdPipe } from '../shared/id.pipe.js';
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
    summary: 'Request that an exception be closed, with a reason',
    description:
      'It is closed when an operator approves the request in the console within a day. It stays ' +
      'closed regardless of later facts; the actor and the reason are stored.',
  })
  @Answers(
    {
      status: 202,
      type: ExceptionAnswer,
      description: 'The request is recorded; the exception in its present state.',
    },
    ...CHANGE_ERRORS,
    'exception_not_found',
    'exception_closed',
    'already_requested',
  )
  closeException(
    @Param('id', exceptionIdPipe) id: string,
    @Body() { reason }: CloseExceptionDto,
    @Idempotent() request: ChangeRequest,
  ): Promise<Answer<ExceptionAnswer>> {
    return this.exceptions.requestClosing(request, id, reason);
  }
}
