import { type CaseSource, modeOfAccount, withoutIds } from './case-source.js';
import { FAILED_ATTEMPTS } from './failed-request.js';

/** The value of `part` if the capture was requested and its attempts fail. */
const CAPTURE = `'capture'`;

/**
 * An authorization that ends soon and whose capture was not requested, or is refused by the
 * provider. A capture of the last day is retried until the authorization ends, so its request never
 * becomes stuck. If the result of the capture is unknown, or its retries were exhausted before, the
 * request is a case instead (`unknown-result.ts`, `failed-request.ts`).
 */
export const LAPSING_AUTHORIZATION: CaseSource = {
  columns: {
    key: 'p.payment_id',
    subjectType: `'payment'`,
    subjectId: 'p.payment_id',
    targetId: 'p.payment_id',
    part: 'p.part',
    reason: `coalesce(${withoutIds('p.note')}, '')`,
    detail: 'p.note',
    origin: 'p.account_id',
    mode: modeOfAccount('p.account_id'),
    amountMinor: 'p.amount_minor',
    currency: 'p.currency',
    since: 'coalesce(last.at, p.updated_at)',
    deadline: 'p.deadline',
    acts: `CASE p.part WHEN ${CAPTURE} THEN 'operator' ELSE 'platform' END`,
  },
  from: `
    FROM (
      SELECT one.*, one.lapses_at AS deadline, '' AS part, NULL AS note
        FROM payment_list one
       WHERE one.status = 'authorized' AND one.lapses_at IS NOT NULL AND one.rejected_captures = '{}'
         AND NOT EXISTS (SELECT FROM jobs j WHERE j.subject_id = one.payment_id
                                              AND j.kind = 'capture' AND j.state <> 'done')
       UNION ALL
      -- The time of the next attempt is business time, as the expiry.
      SELECT one.*, one.expires_at, ${CAPTURE}, j.note
        FROM jobs j
        JOIN payment_list one ON one.payment_id = j.subject_id
       WHERE j.subject_id IS NOT NULL AND j.state <> 'done' AND j.state <> 'stuck'
         AND j.kind = 'capture' AND ${FAILED_ATTEMPTS} > 0 AND NOT j.progress ? 'failedAt'
         AND one.status = 'authorized' AND j.due_at >= one.expires_at - interval '24 hours'
         AND NOT 'capture' = ANY (one.unknown_results)
    ) p
    LEFT JOIN LATERAL (
      SELECT (e.data ->> 'at')::timestamptz AS at FROM events e
       WHERE e.stream_type = 'payment' AND e.stream_id = p.payment_id
         AND e.type = 'AuthorizationExpiring' ORDER BY e.version DESC LIMIT 1) last ON true`,
};
