import { type CaseSource, PROVIDER, withoutIds } from './case-source.js';

/**
 * A refund that the payer waits for and that needs attention: its request failed or has an unknown
 * result, the provider did not make it, or a new request that replaces it has not paid the payer yet.
 * It is one case from the first failure until the payer has the money, or until an approver decides
 * that no refund is owed. Its key is the first request.
 */
export const UNPAID_REFUND: CaseSource = {
  columns: {
    key: 'u.first',
    subjectType: `'payment'`,
    subjectId: 'u.payment_id',
    targetId: `CASE WHEN u.part IN ('failed', 'unknown') THEN coalesce(u.job, u.current)
                    ELSE u.current END`,
    part: 'u.part',
    reason: `coalesce(${withoutIds('u.note')}, ${withoutIds('u.why')}, u.part)`,
    detail: `coalesce(u.note, u.why)`,
    origin: PROVIDER,
    amountMinor: 'u.amount_minor',
    currency: 'u.currency',
    since: 'u.since',
    deadline: 'NULL',
    acts: `CASE WHEN u.part IN ('unknown', 'reissued') THEN 'provider' ELSE 'operator' END`,
  },
  from: `
    FROM (
      -- Owed since an earlier failure; the newest request may have failed, too.
      SELECT p.payment_id, p.account_id, p.currency, o ->> 'requestId' AS first,
             o ->> 'current' AS current, (o ->> 'amountMinor')::bigint AS amount_minor,
             (o ->> 'since')::timestamptz AS since, j.key AS job, j.note,
             CASE WHEN o ->> 'current' = ANY (p.rejected_refunds) THEN 'not_made'
                  WHEN j.key IS NOT NULL AND r ->> 'status' = 'requested' THEN 'failed'
                  ELSE 'reissued' END AS part,
             r ->> 'rejection' AS why
        FROM payment_list p
       CROSS JOIN LATERAL jsonb_array_elements(p.owed_refunds) o
        LEFT JOIN LATERAL (SELECT one FROM jsonb_array_elements(p.refunds) one
                            WHERE one ->> 'requestId' = o ->> 'current' LIMIT 1) AS known(r) ON true
        LEFT JOIN jobs j ON j.subject_id = p.payment_id AND j.kind = 'refund' AND j.state = 'stuck'
       WHERE p.owed_refunds <> '[]'
       UNION ALL
      -- The first request itself, whose retries are exhausted.
      SELECT p.payment_id, p.account_id, p.currency, r ->> 'requestId', r ->> 'requestId',
             (r ->> 'amountMinor')::bigint, (r ->> 'createdAt')::timestamptz, j.key, j.note,
             'failed', NULL
        FROM jobs j
        JOIN payment_list p ON p.payment_id = j.subject_id
       CROSS JOIN LATERAL jsonb_array_elements(p.refunds) r
       WHERE j.state = 'stuck' AND j.kind = 'refund' AND r ->> 'status' = 'requested'
         AND NOT p.owed_refunds @> jsonb_build_array(jsonb_build_object('current', r -> 'requestId'))
       UNION ALL
      -- The first request itself, whose result is unknown.
      SELECT p.payment_id, p.account_id, p.currency, r ->> 'requestId', r ->> 'requestId',
             (r ->> 'amountMinor')::bigint, (r ->> 'createdAt')::timestamptz, NULL, NULL,
             'unknown', NULL
        FROM payment_list p
       CROSS JOIN LATERAL jsonb_array_elements(p.refunds) r
       WHERE p.unknown_results <> '{}' AND 'refund' = ANY (p.unknown_results)
         AND r ->> 'status' = 'requested'
         AND NOT p.owed_refunds @> jsonb_build_array(jsonb_build_object('current', r -> 'requestId'))
         AND NOT EXISTS (SELECT FROM jobs j WHERE j.subject_id = p.payment_id AND j.kind = 'refund'
                                              AND j.state = 'stuck')
    ) u
    LEFT JOIN provider_accounts a ON a.id = u.account_id`,
};
