import { type CaseSource, PROVIDER, withoutIds } from './case-source.js';

/**
 * The refund requests whose retries were exhausted at some time: the request is still failed, or an
 * action has retried or resolved it. No event of the payment shows this, and the job is deleted
 * when it ends, so the jobs and the actions are read. The table of actions is named with its
 * schema, so that a read for a user with access to only some platforms also finds all actions: an
 * action on an incident may concern several platforms. Of the requests that such an action has
 * retried, only those of the payments that the user may read are used.
 */
const STUCK_ONCE = `
  SELECT e.stream_id AS payment_id, e.data ->> 'requestId' AS request_id
    FROM jobs j
    JOIN events e ON e.stream_type = 'payment' AND e.stream_id = j.subject_id
                 AND e.event_id::text = j.key
   WHERE j.state = 'stuck' AND j.kind = 'refund'
   UNION
  SELECT one ->> 'subjectId', one ->> 'requestId'
    FROM public.admin_actions done
   CROSS JOIN LATERAL jsonb_array_elements(done.outcome -> 'retried') one
   WHERE done.status = 'done' AND one ->> 'kind' = 'refund'
   UNION
  SELECT done.outcome ->> 'paymentId', done.outcome ->> 'requestId'
    FROM public.admin_actions done
   WHERE done.status = 'done' AND done.kind = 'resolve_result'`;

/**
 * A refund that the payer waits for and that needs attention: its request has failed or
 * has an unknown result, the provider did not make the refund, or the payer still waits for the
 * money after one of these. During a dispute, no refund is owed, because the payer has the money;
 * the case is then open only while a request has failed, is retried or has an unknown result. If
 * the merchant wins every dispute, the refund is owed again, but the provider never refunds a
 * disputed payment. The case lasts from the first failure until the payer has the money, or
 * until an approver decides that no refund is owed. The key of the case is the id of the first
 * request.
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
    mode: 'a.mode',
    amountMinor: 'u.amount_minor',
    currency: 'u.currency',
    since: 'u.since',
    deadline: 'NULL',
    acts: `CASE WHEN u.part IN ('failed', 'not_made', 'dispute_won') THEN 'operator' ELSE 'provider' END`,
  },
  from: `
    FROM (
      -- Refunds owed since a failure or an unknown result; the newest request may have failed, too.
      SELECT p.payment_id, p.account_id, p.currency, o ->> 'requestId' AS first,
             o ->> 'current' AS current, (o ->> 'amountMinor')::bigint AS amount_minor,
             (o ->> 'since')::timestamptz AS since, j.key AS job, j.note,
             CASE WHEN o ->> 'current' = ANY (p.rejected_refunds)
                    THEN CASE WHEN p.disputed THEN 'dispute_won' ELSE 'not_made' END
                  WHEN j.key IS NOT NULL AND r ->> 'status' = 'requested' THEN 'failed'
                  WHEN r ->> 'status' = 'requested' AND 'refund' = ANY (p.unknown_results)
                    THEN 'unknown'
                  WHEN o ->> 'current' <> o ->> 'requestId' THEN 'reissued'
                  WHEN r ->> 'status' = 'requested' THEN 'retried'
                  ELSE 'accepted' END AS part,
             r ->> 'rejection' AS why
        FROM payment_list p
       CROSS JOIN LATERAL jsonb_array_elements(p.owed_refunds) o
        LEFT JOIN LATERAL (SELECT one FROM jsonb_array_elements(p.refunds) one
                            WHERE one ->> 'requestId' = o ->> 'current' LIMIT 1) AS known(r) ON true
        LEFT JOIN jobs j ON j.subject_id = p.payment_id AND j.kind = 'refund' AND j.state = 'stuck'
       WHERE p.owed_refunds <> '[]'
         -- Nothing is owed during a dispute, but an open request may pay the payer twice.
         AND (NOT o ? 'disputed'
              OR r ->> 'status' = 'requested'
                 AND (j.key IS NOT NULL OR 'refund' = ANY (p.unknown_results)
                      OR EXISTS (SELECT FROM jobs again
                                  WHERE again.subject_id = p.payment_id AND again.kind = 'refund'
                                    AND again.state <> 'done' AND again.progress ? 'failedAt')))
       UNION ALL
      -- First requests whose retries are exhausted.
      SELECT p.payment_id, p.account_id, p.currency, r ->> 'requestId', r ->> 'requestId',
             (r ->> 'amountMinor')::bigint, (r ->> 'createdAt')::timestamptz, j.key, j.note,
             'failed', NULL
        FROM jobs j
        JOIN payment_list p ON p.payment_id = j.subject_id
       CROSS JOIN LATERAL jsonb_array_elements(p.refunds) r
       WHERE j.state = 'stuck' AND j.kind = 'refund' AND r ->> 'status' = 'requested'
         AND NOT p.owed_refunds @> jsonb_build_array(jsonb_build_object('current', r -> 'requestId'))
       UNION ALL
      -- First requests that were stuck. After a dispute or a returned debit nothing is owed, but an
      -- open request may pay the payer twice; that of an unknown result is selected below.
      SELECT p.payment_id, p.account_id, p.currency, r ->> 'requestId', r ->> 'requestId',
             (r ->> 'amountMinor')::bigint, (r ->> 'createdAt')::timestamptz, NULL, NULL,
             CASE r ->> 'status' WHEN 'requested' THEN 'retried' ELSE 'accepted' END, NULL
        FROM (${STUCK_ONCE}) once
        JOIN payment_list p ON p.payment_id = once.payment_id
       CROSS JOIN LATERAL jsonb_array_elements(p.refunds) r
       WHERE r ->> 'requestId' = once.request_id
         AND r ->> 'status' IN ('requested', 'to_refund', 'refund_sent')
         AND (NOT p.disputed AND p.status <> 'returned'
              OR r ->> 'status' = 'requested' AND NOT 'refund' = ANY (p.unknown_results))
         AND NOT p.owed_refunds @> jsonb_build_array(jsonb_build_object('current', r -> 'requestId'))
         AND NOT (r ->> 'status' = 'requested'
                  AND EXISTS (SELECT FROM jobs j WHERE j.subject_id = p.payment_id
                                                   AND j.kind = 'refund' AND j.state = 'stuck'))
       UNION ALL
      -- Unknown results after a dispute or a returned debit: nothing is owed, but the
      -- payer may be paid twice.
      SELECT p.payment_id, p.account_id, p.currency, r ->> 'requestId', r ->> 'requestId',
             (r ->> 'amountMinor')::bigint, (r ->> 'createdAt')::timestamptz, NULL, NULL,
             'unknown', NULL
        FROM payment_list p
       CROSS JOIN LATERAL jsonb_array_elements(p.refunds) r
       WHERE p.unknown_results <> '{}' AND 'refund' = ANY (p.unknown_results)
         AND (p.disputed OR p.status = 'returned') AND r ->> 'status' = 'requested'
         AND NOT p.owed_refunds @> jsonb_build_array(jsonb_build_object('current', r -> 'requestId'))
         AND NOT EXISTS (SELECT FROM jobs j WHERE j.subject_id = p.payment_id AND j.kind = 'refund'
                                              AND j.state = 'stuck')
    ) u
    LEFT JOIN provider_accounts a ON a.id = u.account_id`,
};
