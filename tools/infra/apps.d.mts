import type { End } from './processes.mjs';

export interface StartAppOptions {
  /** The name of the app's folder below `apps/` or `examples/`. */
  readonly app: string;
  /**
   * The root of another release's checkout, whose compiled `main.js` is started. By default the
   * bundled program of this checkout is started.
   */
  readonly checkout?: string;
  /** The port of 127.0.0.1 at which the app serves HTTP, including `/health/ready`. */
  readonly port: number;
  /**
   * The port at which the app serves /metrics and is notified of moves of the sandbox's clock.
   * Default: `port`.
   */
  readonly internalPort?: number;
  /**
   * Variables that are added to the environment of this process, from which the secrets of other
   * apps are removed.
   */
  readonly env: Readonly<Record<string, string>>;
  /** Arguments for Node, before the path of the program. */
  readonly args?: readonly string[];
  /** The file to which the app's output is appended; `.state/logs/<app>.log` unless given. */
  readonly logFile?: string;
  /** The maximum time until the app is ready; 30 s unless given. */
  readonly timeoutMs?: number;
}

/** A process of an app. It was ready when it was returned, and it ends when this process ends. */
export interface RunningApp {
  readonly app: string;
  readonly url: string;
  /** The URL at which the app serves /metrics and is notified of moves of the sandbox's clock. */
  readonly internalUrl: string;
  readonly logFile: string;
  readonly pid: number | undefined;
  exited(): Promise<End>;
  isRunning(): boolean;
  logTail(lines?: number): string;
  /** Sends SIGTERM and waits until the app has ended. */
  stop(): Promise<void>;
  /** Kills the app with SIGKILL, as in a crash. */
  kill9(): Promise<void>;
  /**
   * Ends the app if it runs, starts it again with the same settings and waits until it is ready.
   */
  restart(): Promise<void>;
}

/**
 * Starts a compiled app and waits for `/health/ready`; throws a `Failure` with the end of its log.
 */
export function startApp(options: StartAppOptions): Promise<RunningApp>;
