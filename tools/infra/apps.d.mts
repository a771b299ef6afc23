export interface StartAppOptions {
  /** The app's folder below `apps/`, or `folder`; its compiled `main.js` is started. */
  readonly app: string;
  /** `apps` unless given. */
  readonly folder?: 'apps' | 'examples';
  /** The port of 127.0.0.1 at which the app serves HTTP, including `/health/ready`. */
  readonly port: number;
  /** The port at which the app serves /metrics and follows the clock; `port` unless given. */
  readonly internalPort?: number;
  /**
   * Variables that are added to our own environment, from which the secrets of other apps are
   * removed.
   */
  readonly env: Readonly<Record<string, string>>;
  /** Arguments of Node, which precede the program. */
  readonly args?: readonly string[];
  /** The file to which the app's output is appended; `.state/logs/<app>.log` unless given. */
  readonly logFile?: string;
  /** The maximum time until the app is ready; 30 s unless given. */
  readonly timeoutMs?: number;
}

/**
 * A running app of ours, which is ready when a caller receives it. It ends when this process ends.
 */
export interface RunningApp {
  readonly app: string;
  readonly url: string;
  /** The address at which the app serves /metrics and follows the clock. */
  readonly internalUrl: string;
  readonly logFile: string;
  readonly pid: number | undefined;
  exited(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  isRunning(): boolean;
  logTail(lines?: number): string;
  /** Ends the app in order (SIGTERM). */
  stop(): Promise<void>;
  /** Ends the app as a crash would (SIGKILL). */
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
