import type { PoolClient } from 'pg';
import { conflictError } from './conflict.js';
import type { Receipt, Step } from './step.js';
import { commitCall, type CommitRow, keysOf } from './step-wire.js';

/**
 * Moves a consumer's inbox inside the caller's transaction, for what must be written together with
 * it. It keeps out steps of the same stream until that transaction ends: keep it short.
 *
 * @throws StepSuperseded when the consumer is past `previous` already.
 */
export const receiveWithin = async (client: PoolClient, receipt: Receipt): Promise<void> => {
  const step: Step = {
    receipt, appends: [], saga: null, reservations: [], answer: null, deadlines: [], fired: null,
    effects: [], effectResult: null, webhooks: [],
  };
  const { rows } = await client.query<CommitRow>(commitCall([step], keysOf(step)));
  const [conflict] = rows[0]?.conflicts ?? [];
  if (conflict !== undefined) throw conflictError(conflict);
};
