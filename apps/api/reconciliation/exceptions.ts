import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { EventStore } from '#log';
import { newId, Rejection } from '#kernel';
import { forPlatforms, Lists, ofPlatform } from '#lists';
import { EXCEPTION_LIST } from '#payout';
import type { Caller } from '../auth/key-verifier.js';
import type { IdempotentRequest } from '../shared/idempotency-key.js';
import { type Answer, Idempotency } from '../shared/idempotency.js';
import { metadataOf, type Origin } from '../shared/origin.js';
import type { ExceptionAnswer } from './exception-answer.js';

/** That one be closed, and is not over. */
const ASKED = `a.kind = 'close_exception' AND (a.status = 'executing'
  OR a.status = 'pending' AND a.expires_at > now())`;

const instant = (sql: string): string =>
  `to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const NAMES = { accountId: 'providerAccountId', state: 'status' } as const;

/** What stands in a line of a file. */
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

/** What payouts and journal do not agree in, of the caller's platform alone. */
@Injectable()
export class ReconciliationExceptions {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly store: EventStore,
    private readonly idempotency: Idempotency,
    private readonly lists: Lists,
  ) {}

  /**
   * A person has looked and says why it is in order: it is closed when the operator of the console
   * approves that. Throws `Rejection('exception_not_found' | 'exception_closed' | 'already_asked')`.
   */
  requestClosing(
    caller: Caller,
    id: string,
    reason: string,
    request: IdempotentRequest,
    origin: Origin,
  ): Promise<Answer<ExceptionAnswer>> {
    const by = `platform:${caller.platformId} key:${caller.keyPrefix}`;
    return this.idempotency.onceBeforeActing(request, async () => {
      const { closed } = await this.read(caller, id);
      if (closed !== null) {
        throw new Rejection('exception_closed', `the exception is closed: ${closed.reason}`);
      }
      const target = { subjectId: id };
      // It may be asked for by a request of ours whose answer was lost on its way.
      const asked = await this.pool.query(ASKED_BY_US, [JSON.stringify(target), by, reason]);
      if (asked.rowCount === 0) await this.ask(id, caller, reason, origin);
      const answer = { status: 202, body: await this.read(caller, id) };
      await this.store.step(metadataOf(id, caller, origin), (step) =>
        step.answered({ ...request, ...answer }),
      );
      return answer;
    });
  }

  /** With an entry of the audit. The api has no other way to ask the console's people for anything. */
  private async ask(
    exceptionId: string,
    { platformId, keyPrefix }: Caller,
    reason: string,
    { requestId }: Origin,
  ): Promise<void> {
    const {
      rows: [asked],
    } = await this.pool.query<{ added: boolean }>(
      'SELECT ask_to_close_exception($1, $2, $3, $4, $5, $6) AS added',
      [newId('act'), exceptionId, platformId, keyPrefix, reason, requestId],
    );
    if (asked?.added === true) return;
    throw new Rejection('already_asked', 'the same is asked for already, and not over');
  }

  private async read({ platformId }: Caller, id: string): Promise<ExceptionAnswer> {
    const scope = [...ofPlatform(EXCEPTIONS, platformId), ['exception_id = ?', id] as const];
    const exception = await this.lists.one<ExceptionAnswer>(EXCEPTIONS, scope);
    if (exception !== null) return exception;
    throw new Rejection('exception_not_found', 'there is no such exception');
  }
}
