import { runSeed } from './run-seed.js';
import { NO_SEEDS, sumOf, tallyOf } from './tally.js';

/** The seeds that a process runs next. */
export interface Batch {
  readonly from: number;
  readonly seeds: number;
}

/** Runs a batch of seeds for each message of the parent process, and returns their figures. */
process.on('message', ({ from, seeds }: Batch) => {
  const run = async (): Promise<void> => {
    let tally = NO_SEEDS;
    for (let seed = from; seed < from + seeds; seed += 1) {
      tally = sumOf(tally, tallyOf(await runSeed(seed)));
    }
    process.send?.(tally);
  };
  // A failure of the simulation itself must end the process, so that the parent process notices.
  run().catch((error: unknown) => {
    setImmediate(() => {
      throw error;
    });
  });
});
