import {
  type CaseSource,
  modeOfAccount,
  modeOfMerchant,
  modeOfOrderPayment,
} from './case-source.js';

const MODE = `
  coalesce(${modeOfAccount('p.account_id')}, ${modeOfOrderPayment('o.payment_id')},
           ${modeOfMerchant('b.stream_id')})`;

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
    origin: MODE,
    mode: MODE,
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
