export interface RunningPostgres {
  /**
   * The server's address `postgres://…@127.0.0.1:<port>`, without a database name: callers append
   * one.
   */
  readonly url: string;
  /** Ends the server as a crash would (SIGKILL). */
  kill9(): Promise<void>;
  /**
   * Stops the server if it runs, starts it on the same data and port, and waits until it answers.
   */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the embedded PostgreSQL. A throwaway data folder is deleted when this process ends. */
export function startPostgres(options: {
  /** The name of the data folder; its location is chosen so that the server's user can reach it. */
  readonly folder: string;
  readonly port: number;
  readonly password: string;
  readonly logFile: string;
  readonly throwaway?: boolean;
  /** Stores the data in memory where there is enough of it. */
  readonly inMemory?: boolean;
  /** Settings that are added to those of every server started here. */
  readonly settings?: Readonly<Record<string, string>>;
  /** How long a starting server may show no progress; 30 s unless given. */
  readonly silentMs?: number;
}): Promise<RunningPostgres>;

/**
 * `ready`: a session can be opened and used. `starting`: the server reports that it starts.
 * `refused`: the server refuses this user and password. `silent`: there is no usable answer.
 */
export function stateOfServer(url: string): Promise<'ready' | 'starting' | 'refused' | 'silent'>;
