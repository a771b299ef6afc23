import pg from 'pg';

/** Verifies that the lock is still held; rejects if its connection is lost. */
export type AssertHeld = () => Promise<void>;

/**
 * Locks by name, over all processes, for work that calls other services. These are session locks of
 * PostgreSQL, so no transaction stays open meanwhile. Each lock is held on a separate connection
 * outside the app's pool: the work needs connections of the pool, and could not finish if locks
 * used all of them. A connection is closed after use, so that the lock is released however the work
 * ended, even if the process fails.
 *
 * No caller waits for a lock: waiting callers would use up the connections, and one slow name would
 * block all other names.
 */
export class SessionLocks {
  private readonly connections: pg.Pool;
  private readonly heldHere = new Set<string>();

  /**
   * This process holds at most `atOnce` locks, each on a connection outside the pool; a further
   * caller waits for a connection, up to the pool's timeout.
   */
  constructor(pool: pg.Pool, atOnce: number) {
    this.connections = new pg.Pool({ ...pool.options, max: atOnce });
    // A connection that is opened after its caller's timeout stays idle, where it may break like
    // those of the pool.
    this.connections.on('error', (error, client) => pool.emit('error', error, client));
  }

  /** Runs the work under the lock; returns null at once if another process holds the lock. */
  async hold<T>(
    name: string,
    work: (assertHeld: AssertHeld) => Promise<T>,
  ): Promise<{ readonly result: T } | null> {
    // Callers that wait for a connection also count as holders: each name uses at most one
    // connection.
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
    // The connection may break while the work waits elsewhere: the next statement on it then fails.
    connection.on('error', () => undefined);
    try {
      if (!(await obtained(connection, name))) return null;
      const assertHeld = async (): Promise<void> => void (await connection.query('SELECT 1'));
      const result = await work(assertHeld);
      await assertHeld();
      return { result };
    } finally {
      // Closing the connection also unlocks, but some time later: the next caller would be refused.
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
