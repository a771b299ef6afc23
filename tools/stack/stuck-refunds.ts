import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { programFile } from '../infra/programs.mjs';
import { onServer } from '../infra/databases.mjs';
import type { Stack } from './stack.js';

/**
 * Selects the refunds that need an operator. Ends their quiet period, because an operator must wait
 * until a request can no longer arrive at the provider.
 */
const STUCK_REFUNDS = `
  UPDATE jobs SET updated_at = clock_timestamp() - interval '16 minutes'
   WHERE kind = 'refund' AND state = 'stuck'
  RETURNING key AS "jobId"`;

/**
 * Resolves each refund with an unknown result by the provider's state, with the command in the
 * runbook. Returns the number of resolved refunds. The platform must then request those again that
 * the provider has not made.
 */
export const resolveStuckRefunds = async ({ databases, env }: Stack): Promise<number> => {
  const jobs = await onServer(
    databases.orchestrator,
    async (client) => (await client.query<{ jobId: string }>(STUCK_REFUNDS)).rows,
  );
  for (const { jobId } of jobs) {
    const words = ['requests', 'resolve', jobId, '--apply', '--reason', 'the result is unknown'];
    await promisify(execFile)(process.execPath, [programFile('ops'), ...words], {
      env: { ...process.env, ...env },
    });
  }
  return jobs.length;
};
