import type { ChildProcess } from 'node:child_process';

/** A process that ends with this one. */
export interface Supervised {
  readonly name: string;
  readonly pid: number | undefined;
  /** Resolves when the process has ended; rejects when it could not be started. */
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  readonly logFile: string | undefined;
  isRunning(): boolean;
  /** Sends SIGTERM, and SIGKILL after the stop's time limit. */
  stop(): Promise<void>;
  /** Ends it as a crash would: SIGKILL, no warning. */
  kill9(): Promise<void>;
}

export interface SuperviseOptions {
  readonly name: string;
  /** Output is appended here; without it the output goes where ours goes. */
  readonly logFile?: string | undefined;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly uid?: number;
  readonly gid?: number;
  readonly stopSignal?: NodeJS.Signals;
  readonly stopTimeoutMs?: number;
}

/** Starts a process in a group of its own that ends when we end, however we end. */
export function supervise(
  command: string,
  args: readonly string[],
  options: SuperviseOptions,
): Supervised;

/** Supervises a child that leads a process group (`detached`). */
export function track(child: ChildProcess, options: Pick<SuperviseOptions, 'name'>): Supervised;

/**
 * Waits until `probe` returns true; throws a `Failure` with the log's end when it has not for
 * `timeoutMs`, counted anew whenever `progress` returns another value.
 */
export function waitReady(
  supervised: Supervised,
  probe: () => boolean | Promise<boolean>,
  options: {
    readonly timeoutMs: number;
    readonly everyMs?: number;
    readonly progress?: () => unknown;
  },
): Promise<void>;

/** Makes a folder that is deleted when this process ends. */
export function scratchDir(path: string): string;

export function stopAll(): Promise<void>;

/** A port of 127.0.0.1 that was free a moment ago. */
export function freePort(): Promise<number>;

export function isPortFree(port: number): Promise<boolean>;

export function sleep(ms: number): Promise<void>;

/** The last lines of a file; empty when there is none. */
export function tailOf(file: string, lines?: number): string;
