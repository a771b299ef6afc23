import type { Pool } from 'pg';
import { assert } from '#kernel';
import { firstRow } from '#platform';
import type { CaseTotalList } from '../cases/case-answers.js';

const APPROVALS = `
  SELECT count(*)::int AS count FROM admin_actions
   WHERE status = 'pending' AND expires_at > now()`;

/** The number of action requests that await the approval of a second person, in both modes. */
export const countApprovals = async (pool: Pool): Promise<number> => {
  const approvals = await firstRow<{ count: number }>(pool, APPROVALS);
  assert(approvals !== undefined, 'a count is one row');
  return approvals.count;
};

/** The number of open cases of each kind in the usual mode, with those of cases without a mode. */
export const usualCaseCounts = ({
  items,
  usualMode,
}: Pick<CaseTotalList, 'items' | 'usualMode'>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { kind, mode, cases } of items) {
    if (mode === null || mode === usualMode) counts.set(kind, (counts.get(kind) ?? 0) + cases);
  }
  return counts;
};
