import type { Pool } from 'pg';
import { assert } from '#kernel';
import { type DailyLimit, dailyLimitNow, recordAudit, setDailyLimit } from '#operations';
import { type Action, NOTHING, type Target } from './action.js';

const limitOf = ({ limit }: Target): DailyLimit => {
  assert(limit !== undefined, 'a limit change must say which limit it changes');
  return limit;
};

/** Changes the daily limit of a key, a platform or a mandate. */
export const changeLimit = (pool: Pool): Action => ({
  takesTwo: true,
  subjectOf: ({ subjectId }) => ({ type: 'limit', id: subjectId }),
  preview: async ({ target }) => {
    const limit = limitOf(target);
    const before = await dailyLimitNow(pool, limit);
    return { ...NOTHING, notes: [{ code: 'limit_changes', before, ...limit }] };
  },
  executedAs: 'rows',
  execute: async ({ id, target, actor, reason, approvedBy }, client) => {
    const limit = limitOf(target);
    await setDailyLimit(client, limit);
    await recordAudit(
      client,
      { actor, requestId: id },
      {
        action: 'limit.changed',
        subject: { type: 'limit', id: target.subjectId },
        reason,
        detail: { ...limit, actionId: id, approvedBy },
      },
    );
  },
});
