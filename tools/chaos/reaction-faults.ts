import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../infra/paths.mjs';
import { scratchDir } from '../infra/processes.mjs';

/** Names the folder by which the harness and the processes under test share this fault. */
const FOLDER = 'CHAOS_REACTION_FAULTS';
const RATE = 'rate';
const FAILURES = 'failures';

/** The text of a file; empty where it is not there. */
const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return '';
  }
};

/** Reactions of sagas that fail in the processes under test, whose code knows nothing of it. */
export class ReactionFaults {
  /** For Node to import before the program. */
  readonly preload = join(ROOT, 'dist', 'tools', 'chaos', 'failing-reactions.js');

  private constructor(private readonly folder: string) {}

  /** `rate`: how likely a reaction fails. */
  static begin(rate: number): ReactionFaults {
    const folder = scratchDir(mkdtempSync(join(tmpdir(), 'reaction-faults-')));
    writeFileSync(join(folder, RATE), String(rate));
    return new ReactionFaults(folder);
  }

  /** What the processes need in their environment. */
  get env(): Readonly<Record<string, string>> {
    return { [FOLDER]: this.folder };
  }

  /** From now on none fails, also of those that have begun to. */
  heal(): void {
    rmSync(join(this.folder, RATE), { force: true });
  }

  /** What every process could not react to, each as often as it began to fail. */
  failed(): readonly string[] {
    return textOf(join(this.folder, FAILURES))
      .split('\n')
      .filter((line) => line !== '');
  }
}

/** The same fault as a process under test sees it. Read each time: a process may outlive it. */
export const reactionFaultsHere = () => {
  const folder = process.env[FOLDER] ?? '';
  return {
    rate: (): number => Number(textOf(join(folder, RATE))),
    note: (failure: string): void => appendFileSync(join(folder, FAILURES), `${failure}\n`),
  };
};
