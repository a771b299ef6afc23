import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { programFile } from '../infra/programs.mjs';
import { onServer } from '../infra/databases.mjs';
import type { Stack } from './stack.js';

/**
 * Selects the refunds that need an operator, and ends their quiet period, in which a request may
 * still arrive at the provider: an operator acts only after this period.
 */
const STUCK_REFUNDS = `
  UPDATE jobs SET updated_at = clock_timestamp() - interval '16 minutes'
   WHERE kind = 'refund' AND state = 'stuck'
  RETURNING key AS "jobId"`;

/**
 * Resolves each refund whose result is unknown by the provider's state, as the runbook says and with
 * the command of the runbook. Returns their number. A refund that the provider has not made must
 * then be requested again.
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
