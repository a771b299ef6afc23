import type { CaseSource } from './case-source.js';

/**
 * The number of consecutive failed deliveries from which an endpoint is a case. A few failures are
 * normal, because a delivery that failed is sent again.
 */
const FAILURES = 3;

/**
 * A webhook endpoint of a platform whose deliveries fail, or which was disabled for that reason. An
 * endpoint that a person disabled is not a case.
 */
export const FAILING_ENDPOINT: CaseSource = {
  columns: {
    key: 'e.id',
    subjectType: `'webhook_endpoint'`,
    subjectId: 'e.id',
    targetId: 'e.id',
    part: 'e.status',
    reason: 'e.host',
    detail: 'e.host',
    origin: 'e.platform_id',
    mode: 'NULL',
    amountMinor: 'NULL',
    currency: 'NULL',
    since: 'coalesce(e.disabled_at, e.failing_since)',
    deadline: `CASE WHEN e.status = 'enabled' THEN e.failing_since + interval '3 days' END`,
    acts: `'platform'`,
  },
  from: `
    FROM webhook_endpoints e
   WHERE e.status = 'enabled' AND e.failing_since IS NOT NULL AND e.failures >= ${FAILURES}
      OR e.status = 'disabled' AND e.disabled_reason IN ('failing', 'unsubscribed')`,
};
