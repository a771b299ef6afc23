import { type CaseSource, lastEvent, withoutIds } from './case-source.js';

/** A payment with a capture that the provider rejected: the merchant is not paid. */
export const REJECTED_CAPTURE: CaseSource = {
  columns: {
    key: 'p.rejected_captures[1]',
    subjectType: `'payment'`,
    subjectId: 'p.payment_id',
    targetId: 'p.payment_id',
    part: 'p.status',
    reason: `coalesce(${withoutIds(`last.data ->> 'reason'`)}, '')`,
    detail: `last.data ->> 'reason'`,
    origin: 'p.account_id',
    amountMinor: `coalesce((last.data ->> 'amountMinor')::bigint, p.amount_minor)`,
    currency: 'p.currency',
    since: 'coalesce(last.at, p.updated_at)',
    deadline: 'p.lapses_at',
    acts: `'operator'`,
  },
  from: `
    FROM payment_list p
    ${lastEvent('CaptureRejected', 'p.payment_id')}
   WHERE p.rejected_captures <> '{}'`,
};
