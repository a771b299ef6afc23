import type { Pool } from 'pg';
import { createDatabase, type DatabaseShape, type TestDatabase } from './infrastructure.js';
import { waitFor } from './wait-for.js';

/** The connections of a spec to its database, by role. They stay open from test to test. */
interface Pools {
  /** The pool with all rights. */
  readonly admin: Pool;
  readonly [role: string]: Pool;
}

/** A database with its connections, until `close`. */
export type OpenDatabase<Own extends Pools> = Omit<TestDatabase, 'drop'> & {
  readonly pools: Own;
  close(): Promise<void>;
};

type Open<Own extends Pools> = () => Promise<OpenDatabase<Own>>;

interface FirstContent {
  /** The rows of each table that had any, as JSON. */
  readonly rows: ReadonlyMap<string, string>;
  /** The values of all sequences, as JSON. */
  readonly sequences: string;
}

interface Kept<Own extends Pools> {
  readonly database: OpenDatabase<Own>;
  readonly first: FirstContent;
}

/** The tables whose files are not empty: those with rows, and those whose rows were deleted. */
const usedTables = async (admin: Pool): Promise<readonly string[]> => {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class
      WHERE relkind = 'r' AND relnamespace::regnamespace::text !~ '^(pg_|information_schema)'
        AND pg_relation_size(oid) > 0`,
  );
  return rows.map(({ name }) => name);
};

const readContent = async (admin: Pool): Promise<FirstContent> => {
  const found = new Map<string, string>();
  for (const name of await usedTables(admin)) {
    const { rows } = await admin.query<{ all: string | null }>(
      `SELECT json_agg(t)::text AS all FROM ${name} t`,
    );
    const all = rows[0]?.all ?? null;
    if (all !== null) found.set(name, all);
  }
  const { rows } = await admin.query<{ all: string }>(
    `SELECT coalesce(json_agg(s), '[]')::text AS all FROM (
       SELECT format('%I.%I', schemaname, sequencename) AS name,
              coalesce(last_value, start_value) AS value, last_value IS NOT NULL AS is_used
         FROM pg_sequences) s`,
  );
  return { rows: found, sequences: rows[0]?.all ?? '[]' };
};

/**
 * Restores the content of all tables and sequences. Triggers, which forbid to delete events, and
 * foreign keys do not apply meanwhile.
 */
const restore = async (admin: Pool, first: FirstContent): Promise<void> => {
  const used = await usedTables(admin);
  const client = await admin.connect();
  let isDone = false;
  try {
    const deletes = used.map((name) => `DELETE FROM ${name}`);
    await client.query(
      ['BEGIN', 'SET LOCAL session_replication_role = replica', ...deletes].join(';'),
    );
    for (const [name, rows] of first.rows) {
      await client.query(
        `INSERT INTO ${name} SELECT * FROM json_populate_recordset(NULL::${name}, $1)`,
        [rows],
      );
    }
    await client.query(
      `SELECT setval(name::regclass, value, is_used)
         FROM json_to_recordset($1) AS s(name text, value bigint, is_used boolean)`,
      [first.sequences],
    );
    await client.query('COMMIT');
    isDone = true;
  } finally {
    client.release(!isDone);
  }
};

const isUnused = ({ totalCount, idleCount, waitingCount }: Pool): boolean =>
  totalCount === idleCount && waitingCount === 0;

/** Creates a database; `connect` opens its connections. `close` deletes the database. */
export const openDatabase = async <Own extends Pools>(
  shape: DatabaseShape | undefined,
  connect: (database: TestDatabase) => Own | Promise<Own>,
): Promise<OpenDatabase<Own>> => {
  const database = await createDatabase(shape);
  const pools = await connect(database);
  return {
    url: database.url,
    urlFor: database.urlFor,
    pools,
    close: async () => {
      await Promise.all(Object.values(pools).map((pool) => pool.end()));
      await database.drop();
    },
  };
};

/**
 * The databases of a spec file. Each is lent to one test at a time, as `open` made it, because a
 * new database with new connections takes 0.2 CPU seconds. `close` of a lent database returns it.
 * A test that changes more than rows undoes the change itself.
 */
export interface LentDatabases<Own extends Pools> {
  readonly lend: Open<Own>;
  /** Deletes all databases. */
  end(): Promise<void>;
}

export const lendDatabases = <Own extends Pools>(open: Open<Own>): LentDatabases<Own> => {
  const all: OpenDatabase<Own>[] = [];
  const free: Kept<Own>[] = [];
  const openNew = async (): Promise<Kept<Own>> => {
    const database = await open();
    all.push(database);
    return { database, first: await readContent(database.pools.admin) };
  };
  return {
    lend: async () => {
      const used = free.pop();
      if (used !== undefined) await restore(used.database.pools.admin, used.first);
      const kept = used ?? (await openNew());
      const close = async (): Promise<void> => {
        await waitFor(() => Object.values(kept.database.pools).every(isUnused));
        free.push(kept);
      };
      return { ...kept.database, close };
    },
    end: async () => {
      for (const database of all) await database.close();
    },
  };
};
