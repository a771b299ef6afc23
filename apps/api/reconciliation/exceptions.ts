import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { newId, Rejection } from '#kernel';
import { forPlatforms, Lists, ofPlatform } from '#lists';
import { EXCEPTION_LIST } from '#payout';
import type { Caller } from '../auth/key-verifier.js';
import type { Answer } from '../shared/answer.js';
import type { ChangeRequest } from '../shared/change-request.js';
import { Idempotency } from '../shared/idempotency.js';
import type { ExceptionAnswer } from './exception-answer.js';

/** The open action request to close one. */
const ASKED = `a.kind = 'close_exception' AND (a.status = 'executing'
  OR a.status = 'pending' AND a.expires_at > now())`;

const instant = (sql: string): string =>
  `to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const NAMES = { accountId: 'providerAccountId', state: 'status' } as const;

/** The columns of a line of a file. */
export const EXCEPTION_LINES = forPlatforms(EXCEPTION_LIST, NAMES);

export const EXCEPTIONS = forPlatforms(
  {
    ...EXCEPTION_LIST,
    columns: {
      ...EXCEPTION_LIST.columns,
      subject: { sql: `json_build_object('kind', line_kind, 'id', object_id)` },
      closing: {
        sql: `(SELECT json_build_object('reason', a.reason, 'at', ${instant('a.requested_at')})
        FROM admin_actions a
       WHERE ${ASKED} AND a.target = jsonb_build_object('subjectId', exception_id))`,
      },
      closed: {
        sql: `CASE WHEN closed_at IS NOT NULL THEN json_build_object(
        'at', ${instant('closed_at')}, 'by', closed_by, 'reason', coalesce(close_reason, '')) END`,
      },
    },
  },
  {
    ...NAMES,
    lineKind: null,
    objectId: null,
    closedAt: null,
    closedBy: null,
    closeReason: null,
  },
);

const ASKED_BY_US = `
  SELECT FROM admin_actions a
   WHERE ${ASKED} AND a.target = $1 AND a.requested_by = $2 AND a.reason = $3`;

/** Differences between payouts and ledger, of the caller's platform only. */
@Injectable()
export class ReconciliationExceptions {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly idempotency: Idempotency,
    private readonly lists: Lists,
  ) {}

  /**
   * Requests that an exception be closed with a reason; it is closed when an operator of the
   * console approves. Throws `Rejection('exception_not_found' | 'exception_closed' |
   * 'already_requested')`.
   */
  requestClosing(
    request: ChangeRequest,
    id: string,
    reason: string,
  ): Promise<Answer<ExceptionAnswer>> {
    const { caller } = request;
    const by = `platform:${caller.platformId} key:${caller.keyPrefix}`;
    return this.idempotency.withLock(request, async () => {
      const { closed } = await this.read(caller, id);
      if (closed !== null) {
        throw new Rejection('exception_closed', `the exception is closed: ${closed.reason}`);
      }
      const target = { subjectId: id };
      // An earlier request may have created it, and its response was lost.
      const requested = await this.pool.query(ASKED_BY_US, [JSON.stringify(target), by, reason]);
      if (requested.rowCount === 0) await this.ask(request, id, reason);
      const exception = await this.read(caller, id);
      return this.idempotency.step(request, id, 202, () => exception);
    });
  }

  /** Writes the action request with an audit entry; the api has no other way to reach operators. */
  private async ask(
    { caller: { platformId, keyPrefix }, requestId }: ChangeRequest,
    exceptionId: string,
    reason: string,
  ): Promise<void> {
    const {
      rows: [asked],
    } = await this.pool.query<{ added: boolean }>(
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
