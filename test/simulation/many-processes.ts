import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { describeReplay, describeShrunk } from './describe-failure.js';
import type { ManySeeds } from './main.js';
import type { Batch } from './seeds-process.js';
import { linesOf, NO_SEEDS, sumOf, type Tally } from './tally.js';

export interface ManyProcesses extends Omit<ManySeeds, 'part'> {
  readonly processes: number;
  /**
   * Whether the run ends at the first failure, and reduces the failed simulation to a smaller one.
   */
  readonly stopsAtFailure: boolean;
}

/**
 * The number of seeds that a process runs at a time: few enough that all processes end at about the
 * same time.
 */
const BATCH = 50;
/** How often the progress of a long run is printed, in seeds. */
const SAID_EVERY = 50_000;

const runBatch = (child: ChildProcess, batch: Batch): Promise<Tally> =>
  new Promise((resolve, reject) => {
    const onExit = (code: number | null): void =>
      reject(new Error(`the process that runs seeds from ${batch.from} ended with code ${code}`));
    child.once('exit', onExit);
    child.once('message', (tally) => {
      child.off('exit', onExit);
      resolve(tally as Tally);
    });
    child.send(batch);
  });

/** Runs simulations in several processes; returns the failed seeds, the smallest first. */
export const runInProcesses = async ({
  seeds,
  from,
  processes,
  stopsAtFailure,
  say,
}: ManyProcesses): Promise<readonly number[]> => {
  const startedMs = performance.now();
  const secondsNow = (): number => (performance.now() - startedMs) / 1_000;
  let tally = NO_SEEDS;
  let next = from;
  const runAll = async (): Promise<void> => {
    const child = fork(join(import.meta.dirname, 'seeds-process.js'));
    try {
      while (next < from + seeds && !(stopsAtFailure && tally.failed.length > 0)) {
        const batch = { from: next, seeds: Math.min(BATCH, from + seeds - next) };
        next += batch.seeds;
        const done = await runBatch(child, batch);
        const before = tally.seeds;
        tally = sumOf(tally, done);
        const isSaid = Math.floor(before / SAID_EVERY) < Math.floor(tally.seeds / SAID_EVERY);
        if (isSaid) for (const line of linesOf(tally, secondsNow())) say(line);
      }
    } finally {
      child.kill();
    }
  };
  await Promise.all(Array.from({ length: processes }, runAll));
  const seconds = secondsNow();
  const failed = tally.failed.toSorted((a, b) => a.seed - b.seed);
  for (const first of stopsAtFailure ? failed.slice(0, 1) : failed) {
    const one = { seed: first.seed };
    for (const line of await describeReplay(one, first)) say(line);
    if (!stopsAtFailure) continue;
    for (const line of await describeShrunk(one)) say(line);
  }
  for (const line of linesOf(tally, seconds)) say(line);
  return failed.map(({ seed }) => seed);
};
