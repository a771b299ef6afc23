import { type CaseSource, lastEvent, withoutIds, modeOfAccount } from './case-source.js';

/**
 * A capture that the provider rejected: the merchant is not paid its amount. The value of `part` is
 * `final` if the capture was to release the rest of the authorization.
 */
export const REJECTED_CAPTURE: CaseSource = {
  columns: {
    key: 'rejected.capture_id',
    subjectType: `'payment'`,
    subjectId: 'p.payment_id',
    targetId: 'p.payment_id',
    part: `CASE WHEN EXISTS (
                    SELECT FROM events e
                     WHERE e.stream_type = 'payment' AND e.stream_id = p.payment_id
                       AND e.type = 'CaptureRequested'
                       AND e.data ->> 'captureId' = rejected.capture_id
                       AND (e.data ->> 'isFinal')::boolean)
                THEN 'final' ELSE '' END`,
    reason: `coalesce(${withoutIds(`last.data ->> 'reason'`)}, '')`,
    detail: `last.data ->> 'reason'`,
    origin: 'p.account_id',
    mode: modeOfAccount('p.account_id'),
    amountMinor: `coalesce((last.data ->> 'amountMinor')::bigint, p.amount_minor)`,
    currency: 'p.currency',
    since: 'coalesce(last.at, p.updated_at)',
    deadline: 'p.lapses_at',
    acts: `'operator'`,
  },
  from: `
    FROM payment_list p
   CROSS JOIN LATERAL unnest(p.rejected_captures) AS rejected (capture_id)
    ${lastEvent('CaptureRejected', 'p.payment_id', `e.data ->> 'captureId' = rejected.capture_id`)}
   WHERE p.rejected_captures <> '{}'`,
};
