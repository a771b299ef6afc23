import { type CaseSource, lastEvent, modeOfAccount, modeOfMerchant } from './case-source.js';

/** A payment or merchant for which the provider shows something that contradicts our records. */
export const MISMATCH: CaseSource = {
  columns: {
    key: 'u.subject_id',
    subjectType: 'u.subject_type',
    subjectId: 'u.subject_id',
    targetId: 'u.subject_id',
    part: 'u.aspect',
    reason: 'u.aspect',
    detail: 'u.detail',
    origin: 'u.account_id',
    mode: `coalesce(${modeOfAccount('u.account_id')}, ${modeOfMerchant('u.subject_id')})`,
    amountMinor: 'u.amount_minor',
    currency: 'u.currency',
    since: 'u.since',
    deadline: 'NULL',
    acts: `'operator'`,
  },
  from: `
    FROM (
      SELECT 'payment' AS subject_type, p.payment_id AS subject_id, last.data ->> 'aspect' AS aspect,
             (last.data ->> 'expected') || ' → ' || (last.data ->> 'observed') AS detail,
             p.account_id, p.amount_minor, p.currency, coalesce(last.at, p.updated_at) AS since
        FROM payment_list p
        ${lastEvent('PaymentMismatchObserved', 'p.payment_id')}
       WHERE p.mismatched
       UNION ALL
      SELECT 'merchant', m.merchant_id, split_part(m.mismatches[1], ' ', 1), m.mismatches[1], '',
             NULL, NULL, m.mismatched_since
        FROM merchant_attention m WHERE m.mismatched_since IS NOT NULL
    ) u`,
};
