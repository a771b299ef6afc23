export interface RunningPostgres {
  /** `postgres://…@127.0.0.1:<port>`, without a database name: append one. */
  readonly url: string;
  /** Ends it as a crash would (SIGKILL). */
  kill9(): Promise<void>;
  /** Stops it if it runs, starts it on the same data and port, and waits until it answers. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the embedded PostgreSQL. A throwaway folder is deleted when this process ends. */
export function startPostgres(options: {
  /** A name; the place is chosen so that the server's user can reach it. */
  readonly folder: string;
  readonly port: number;
  readonly password: string;
  readonly logFile: string;
  readonly throwaway?: boolean;
  /** Keeps the data in memory where there is room for it. */
  readonly inMemory?: boolean;
  /** Added to the settings of every server here. */
  readonly settings?: Readonly<Record<string, string>>;
  /** How long a starting server may show no progress; 30 s unless given. */
  readonly silentMs?: number;
}): Promise<RunningPostgres>;

/**
 * `ready`: a session can be opened and used. `starting`: it reports that it starts. `refused`: not
 * with this user and password. `silent`: no usable answer.
 */
export function stateOfServer(url: string): Promise<'ready' | 'starting' | 'refused' | 'silent'>;
