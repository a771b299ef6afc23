import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scratchDir } from '../infra/processes.mjs';
import { randomFrom } from './random.js';

/**
 * The environment variable with the path of a folder. By files in this folder the chaos run sets
 * the rate of failures, and the processes under test report which reactions failed.
 */
const FOLDER = 'CHAOS_REACTION_FAULTS';
const RATE = 'rate';
const SEED = 'seed';
const STARTS = 'starts';
const FAILURES = 'failures';
const SUCCESSES = 'successes';

/** The text of a file; empty when the file does not exist. */
const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return '';
  }
};

const linesOf = (file: string): readonly string[] =>
  textOf(file)
    .split('\n')
    .filter((line) => line !== '');

/** Makes saga reactions fail in the processes under test, without a change of their code. */
export class ReactionFaults {
  private constructor(
    private readonly folder: string,
    private readonly failureRate: number,
  ) {}

  /**
   * `rate`: the probability that a reaction fails. `seed` determines which reactions fail, counted
   * from each start of a process.
   */
  static begin(rate: number, seed: number): ReactionFaults {
    const folder = scratchDir(mkdtempSync(join(tmpdir(), 'reaction-faults-')));
    writeFileSync(join(folder, SEED), String(seed));
    const faults = new ReactionFaults(folder, rate);
    faults.resume();
    return faults;
  }

  /** The variables to add to the environment of the processes under test. */
  get env(): Readonly<Record<string, string>> {
    return { [FOLDER]: this.folder };
  }

  /** Restores the rate of failures after `heal`. */
  resume(): void {
    writeFileSync(join(this.folder, RATE), String(this.failureRate));
  }

  /** Ends all failures, including those that would still last. */
  heal(): void {
    rmSync(join(this.folder, RATE), { force: true });
  }

  /**
   * The events to which a reaction failed in any process, with one entry for each failure. A
   * failure may last for several attempts.
   */
  failed(): readonly string[] {
    return linesOf(join(this.folder, FAILURES));
  }

  /**
   * The events for which a reaction returned without an error in at least one process, as
   * `<stream id>/<version>`. The transaction of the reaction may have failed afterwards.
   */
  succeeded(): ReadonlySet<string> {
    return new Set(linesOf(join(this.folder, SUCCESSES)));
  }
}

/**
 * The faults for a process under test: the current probability that a reaction fails, the random
 * choices of this process, and logs of failed and successful reactions. The process reads the
 * probability before each reaction, because the run may end the failures at any time.
 */
export const reactionFaultsHere = () => {
  const folder = process.env[FOLDER] ?? '';
  const starts = join(folder, STARTS);
  appendFileSync(starts, `${process.pid}\n`);
  const seed = Number(textOf(join(folder, SEED)));
  return {
    random: randomFrom(seed, `reactions of start ${linesOf(starts).length}`),
    rate: (): number => Number(textOf(join(folder, RATE))),
    noteFailure: (failure: string): void => appendFileSync(join(folder, FAILURES), `${failure}\n`),
    noteSuccess: (event: string): void => appendFileSync(join(folder, SUCCESSES), `${event}\n`),
  };
};
