import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scratchDir } from '../infra/processes.mjs';

/**
 * The points in an app's work at which the run can kill the app. `before`: just before the app
 * sends a statement, message or request. `after`: just after the app received the response.
 */
export const KILL_POINTS = [
  'before commit',
  'after commit',
  'before publish',
  'after publish',
  'before request',
  'after response',
] as const;

export type KillPoint = (typeof KILL_POINTS)[number];

/** The environment variable with the folder through which the run and the apps communicate. */
const FOLDER = 'CHAOS_KILL_POINTS';
const ARMED = 'armed';

interface Armed {
  readonly id: number;
  readonly point: KillPoint;
  readonly nth: number;
}

const textOf = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
};

const victimFile = (folder: string, id: number): string => join(folder, `victim-${id}`);

/**
 * Kills the app that reaches an armed kill point. Only one point is armed at a time, for all apps.
 */
export class KillPoints {
  private readonly folder = scratchDir(mkdtempSync(join(tmpdir(), 'kill-points-')));
  private id = 0;

  /** The variables to add to the environment of the processes under test. */
  get env(): Readonly<Record<string, string>> {
    return { [FOLDER]: this.folder };
  }

  /** Arms a kill point: the first app that reaches the point for the `nth` time is killed. */
  arm(point: KillPoint, nth: number): void {
    this.id += 1;
    const armed: Armed = { id: this.id, point, nth };
    const part = join(this.folder, 'part');
    writeFileSync(part, JSON.stringify(armed));
    renameSync(part, join(this.folder, ARMED));
  }

  disarm(): void {
    rmSync(join(this.folder, ARMED), { force: true });
  }

  /** The id of the process that was killed at the armed point; null if none was killed yet. */
  victim(): number | null {
    const text = textOf(victimFile(this.folder, this.id));
    return text === null || text === '' ? null : Number(text);
  }
}

/**
 * Returns a function that a process under test calls at each kill point. The function ends the
 * process if the point is armed and has killed no other process.
 */
export const killPointsHere = (): ((point: KillPoint) => void) => {
  const folder = process.env[FOLDER] ?? '';
  let counted = { id: 0, times: 0 };
  return (point) => {
    const text = textOf(join(folder, ARMED));
    if (text === null) return;
    const armed = JSON.parse(text) as Armed;
    if (armed.point !== point) return;
    counted = { id: armed.id, times: counted.id === armed.id ? counted.times + 1 : 1 };
    if (counted.times !== armed.nth) return;
    try {
      writeFileSync(victimFile(folder, armed.id), String(process.pid), { flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
      throw error;
    }
    process.kill(process.pid, 'SIGKILL');
  };
};
