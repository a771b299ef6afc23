import type { Instant } from '#kernel';
import { type AccountTask, TaskLapsed } from '../../../apps/worker/payouts/account-task.js';
import type { TaskQueue } from '../../../apps/worker/payouts/task-queue.js';
import { ACCOUNT } from '../platform.js';
import type { SimulatedDatabase, TaskRow } from './database.js';
import type { Exchange } from './exchange.js';

const CLAIM_MS = 60_000;

export const claimableTasks = (
  { tasks }: SimulatedDatabase, now: Instant, nowMs: number,
): readonly TaskRow[] =>
  tasks.filter(({ dueAt, claimedUntilMs }) => dueAt <= now && claimedUntilMs < nowMs);

/** The tasks of the account's lists, as the workers share them. */
export const simulatedTasks = (
  database: SimulatedDatabase, exchange: Exchange, nowMs: () => number,
): Pick<TaskQueue, 'claim' | 'save' | 'ended' | 'putBack'> => {
  const mine = ({ kind, claim }: AccountTask): TaskRow | undefined =>
    database.tasks.find((row) => row.kind === kind && row.claim === claim);
  return {
    claim: (now, limit) => exchange('claim tasks', 'plain', () =>
      claimableTasks(database, now, nowMs()).slice(0, limit).map((row) => {
        row.claims += 1;
        const claim = `${row.kind} ${row.claims}`;
        Object.assign(row, { claim, claimedUntilMs: nowMs() + CLAIM_MS });
        const { kind, dueAt, tries, progress } = row;
        return { accountId: ACCOUNT, kind, subject: '', dueAt, tries, progress, claim };
      })),
    save: (task, progress) => exchange('save a task', 'plain', () => {
      const row = mine(task);
      if (row === undefined) throw new TaskLapsed(`${task.kind} is another's`);
      Object.assign(row, { progress, claimedUntilMs: nowMs() + CLAIM_MS });
    }),
    ended: (task, end) => exchange('end a task', 'plain', () => {
      const row = mine(task);
      if (row === undefined || end.next === 'done') return;
      const { dueAt, tries, progress = row.progress } = end;
      Object.assign(row, { dueAt, tries, progress, claim: null, claimedUntilMs: 0 });
    }),
    putBack: (task, waitMs) => exchange('put a task back', 'plain', () => {
      const row = mine(task);
      if (row !== undefined) Object.assign(row, { claim: null, claimedUntilMs: nowMs() + waitMs });
    }),
  };
};
