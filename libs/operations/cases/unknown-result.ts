import { entityOfSubject } from '#onboarding';
import { type CaseSource, lastEvent, PROVIDER, modeOfMerchant } from './case-source.js';

/**
 * A payment or merchant with a provider request whose result is unknown and can still be found by a
 * read. When the retries are exhausted, the request becomes a failed request. A refund whose result
 * is unknown is an unpaid refund instead (`unpaid-refund.ts`).
 */
export const UNKNOWN_RESULT: CaseSource = {
  columns: {
    key: `u.subject_id || '.' || u.request`,
    subjectType: 'u.subject_type',
    subjectId: 'u.subject_id',
    targetId: 'u.subject_id',
    part: 'u.request',
    reason: 'u.request',
    detail: 'NULL',
    origin: PROVIDER,
    mode: `coalesce(a.mode, ${modeOfMerchant('u.subject_id')})`,
    amountMinor: 'u.amount_minor',
    currency: 'u.currency',
    since: 'u.since',
    deadline: 'u.deadline',
    acts: `'provider'`,
  },
  from: `
    FROM (
      SELECT 'payment' AS subject_type, p.payment_id AS subject_id, r.request, p.account_id,
             p.amount_minor, p.currency, coalesce(last.at, p.updated_at) AS since,
             coalesce(p.lapses_at, CASE r.request WHEN 'capture' THEN p.expires_at END) AS deadline
        FROM payment_list p
       CROSS JOIN LATERAL unnest(p.unknown_results) AS r (request)
        ${lastEvent('RequestResultUnknown', 'p.payment_id')}
       WHERE p.unknown_results <> '{}' AND r.request <> 'refund'
       UNION ALL
      SELECT 'merchant', m.merchant_id, r.request, NULL, NULL, NULL, m.unknown_since, NULL
        FROM merchant_attention m
       CROSS JOIN LATERAL unnest(m.unknown_results) AS r (request)
       WHERE m.unknown_since IS NOT NULL
    ) u
    LEFT JOIN provider_accounts a ON a.id = u.account_id
   WHERE NOT EXISTS (SELECT FROM jobs j WHERE ${entityOfSubject('j.subject_id')} = u.subject_id
                                          AND j.kind = u.request AND j.state = 'stuck')`,
};
