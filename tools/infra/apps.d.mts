export interface StartAppOptions {
  /** The folder below `apps/`, or `folder`; its compiled `main.js` is what runs. */
  readonly app: string;
  /** `apps` unless given. */
  readonly folder?: 'apps' | 'examples';
  /** Where it listens for HTTP on 127.0.0.1, also for `/health/ready`. */
  readonly port: number;
  /** Where it answers /metrics and the followed clock; `port` unless given. */
  readonly internalPort?: number;
  /** Added to our own environment, from which other apps' secrets are removed. */
  readonly env: Readonly<Record<string, string>>;
  /** Of Node itself, before the program. */
  readonly args?: readonly string[];
  /** Output is appended here; `.state/logs/<app>.log` unless given. */
  readonly logFile?: string;
  /** How long it may take until it is ready; 30 s unless given. */
  readonly timeoutMs?: number;
}

/** A running app of ours, ready when it is handed over. It ends when this process ends. */
export interface RunningApp {
  readonly app: string;
  readonly url: string;
  /** Where it answers /metrics and the followed clock. */
  readonly internalUrl: string;
  readonly logFile: string;
  readonly pid: number | undefined;
  exited(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  isRunning(): boolean;
  logTail(lines?: number): string;
  /** Ends it in order (SIGTERM). */
  stop(): Promise<void>;
  /** Ends it as a crash would (SIGKILL). */
  kill9(): Promise<void>;
  /** Ends it if it runs, starts it anew with the same settings and waits until it is ready. */
  restart(): Promise<void>;
}

/** Starts a compiled app and waits for `/health/ready`; throws a `Failure` with the log's end. */
export function startApp(options: StartAppOptions): Promise<RunningApp>;
