import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { programFile } from '../infra/bundles.mjs';
import { onServer } from '../infra/databases.mjs';
import type { Stack } from '../stack/stack.js';
import type { Refunds } from './refunds.js';

/**
 * The refunds that need an operator. As the operator comes after the quiet period in which a request
 * may still arrive at the provider, that period is over.
 */
const STUCK_REFUNDS = `
  UPDATE jobs SET updated_at = clock_timestamp() - interval '16 minutes'
   WHERE kind = 'refund' AND state = 'stuck'
  RETURNING key AS "jobId"`;

/**
 * Does what the runbook says about refunds whose result is unknown: resolves each by the provider's
 * state, and requests again those that the provider has not made. Returns how many were resolved
 * and how many were requested again.
 */
export const resolveRefunds = async (
  { databases, env }: Stack,
  refunds: Refunds,
): Promise<{ readonly resolved: number; readonly again: number }> => {
  const jobs = await onServer(
    databases.orchestrator,
    async (client) => (await client.query<{ jobId: string }>(STUCK_REFUNDS)).rows,
  );
  for (const { jobId } of jobs) {
    const words = ['requests', 'resolve', jobId, '--reason', 'the result is unknown'];
    await promisify(execFile)(process.execPath, [programFile('tools/ops'), ...words], {
      env: { ...process.env, ...env },
    });
  }
  const again = await onServer(databases.sandbox, (client) => refunds.requestMissing(client));
  return { resolved: jobs.length, again };
};
