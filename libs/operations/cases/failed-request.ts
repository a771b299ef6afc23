import { type CaseSource, PROVIDER, withoutIds } from './case-source.js';

/**
 * A provider request whose retries are exhausted. A refund that the payer still waits for is a case of
 * the refund instead (`unpaid-refund.ts`).
 */
export const FAILED_REQUEST: CaseSource = {
  columns: {
    key: 'j.key',
    subjectType: `CASE WHEN p.payment_id IS NULL THEN 'merchant' ELSE 'payment' END`,
    subjectId: 'j.subject_id',
    targetId: 'j.key',
    part: 'j.kind',
    reason: withoutIds('j.note'),
    detail: 'j.note',
    origin: PROVIDER,
    // Requests about merchants have the key of a mode instead of an account.
    mode: `coalesce(a.mode, substring(j.account_id FROM '^partner:(.*)$'))`,
    amountMinor: 'p.amount_minor',
    currency: 'p.currency',
    since: 'j.updated_at',
    deadline: 'p.lapses_at',
    acts: `'operator'`,
  },
  from: `
    FROM jobs j
    LEFT JOIN payment_list p ON p.payment_id = j.subject_id
    LEFT JOIN provider_accounts a ON a.id = j.account_id
   WHERE j.state = 'stuck'
     AND NOT (j.kind = 'refund' AND coalesce(p.refunds @> '[{"status": "requested"}]', false))`,
};
