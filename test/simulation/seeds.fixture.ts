import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const LONGEST_MS = 600_000;

/**
 * Runs worlds as `npm run simulate` does, compiled and in a process of their own: inside the test
 * runner they take several times as long. Fails with what it told of the seeds that do not hold.
 */
export const expectSeedsToHold = async (from: number, seeds: number): Promise<void> => {
  const args = ['tools/simulate.mjs', '--seeds', String(seeds), '--from', String(from)];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    timeout: LONGEST_MS,
  }).catch(({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => {
    throw new Error(`${stdout}\n${stderr}`);
  });
  expect(stdout).toMatch(new RegExp(`^${seeds} seeds, \\d+ turns, 0 failed`, 'm'));
};
