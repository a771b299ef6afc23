import pg from 'pg';
import { type Instant, instantFromMs } from '#kernel';

/** A statement that PostgreSQL prepares once per connection, by name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/**
 * The error code with which the statement of a unit of work fails on purpose when a row no longer
 * has the compared version, see `unitSql`.
 */
const DIVISION_BY_ZERO = '22012';

const INT8 = 20;
const DATE = 1082;
const TIMESTAMPTZ = 1184;

/** The length of a timestamp with milliseconds as PostgreSQL writes it, in UTC. */
const TIMESTAMP_LENGTH = '2026-03-01 12:00:00.123+00'.length;

/**
 * An instant has milliseconds. A stored time with more digits, which only manual SQL writes, is
 * returned as the next millisecond: work is selected by `due_at <= instant`, so at the previous
 * millisecond the work would be due and never done.
 */
const instantOf = (text: string): Instant =>
  instantFromMs(Date.parse(text) + (text.length > TIMESTAMP_LENGTH ? 1 : 0));

/**
 * Parsers of column values: amounts and sequence numbers fit in a double, dates stay text,
 * timestamps become instants.
 */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [INT8]: Number,
  [DATE]: (text) => text,
  [TIMESTAMPTZ]: instantOf,
};

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    const parser = format === 'binary' ? undefined : PARSERS[Number(oid)];
    return parser ?? pg.types.getTypeParser(oid, format);
  },
};

/**
 * Time limits are short, because transactions wait only for the database. Plans other than index
 * scans are disabled, because a prepared statement keeps the plan made while a table was empty, and
 * would later scan the whole table for each row.
 */
const LIMITS =
  '-c TimeZone=UTC -c transaction_timeout=20000 ' +
  '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off';

const createSandboxPool = (url: string, max: number): pg.Pool =>
  new pg.Pool({
    connectionString: url,
    application_name: 'sandbox',
    max,
    types,
    // Sends statements without waiting for the results of earlier statements.
    pipeline: true,
    statement_timeout: 10_000,
    // Limits the wait for a response on a connection that has become silent.
    query_timeout: 15_000,
    idle_in_transaction_session_timeout: 10_000,
    // This time limit is long, because the sandbox also runs on busy development machines.
    connectionTimeoutMillis: 15_000,
    options: LIMITS,
    keepAlive: true,
  });

interface Corked {
  cork(): void;
  uncork(): void;
}

/**
 * Sends everything that `send` writes to the socket as one packet; the driver has no option for
 * this.
 */
const together = <T>(client: pg.PoolClient, send: () => T): T => {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Corked } })
    .connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
};

/**
 * Executes statements: the connection of a transaction, or the pool, which commits each statement
 * separately.
 */
interface Connection {
  query(config: pg.QueryConfig<unknown[]>): Promise<pg.QueryResult>;
}

const configOf = (
  { name, text }: Statement,
  values: readonly unknown[],
): pg.QueryConfig<unknown[]> => ({ name, text, values: values as unknown[] });

/** Thrown when work that runs without locks needs locks; the work then runs again with locks. */
class LocksNeeded extends Error {}

/**
 * One transaction (read committed): every statement sees what was committed before that statement
 * started. With `locks` false, no transaction: each statement commits separately.
 */
export class Transaction {
  private readonly writes: [statement: Statement, values: readonly unknown[]][] = [];

  constructor(
    private readonly connection: Connection,
    readonly locks = true,
  ) {}

  /** @throws {LocksNeeded} in a transaction without locks: the work then runs again with locks. */
  requireLocks(): void {
    if (!this.locks) throw new LocksNeeded();
  }

  async query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const result = await this.connection.query(configOf(statement, values));
    return result.rows as Row[];
  }

  /** Queues a write whose result is not needed; it is sent together with COMMIT. */
  write(statement: Statement, values: readonly unknown[]): void {
    this.requireLocks();
    this.writes.push([statement, values]);
  }

  /** Sends the writes. */
  async flush(): Promise<void> {
    await Promise.all(this.writes.map(([statement, values]) => this.query(statement, values)));
  }
}

/** The sandbox's database. Throws `pg.DatabaseError` like the driver. */
export class Database {
  readonly pool: pg.Pool;

  constructor(url: string, onIdleError: (error: Error) => void, maxConnections = 12) {
    this.pool = createSandboxPool(url, maxConnections);
    this.pool.on('error', onIdleError);
    // Without this listener, a connection that fails between two statements would end the process.
    // The next statement on the connection reports the failure.
    this.pool.on('connect', (client) => client.on('error', () => undefined));
  }

  async query<Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const result = await this.pool.query(configOf(statement, values));
    return result.rows as Row[];
  }

  /** Commits what `work` wrote, or nothing when it throws. */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      const tx = new Transaction(client);
      try {
        const [, result] = await together(client, () =>
          Promise.all([client.query('BEGIN'), work(tx)]),
        );
        // After a failed write, COMMIT only rolls back; the promise of the write reports the error.
        await together(client, () => Promise.all([tx.flush(), client.query('COMMIT')]));
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch((cause: Error) => {
          broken = cause;
        });
        throw error;
      }
    } finally {
      client.release(broken);
    }
  }

  /** Executes statements without a transaction and without locks; see `Store.decideUnlocked`. */
  unlocked(): Transaction {
    return new Transaction(this.pool, false);
  }

  async end(): Promise<void> {
    await this.pool.end();
  }
}

/** The name of the violated unique constraint; null for other errors. */
export const violatedConstraint = (error: unknown): string | null =>
  error instanceof pg.DatabaseError && error.code === '23505' ? (error.constraint ?? null) : null;

/**
 * Whether a unit of work was not written because a compared row has changed, see `Unit.compare`.
 */
export const isOutdated = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === DIVISION_BY_ZERO;
