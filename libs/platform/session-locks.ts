import pg from 'pg';

/** Verifies that the lock is still held; rejects if its connection is lost. */
export type AssertHeld = () => Promise<void>;

/**
 * Locks by name, across all processes, for work that calls other services. They are session locks
 * of PostgreSQL, so no transaction stays open during the work. Each lock has its own connection
 * outside the app's pool, because the work itself needs connections of the pool, and could not
 * finish if locks used them all. The connection is closed after the work, so that the lock is
 * released even if the work or the process fails.
 *
 * A caller never waits for a lock that is held: waiting callers would use up the connections, and
 * slow work under one name would block all other names.
 */
export class SessionLocks {
  private readonly connections: pg.Pool;
  private readonly heldHere = new Set<string>();

  /**
   * This process holds at most `atOnce` locks, each with its own connection; a further caller waits
   * for a connection, up to the pool's timeout.
   */
  constructor(pool: pg.Pool, atOnce: number) {
    this.connections = new pg.Pool({ ...pool.options, max: atOnce });
    // A connection that is opened after its caller has timed out stays idle; its errors are handled
    // in the same way as errors of the app's pool.
    this.connections.on('error', (error, client) => pool.emit('error', error, client));
  }

  /**
   * Runs the work under the lock; returns null immediately if the lock is held, here or in another
   * process.
   */
  async hold<T>(
    name: string,
    work: (assertHeld: AssertHeld) => Promise<T>,
  ): Promise<{ readonly result: T } | null> {
    // A caller that still waits for a connection already counts as the holder of the lock, so that
    // each name uses at most one connection.
    if (this.heldHere.has(name)) return null;
    this.heldHere.add(name);
    try {
      return await this.onConnection(name, work);
    } finally {
      this.heldHere.delete(name);
    }
  }

  private async onConnection<T>(
    name: string,
    work: (assertHeld: AssertHeld) => Promise<T>,
  ): Promise<{ readonly result: T } | null> {
    const connection = await this.connections.connect();
    // The connection may break during the work. The error is ignored here, because the next
    // statement on the connection fails.
    connection.on('error', () => undefined);
    try {
      if (!(await obtained(connection, name))) return null;
      const assertHeld = async (): Promise<void> => void (await connection.query('SELECT 1'));
      const result = await work(assertHeld);
      await assertHeld();
      return { result };
    } finally {
      // Closing the connection would release the lock, too, but slightly later, and until then the
      // next caller would be refused.
      await connection.query('SELECT pg_advisory_unlock_all()').catch(() => undefined);
      connection.release(true);
    }
  }
}

const obtained = async (connection: pg.PoolClient, name: string): Promise<boolean> => {
  const { rows } = await connection.query<{ locked: boolean }>(
    'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS locked',
    [name],
  );
  return rows[0]?.locked === true;
};
