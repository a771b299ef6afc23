import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const RETRY_MS = 100;

/** Proves that the lock is still ours; rejects when its connection is gone. */
export type AssertHeld = () => Promise<void>;

/**
 * Locks by name, over all processes, for work that calls the outside: session locks of PostgreSQL,
 * so no transaction stays open meanwhile. Each is held on a connection of its own and never one of
 * the app's pool, which the work needs: were all of those held, nobody could finish. A connection
 * is thrown away after use, so that it unlocks however the work went, and with the process.
 */
export class SessionLocks {
  private readonly connections: pg.Pool;

  /** At most `atOnce` are held or waited for by this process; one more waits for a connection. */
  constructor(pool: pg.Pool, atOnce: number) {
    this.connections = new pg.Pool({ ...pool.options, max: atOnce });
  }

  /** Does the work under the lock; null when somebody else holds it for all of `waitMs`. */
  async hold<T>(
    name: string, waitMs: number, work: (assertHeld: AssertHeld) => Promise<T>,
  ): Promise<{ readonly result: T } | null> {
    const connection = await this.connections.connect();
    // It may break while the work is with somebody else: the next question to it is told.
    connection.on('error', () => undefined);
    try {
      if (!(await obtained(connection, name, waitMs))) return null;
      const assertHeld = async (): Promise<void> => void (await connection.query('SELECT 1'));
      const result = await work(assertHeld);
      await assertHeld();
      return { result };
    } finally {
      connection.release(true);
    }
  }
}

/** Asks again and again rather than wait inside a statement, which has a time limit of its own. */
const obtained = async (
  connection: pg.PoolClient, name: string, waitMs: number,
): Promise<boolean> => {
  const untilMs = performance.now() + waitMs;
  for (;;) {
    const { rows } = await connection.query<{ locked: boolean }>(
      'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS locked', [name],
    );
    if (rows[0]?.locked === true) return true;
    if (performance.now() >= untilMs) return false;
    await sleep(RETRY_MS);
  }
};
