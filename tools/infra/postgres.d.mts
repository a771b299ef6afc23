export interface RunningPostgres {
  /**
   * The server's URL `postgres://…@127.0.0.1:<port>` without a database name, which callers append.
   */
  readonly url: string;
  /** Kills the server with SIGKILL, as in a crash. */
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
  /** Stores the data in memory if enough memory is free. */
  readonly inMemory?: boolean;
  /** Settings that are added to those of every server started here. */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * The maximum time in milliseconds for which a starting server may make no progress. Default: 30
   * s.
   */
  readonly silentMs?: number;
}): Promise<RunningPostgres>;

/**
 * The state of a server. `ready`: a session can be opened and used. `starting`: the server reports
 * that it is starting. `refused`: the server refuses the user name or password. `silent`: the
 * server does not respond.
 */
export function stateOfServer(url: string): Promise<'ready' | 'starting' | 'refused' | 'silent'>;
