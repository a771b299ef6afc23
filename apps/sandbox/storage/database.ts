import pg from 'pg';
import { type Instant, instantFromMs } from '#kernel';

/** A statement that PostgreSQL prepares once a connection, by its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

const INT8 = 20;
const DATE = 1082;
const TIMESTAMPTZ = 1184;

/** Amounts and sequence numbers fit a double; dates stay text; times are instants. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [INT8]: Number,
  [DATE]: (text) => text,
  [TIMESTAMPTZ]: (text): Instant => instantFromMs(Date.parse(text)),
};

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    const parser = format === 'binary' ? undefined : PARSERS[Number(oid)];
    return parser ?? pg.types.getTypeParser(oid, format);
  },
};

/** Short time limits: no transaction here waits for anything but the database. */
const LIMITS = '-c TimeZone=UTC -c transaction_timeout=20000';

const createSandboxPool = (url: string, max: number): pg.Pool =>
  new pg.Pool({
    connectionString: url,
    application_name: 'sandbox',
    max,
    types,
    // Statements of a transaction that do not need each other's answers travel together.
    pipeline: true,
    statement_timeout: 10_000,
    idle_in_transaction_session_timeout: 10_000,
    connectionTimeoutMillis: 5_000,
    options: LIMITS,
    keepAlive: true,
  });

interface Corked {
  cork(): void;
  uncork(): void;
}

/** What `send` writes to the server leaves in one packet. The driver does not offer it itself. */
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

/** One transaction (read committed). Every statement sees what was committed before it began. */
export class Transaction {
  private readonly writes: [statement: Statement, values: readonly unknown[]][] = [];

  constructor(private readonly client: pg.PoolClient) {}

  async query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const result = await this.client.query({ ...statement, values: [...values] });
    return result.rows as Row[];
  }

  /** A write whose rows nobody reads: it is sent together with the commit. */
  write(statement: Statement, values: readonly unknown[]): void {
    this.writes.push([statement, values]);
  }

  async commit(): Promise<void> {
    await together(this.client, () =>
      Promise.all([
        ...this.writes.map(([statement, values]) => this.query(statement, values)),
        // After a write that failed this rolls back, and the failure is told by the write.
        this.client.query('COMMIT'),
      ]),
    );
  }
}

/** The sandbox's database. Throws `pg.DatabaseError` as the driver does. */
export class Database {
  readonly pool: pg.Pool;

  constructor(url: string, onIdleError: (error: Error) => void, maxConnections = 12) {
    this.pool = createSandboxPool(url, maxConnections);
    this.pool.on('error', onIdleError);
    // One may also break while it is held, between two statements: the next one is told.
    this.pool.on('connect', (client) => client.on('error', () => undefined));
  }

  async query<Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const result = await this.pool.query({ ...statement, values: [...values] });
    return result.rows as Row[];
  }

  /** Commits what `work` wrote, or nothing at all when it throws. */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      const tx = new Transaction(client);
      try {
        const [, result] = await together(client, () =>
          Promise.all([client.query('BEGIN'), work(tx)]),
        );
        await tx.commit();
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

  async end(): Promise<void> {
    await this.pool.end();
  }
}

/** The unique constraint that a write ran into, by name; null for other errors. */
export const violatedConstraint = (error: unknown): string | null =>
  error instanceof pg.DatabaseError && error.code === '23505' ? (error.constraint ?? null) : null;
