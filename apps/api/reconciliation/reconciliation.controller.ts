import { Body, Controller, Inject, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Pool } from 'pg';
import { newId, Rejection } from '#kernel';
import { Lists, ofPlatform } from '#lists';
import { firstRow } from '#platform';
import { Allow } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import type { Answer } from '../shared/answer.js';
import { type ChangeRequest, Idempotent, TakesIdempotencyKey } from '../shared/change-request.js';
import { Answers, CHANGE_ERRORS } from '../shared/docs.js';
import { exceptionIdPipe } from '../shared/id.pipe.js';
import { Idempotency } from '../shared/idempotency.js';
import { CloseExceptionDto, ExceptionAnswer } from './exception-answer.js';
import { ASKED, EXCEPTIONS } from './exceptions.js';

const ASKED_BY_US = `
  SELECT FROM admin_actions a
   WHERE ${ASKED} AND a.target = $1 AND a.requested_by = $2 AND a.reason = $3`;

@ApiTags('Payouts')
@Controller('v1/reconciliation/exceptions')
export class ReconciliationController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly idempotency: Idempotency,
    private readonly lists: Lists,
  ) {}

  @Post(':id/close')
  @Allow('payouts:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Request to close a reconciliation break, with a reason',
    description:
      'The break is closed when an operator approves the request in the console within a day, and ' +
      'stays closed regardless of later facts. The actor and the reason are stored. Nothing is booked: ' +
      'the ledger follows the provider’s fee of a line only if operators accept it in the console.',
  })
  @Answers(
    {
      status: 202,
      type: ExceptionAnswer,
      description: 'The break, with the request to close it.',
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
    const { caller } = request;
    const by = `platform:${caller.platformId} key:${caller.keyPrefix}`;
    const work = async () => {
      const { closed } = await this.read(caller, id);
      if (closed !== null) {
        throw new Rejection('exception_closed', `the exception is closed: ${closed.reason}`);
      }
      const target = { subjectId: id };
      // An earlier attempt of this request, whose response was lost, may have created the action
      // request.
      const requested = await this.pool.query(ASKED_BY_US, [JSON.stringify(target), by, reason]);
      if (requested.rowCount === 0) await this.ask(request, id, reason);
      const exception = await this.read(caller, id);
      return this.idempotency.step(request, id, 202, () => exception);
    };
    return this.idempotency.withLock(request, work, () => this.read(caller, id));
  }

  /**
   * Writes the action request with an audit entry; the API has no other access to operators'
   * actions.
   */
  private async ask(
    { caller: { platformId, keyPrefix }, requestId }: ChangeRequest,
    exceptionId: string,
    reason: string,
  ): Promise<void> {
    const asked = await firstRow<{ added: boolean }>(
      this.pool,
      'SELECT request_exception_closing($1, $2, $3, $4, $5, $6) AS added',
      [newId('act'), exceptionId, platformId, keyPrefix, reason, requestId],
    );
    if (asked?.added === true) return;
    throw new Rejection(
      'already_requested',
      'the same action is already requested and waits for approval',
    );
  }

  private async read({ platformId }: Caller, id: string): Promise<ExceptionAnswer> {
    const scope = [...ofPlatform(EXCEPTIONS, platformId), ['exception_id = ?', id] as const];
    const exception = await this.lists.one<ExceptionAnswer>(EXCEPTIONS, scope);
    if (exception !== null) return exception;
    throw new Rejection('exception_not_found', 'no reconciliation break has this id');
  }
}
