import type { Pool } from 'pg';
import { assert } from '#kernel';
import { firstRow } from '#platform';
import type { AttentionAnswer } from './overview-answers.js';

const ATTENTION = `
  SELECT (SELECT count(*)::int FROM jobs WHERE state = 'stuck') AS "failedRequests",
         (SELECT count(*)::int FROM sagas WHERE waiting IS NOT NULL) AS "failedReactions",
         (SELECT count(*)::int FROM admin_actions
           WHERE status = 'pending' AND expires_at > now()) AS approvals,
         (SELECT count(*)::int FROM (SELECT FROM payment_list WHERE unknown_results <> '{}'
                                      LIMIT 10000) counted) AS "unknownResults",
         (SELECT count(*)::int FROM (SELECT FROM payment_list WHERE mismatched
                                      LIMIT 10000) counted) AS "mismatches",
         (SELECT count(*)::int FROM (SELECT FROM payment_list WHERE rejected_refunds <> '{}'
                                      LIMIT 10000) counted) AS "rejectedRefunds",
         (SELECT count(*)::int FROM (SELECT FROM payment_list WHERE rejected_captures <> '{}'
                                      LIMIT 10000) counted) AS "rejectedCaptures",
         (SELECT count(*)::int FROM reconciliation_exceptions
           WHERE closed_at IS NULL) AS exceptions`;

/** The number of open issues of each kind. */
export const readAttention = async (pool: Pool): Promise<AttentionAnswer> => {
  const counts = await firstRow<AttentionAnswer>(pool, ATTENTION);
  assert(counts !== undefined, 'counts are one row');
  return counts;
};
