import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Few seeds, because `npm run simulate` runs thousands. */
const SEEDS = 100;
/** All seeds together take a few seconds; this limit only ends a run that hangs. */
const TIMEOUT_MS = 600_000;

/**
 * Runs seeds as `npm run simulate` does: compiled and in a separate process, because within Jest
 * they would take several times as long. Rejects with the output, which names the failed seeds.
 */
const simulate = async (seeds: number): Promise<string> => {
  const args = ['tools/simulate.mjs', '--seeds', String(seeds), '--from', '1'];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    timeout: TIMEOUT_MS,
  }).catch(({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => {
    throw new Error(`${stdout}\n${stderr}`);
  });
  return stdout;
};

test(
  `each of ${SEEDS} simulated seeds passes every check at each step and ends with no open work`,
  async () => {
    expect(await simulate(SEEDS)).toMatch(new RegExp(`^${SEEDS} seeds, \\d+ turns, 0 failed`, 'm'));
  },
  TIMEOUT_MS,
);
