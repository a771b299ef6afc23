import { type CaseSource, modeOfAccount } from './case-source.js';

/** An authorization that ends soon and whose capture was not requested. */
export const LAPSING_AUTHORIZATION: CaseSource = {
  columns: {
    key: 'p.payment_id',
    subjectType: `'payment'`,
    subjectId: 'p.payment_id',
    targetId: 'p.payment_id',
    part: `''`,
    reason: `''`,
    detail: 'NULL',
    origin: 'p.account_id',
    mode: modeOfAccount('p.account_id'),
    amountMinor: 'p.amount_minor',
    currency: 'p.currency',
    since: 'coalesce(last.at, p.updated_at)',
    deadline: 'p.lapses_at',
    acts: `'platform'`,
  },
  from: `
    FROM payment_list p
    LEFT JOIN LATERAL (
      SELECT (e.data ->> 'at')::timestamptz AS at FROM events e
       WHERE e.stream_type = 'payment' AND e.stream_id = p.payment_id
         AND e.type = 'AuthorizationExpiring' ORDER BY e.version DESC LIMIT 1) last ON true
   WHERE p.status = 'authorized' AND p.lapses_at IS NOT NULL AND p.rejected_captures = '{}'
     AND NOT EXISTS (SELECT FROM jobs j WHERE j.subject_id = p.payment_id AND j.kind = 'capture'
                                          AND j.state <> 'done')`,
};
