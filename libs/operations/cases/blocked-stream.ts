import { type CaseSource, modeOf, modeOfAccount } from './case-source.js';

/**
 * A stream that a log consumer does not process further, because only a newer release can read its
 * next event.
 */
export const BLOCKED_STREAM: CaseSource = {
  columns: {
    key: `b.reader || '.' || b.stream_id`,
    subjectType: 'b.stream_type',
    subjectId: 'b.stream_id',
    targetId: 'b.stream_id',
    part: 'b.reader',
    reason: 'b.type',
    detail: 'b.type',
    origin: `''`,
    mode: `coalesce(${modeOfAccount('p.account_id')}, ${modeOf('b.stream_id')})`,
    amountMinor: 'coalesce(o.amount_minor, p.amount_minor)',
    currency: 'coalesce(o.currency, p.currency)',
    since: 'b.blocked_at',
    deadline: 'NULL',
    acts: `'operator'`,
  },
  from: `
    FROM blocked_streams b
    LEFT JOIN order_list o ON o.order_id = b.stream_id
    LEFT JOIN payment_list p ON p.payment_id = b.stream_id`,
};
