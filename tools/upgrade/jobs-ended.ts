import type { RunningApp } from '../infra/apps.mjs';

/** The number of jobs of all kinds that a worker has ended since its start, with any result. */
export const jobsEndedBy = async ({ internalUrl }: RunningApp): Promise<number> => {
  const text = await (await fetch(`${internalUrl}/metrics`)).text();
  return text
    .split('\n')
    .filter((line) => line.startsWith('jobs_ended_total{'))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
};
