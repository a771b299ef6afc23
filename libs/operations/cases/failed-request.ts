import { MAX_TRIES } from '#jobs';
import { entityOfSubject } from '#onboarding';
import { type CaseSource, PROVIDER, withoutIds } from './case-source.js';

/** The number of failed attempts of the job `j` since its last retry by an operator. */
export const FAILED_ATTEMPTS = `(j.attempts - CASE j.state WHEN 'running' THEN 1 ELSE 0 END)`;

/** The error of the job `j`, without the reason of an operator who has retried the request. */
const ERROR = `regexp_replace(j.note, '^released: .*; was: ', '')`;

/**
 * A provider request whose retries are exhausted. If an operator retries it, the case stays open
 * until the request is done. The case is also open for a capture that is still retried after as
 * many failed attempts, because the authorization of its payment will expire. A refund that the
 * payer still waits for is a case of the refund instead (`unpaid-refund.ts`), and an authorization
 * that expires soon is a case of the authorization (`lapsing-authorization.ts`).
 */
export const FAILED_REQUEST: CaseSource = {
  columns: {
    key: 'j.key',
    subjectType: `CASE WHEN p.payment_id IS NULL THEN 'merchant' ELSE 'payment' END`,
    subjectId: entityOfSubject('j.subject_id'),
    targetId: 'j.key',
    part: 'j.kind',
    reason: withoutIds(ERROR),
    detail: 'j.note',
    origin: PROVIDER,
    // Requests about merchants have the account id `partner:<mode>`, which names no account.
    mode: `coalesce(a.mode, substring(j.account_id FROM '^partner:(.*)$'))`,
    amountMinor: 'p.amount_minor',
    currency: 'p.currency',
    since: `coalesce((j.progress ->> 'failedAt')::timestamptz,
                     CASE j.state WHEN 'stuck' THEN j.updated_at ELSE j.created_at END)`,
    // If the capture was requested before the expiry warning, lapses_at is null. A failed request of
    // any kind blocks the capture of an authorized payment.
    deadline: `coalesce(p.lapses_at, CASE WHEN j.kind = 'capture' OR p.status = 'authorized'
                                           THEN p.expires_at END)`,
    acts: `CASE j.state WHEN 'stuck' THEN 'operator' ELSE 'provider' END`,
  },
  from: `
    FROM (
      SELECT * FROM jobs WHERE state = 'stuck'
       UNION ALL
      SELECT j.* FROM jobs j
       WHERE j.subject_id IS NOT NULL AND j.state <> 'done' AND j.state <> 'stuck'
         AND (j.progress ? 'failedAt' AND j.kind <> 'refund'
              OR j.kind = 'capture' AND ${FAILED_ATTEMPTS} >= ${MAX_TRIES}
                 AND NOT EXISTS (SELECT FROM payment_list one WHERE one.payment_id = j.subject_id
                                                                AND one.status = 'authorized'))
    ) j
    LEFT JOIN payment_list p ON p.payment_id = j.subject_id
    LEFT JOIN provider_accounts a ON a.id = j.account_id
   WHERE NOT (j.kind = 'refund' AND coalesce(p.refunds @> '[{"status": "requested"}]', false))`,
};
