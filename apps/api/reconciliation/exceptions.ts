import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { EventStore } from '#event-store';
import { newId, Rejection } from '#kernel';
import type { Caller } from '../auth/key-verifier.js';
import type { IdempotentRequest } from '../shared/idempotency-key.js';
import { type Answer, Idempotency } from '../shared/idempotency.js';
import { EXPORT_ROWS, pagesOf } from '../shared/export.js';
import { metadataOf, type Origin } from '../shared/origin.js';
import { isInstant, PAGE, pageOf, positionOf } from '../shared/page.js';
import type {
  ExceptionAnswer, ExceptionFilter, ExceptionLine, ExceptionPage,
} from './exception-answer.js';

interface ExceptionRow
  extends Omit<ExceptionLine, 'foundAt' | 'closedAt'>, Pick<ExceptionAnswer, 'closing'> {
  readonly foundAt: Date;
  readonly closedAt: Date | null;
}

/** That one be closed, and is not over. */
const ASKED = `a.kind = 'close_exception' AND (a.status = 'executing'
  OR a.status = 'pending' AND a.expires_at > now())`;

const COLUMNS = `
  exception_id AS id, kind, account_id AS "providerAccountId", merchant_id AS "merchantId",
  line_kind AS "lineKind", object_id AS "objectId", payment_id AS "paymentId",
  payout_id AS "payoutId", currency, amount_minor::float8 AS "amountMinor", expected, observed,
  since::text, found_at AS "foundAt", closed_at AS "closedAt", closed_by AS "closedBy",
  close_reason AS "closeReason",
  (SELECT json_build_object('reason', a.reason, 'at', to_char(
            a.requested_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
     FROM admin_actions a
    WHERE ${ASKED} AND a.target = jsonb_build_object('subjectId', exception_id)) AS closing`;

const LIST = `
  SELECT ${COLUMNS} FROM reconciliation_exceptions
   WHERE platform_id = $1
     AND ($2::text IS NULL OR kind = $2)
     AND ($3::text IS NULL OR (closed_at IS NULL) = ($3 = 'open'))
     AND ($4::timestamptz IS NULL OR (found_at, exception_id) < ($4, $5))
   ORDER BY found_at DESC, exception_id DESC LIMIT $6`;

const READ = `
  SELECT ${COLUMNS} FROM reconciliation_exceptions WHERE platform_id = $1 AND exception_id = $2`;

const ASKED_BY_US = `
  SELECT FROM admin_actions a
   WHERE ${ASKED} AND a.target = $1 AND a.requested_by = $2 AND a.reason = $3`;

const answerOf = (row: ExceptionRow): ExceptionAnswer => {
  const { lineKind, objectId, foundAt, closedAt, closedBy, closeReason, ...rest } = row;
  return {
    ...rest,
    subject: { kind: lineKind, id: objectId },
    foundAt: foundAt.toISOString(),
    closed: closedAt && { at: closedAt.toISOString(), by: closedBy ?? '', reason: closeReason ?? '' },
  };
};

export const EXCEPTION_COLUMNS = [
  'id', 'kind', 'providerAccountId', 'merchantId', 'lineKind', 'objectId', 'paymentId', 'payoutId',
  'currency', 'amountMinor', 'expected', 'observed', 'since', 'foundAt', 'closedAt', 'closedBy',
  'closeReason',
] as const satisfies readonly (keyof ExceptionLine)[];

const lineOf = (exception: ExceptionRow): ExceptionLine => {
  const { foundAt, closedAt, closing: _, ...row } = exception;
  return { ...row, foundAt: foundAt.toISOString(), closedAt: closedAt?.toISOString() ?? null };
};

/** What payouts and journal do not agree in, of the caller's platform alone. */
@Injectable()
export class ReconciliationExceptions {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly store: EventStore,
    private readonly idempotency: Idempotency,
  ) {}

  async list(caller: Caller, filter: ExceptionFilter): Promise<ExceptionPage> {
    const { limit = PAGE } = filter;
    const rows = await this.after(caller, filter, positionOf(filter.cursor, isInstant), limit + 1);
    return pageOf(rows, limit, answerOf, ({ foundAt, id }) => [foundAt.toISOString(), id]);
  }

  all(caller: Caller): AsyncIterable<readonly ExceptionLine[]> {
    return pagesOf<ExceptionLine>(async (after) => {
      const position = [after?.foundAt ?? null, after?.id ?? null] as const;
      return (await this.after(caller, {}, position, EXPORT_ROWS)).map(lineOf);
    });
  }

  /**
   * A person has looked and says why it is in order: it is closed when the operator of the console
   * approves that. Throws `Rejection('exception_not_found' | 'exception_closed' | 'already_asked')`.
   */
  requestClosing(
    caller: Caller, id: string, reason: string, request: IdempotentRequest, origin: Origin,
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
        step.answered({ ...request, ...answer }));
      return answer;
    });
  }

  /** With an entry of the audit. The api has no other way to ask the console's people for anything. */
  private async ask(
    exceptionId: string, { platformId, keyPrefix }: Caller, reason: string, { requestId }: Origin,
  ): Promise<void> {
    const { rows: [asked] } = await this.pool.query<{ added: boolean }>(
      'SELECT ask_to_close_exception($1, $2, $3, $4, $5, $6) AS added',
      [newId('act'), exceptionId, platformId, keyPrefix, reason, requestId]);
    if (asked?.added === true) return;
    throw new Rejection('already_asked', 'the same is asked for already, and not over');
  }

  private async read({ platformId }: Caller, id: string): Promise<ExceptionAnswer> {
    const { rows } = await this.pool.query<ExceptionRow>(READ, [platformId, id]);
    if (rows[0] === undefined) {
      throw new Rejection('exception_not_found', 'there is no such exception');
    }
    return answerOf(rows[0]);
  }

  private async after(
    { platformId }: Caller, { kind = null, status = null }: { kind?: string | null; status?: string | null },
    position: readonly [string | null, string | null], limit: number,
  ): Promise<readonly ExceptionRow[]> {
    const values = [platformId, kind, status, ...position, limit];
    return (await this.pool.query<ExceptionRow>(LIST, values)).rows;
  }
}
