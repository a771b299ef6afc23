import type { ChildProcess } from 'node:child_process';

/**
 * How a process has ended. `isStopped`: whether it was ended by `stop()`, and not by itself or by
 * `kill9()`.
 */
export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly isStopped: boolean;
}

/** A child process that is ended when this process ends. */
export interface Supervised {
  readonly name: string;
  readonly pid: number | undefined;
  /** Resolves when the process has ended; rejects when it could not be started. */
  readonly exited: Promise<End>;
  readonly logFile: string | undefined;
  isRunning(): boolean;
  /** Sends SIGTERM, and SIGKILL after the stop's time limit. */
  stop(): Promise<void>;
  /** Kills the process with SIGKILL, as in a crash. */
  kill9(): Promise<void>;
}

export interface SuperviseOptions {
  readonly name: string;
  /**
   * The file to which output is appended. Without it, the child writes to the outputs of this
   * process.
   */
  readonly logFile?: string | undefined;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly uid?: number;
  readonly gid?: number;
  readonly stopSignal?: NodeJS.Signals;
  readonly stopTimeoutMs?: number;
}

/**
 * Starts a child process in a process group of its own. It is ended when this process ends, even if
 * this process is killed.
 */
export function supervise(
  command: string,
  args: readonly string[],
  options: SuperviseOptions,
): Supervised;

/**
 * Supervises a child that was started elsewhere with `detached`, so that it leads a process group.
 */
export function track(child: ChildProcess, options: Pick<SuperviseOptions, 'name'>): Supervised;

/**
 * Waits until `probe` returns true. After `timeoutMs`, throws a `Failure` with the last lines of
 * the log. The time starts again whenever `progress` returns a new value.
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

/**
 * Ends every process started here and deletes every scratch folder, at the end of a tool. A spec
 * stops only its own, because the specs of one worker of Jest share a process.
 */
export function stopAll(): Promise<void>;

/** Finds a port of 127.0.0.1 on which no server listens. */
export function freePort(): Promise<number>;

export function isPortFree(port: number): Promise<boolean>;

export function sleep(ms: number): Promise<void>;

/** The last lines of a file; empty when the file does not exist. */
export function tailOf(file: string, lines?: number): string;
