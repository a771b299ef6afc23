import type { Pool } from 'pg';
import { assert } from '#kernel';
import { firstRow } from '#platform';
import type { UsualAccounts } from '../lists/mode.js';
import type { AttentionAnswer } from './overview-answers.js';

const payments = (where: string): string => `(
  SELECT count(*)::int FROM (SELECT FROM payment_list WHERE ${where} AND account_id <> ALL ($1)
                              LIMIT 10000) counted)`;

/**
 * `$1`: the accounts of the other mode; `$2`: the other mode. Requests with the partner's API key
 * have `partner:<mode>` instead of an account as `account_id`.
 */
const ATTENTION = `
  SELECT (SELECT count(*)::int FROM jobs
           WHERE state = 'stuck'
             AND account_id <> ALL ($1::text[] || ('partner:' || $2::text))) AS "failedRequests",
         (SELECT count(*)::int FROM sagas s
           WHERE s.waiting IS NOT NULL
             AND NOT EXISTS (SELECT FROM order_list o
                              WHERE o.order_id = s.key AND o.account_id = ANY ($1))
             AND NOT EXISTS (SELECT FROM merchant_list m
                              WHERE m.merchant_id = s.key AND m.mode = $2)) AS "failedReactions",
         (SELECT count(*)::int FROM admin_actions
           WHERE status = 'pending' AND expires_at > now()) AS approvals,
         ${payments(`unknown_results <> '{}'`)} AS "unknownResults",
         ${payments('mismatched')} AS "mismatches",
         ${payments(`rejected_refunds <> '{}'`)} AS "rejectedRefunds",
         ${payments(`rejected_captures <> '{}'`)} AS "rejectedCaptures",
         (SELECT count(*)::int FROM reconciliation_exceptions
           WHERE closed_at IS NULL AND account_id <> ALL ($1)) AS exceptions`;

/** The number of open issues of each kind in the usual mode; approvals are of both modes. */
export const readAttention = async (
  pool: Pool,
  { mode, others }: UsualAccounts,
): Promise<AttentionAnswer> => {
  const values = [others, mode === 'live' ? 'test' : 'live'];
  const counts = await firstRow<AttentionAnswer>(pool, ATTENTION, values);
  assert(counts !== undefined, 'counts are one row');
  return counts;
};
