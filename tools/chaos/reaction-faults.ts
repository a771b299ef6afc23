import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scratchDir } from '../infra/processes.mjs';

/**
 * The environment variable that names the folder through which the harness and the processes share
 * this fault.
 */
const FOLDER = 'CHAOS_REACTION_FAULTS';
const RATE = 'rate';
const FAILURES = 'failures';

/** The text of a file; empty when it does not exist. */
const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return '';
  }
};

/** Makes reactions of sagas fail in the processes under test, whose code is unchanged. */
export class ReactionFaults {
  private constructor(private readonly folder: string) {}

  /** `rate`: the probability that a reaction fails. */
  static begin(rate: number): ReactionFaults {
    const folder = scratchDir(mkdtempSync(join(tmpdir(), 'reaction-faults-')));
    writeFileSync(join(folder, RATE), String(rate));
    return new ReactionFaults(folder);
  }

  /** Added to the environment of the processes. */
  get env(): Readonly<Record<string, string>> {
    return { [FOLDER]: this.folder };
  }

  /** Ends all failures, including those that have already begun. */
  heal(): void {
    rmSync(join(this.folder, RATE), { force: true });
  }

  /** The events to which reactions failed in all processes, one for each failure that began. */
  failed(): readonly string[] {
    return textOf(join(this.folder, FAILURES))
      .split('\n')
      .filter((line) => line !== '');
  }
}

/**
 * The fault as a process under test reads it. The folder is read each time, because a process may
 * outlive the fault.
 */
export const reactionFaultsHere = () => {
  const folder = process.env[FOLDER] ?? '';
  return {
    rate: (): number => Number(textOf(join(folder, RATE))),
    note: (failure: string): void => appendFileSync(join(folder, FAILURES), `${failure}\n`),
  };
};
