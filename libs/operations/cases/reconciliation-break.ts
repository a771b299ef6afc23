import { atRiskMinor } from '#payout';
import { type CaseSource, modeOfAccount } from './case-source.js';

/** An open reconciliation break: a difference between the ledger and a payout. */
export const RECONCILIATION_BREAK: CaseSource = {
  columns: {
    key: 'x.exception_id',
    subjectType: `CASE WHEN x.payment_id IS NOT NULL THEN 'payment'
                       WHEN x.payout_id IS NOT NULL THEN 'payout' ELSE 'account' END`,
    subjectId: 'coalesce(x.payment_id, x.payout_id, x.account_id)',
    targetId: 'x.exception_id',
    part: 'x.kind',
    reason: 'x.kind',
    detail: `x.line_kind || ' ' || x.object_id`,
    origin: 'x.account_id',
    mode: modeOfAccount('x.account_id'),
    amountMinor: atRiskMinor('x'),
    currency: 'x.currency',
    since: 'x.found_at',
    deadline: 'NULL',
    acts: `'operator'`,
  },
  from: 'FROM reconciliation_exceptions x WHERE x.closed_at IS NULL',
};
