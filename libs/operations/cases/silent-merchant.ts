import { type CaseSource, modeOfMerchant } from './case-source.js';

/**
 * A merchant whose registration has had the same status for too long. Until the registration is
 * complete the platform must act, then the provider.
 */
export const SILENT_MERCHANT: CaseSource = {
  columns: {
    key: 'm.merchant_id',
    subjectType: `'merchant'`,
    subjectId: 'm.merchant_id',
    targetId: 'm.merchant_id',
    part: 'm.status',
    reason: 'm.status',
    detail: 'NULL',
    origin: `''`,
    mode: modeOfMerchant('m.merchant_id'),
    amountMinor: 'NULL',
    currency: 'NULL',
    since: 'm.status_overdue_since',
    deadline: 'NULL',
    acts: `CASE WHEN m.status IN ('draft', 'incomplete', 'rejected') THEN 'platform'
                ELSE 'provider' END`,
  },
  from: 'FROM merchant_attention m WHERE m.status_overdue_since IS NOT NULL',
};
