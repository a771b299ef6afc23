import type { PoolClient } from 'pg';
import { closeStep, type AuditOrigin, recordAudit } from '#operations';
import type { ActionStore } from './action-store.js';

export type Outcome = Readonly<Record<string, unknown>>;

/** The final status of an action. */
export interface End {
  readonly status: 'done' | 'failed';
  readonly outcome: Outcome;
}

/**
 * The final status of an action that is not executed any more. The status is done if the action's
 * events were committed, even if the process ended before it could mark the action as done.
 * Requires a lock on the action's row.
 */
export const outcomeOfGivenUp = async (
  client: PoolClient,
  id: string,
  failure: Outcome,
): Promise<End> => {
  const committed = await closeStep<Outcome>(client, id);
  return committed === null
    ? { status: 'failed', outcome: failure }
    : { status: 'done', outcome: committed };
};

const RESTORED = {
  code: 'restored',
  message: 'the database was restored: the action may have been executed before',
};

/**
 * Ends all open actions after a database restore, because an action may have been approved and
 * executed in the period whose events the restore lost. @returns the number of ended actions
 */
export const giveUpRestored = async (
  client: PoolClient,
  rows: ActionStore,
  origin: AuditOrigin,
  reason: string,
): Promise<number> => {
  const open = await rows.lockOpen(client);
  for (const { id, subject, ...detail } of open) {
    const { status, outcome } = await outcomeOfGivenUp(client, id, RESTORED);
    await rows.end(client, id, status, outcome);
    const entry = { subject, reason, detail: { ...detail, actionId: id, outcome } };
    await recordAudit(client, origin, { ...entry, action: `action.${status}` });
  }
  return open.length;
};
