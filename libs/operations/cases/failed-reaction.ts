import { type CaseSource, modeOf, withoutIds } from './case-source.js';

const ERROR = `split_part(s.waiting ->> 'error', E'\\n', 1)`;

/**
 * A workflow whose reaction to an event or deadline failed. The workflow retries the reaction, or
 * is blocked.
 */
export const FAILED_REACTION: CaseSource = {
  columns: {
    key: `s.saga || '.' || s.key`,
    subjectType: `CASE WHEN s.key LIKE 'mer\\_%' THEN 'merchant' ELSE 'order' END`,
    subjectId: 's.key',
    targetId: 's.key',
    part: 's.saga',
    reason: withoutIds(ERROR),
    detail: ERROR,
    origin: `''`,
    mode: modeOf('s.key'),
    amountMinor: 'o.amount_minor',
    currency: 'o.currency',
    since: 's.failing_since',
    deadline: 'NULL',
    acts: `'operator'`,
  },
  from: `FROM sagas s LEFT JOIN order_list o ON o.order_id = s.key WHERE s.waiting IS NOT NULL`,
};
