import { Pool } from 'pg';

/** The work of one database, in total or for one unit such as an order. */
export interface DatabaseCosts {
  /**
   * How often each statement was executed, by its text; null where the server does not count
   * statements.
   */
  readonly statements: ReadonlyMap<string, number> | null;
  /**
   * The number of transactions that wrote to this database; null where the server does not expose
   * its WAL.
   */
  readonly commits: number | null;
  /**
   * The WAL fsyncs of the whole server: the sandbox's database is included, because it shares the
   * WAL.
   */
  readonly walFsyncs: number;
  /** The bytes of WAL of the whole server, including those of the sandbox's database. */
  readonly walBytes: number;
  /** The rows inserted, updated and deleted in this database. */
  readonly rows: number;
  /** The blocks of this database that were used, found in memory or read. */
  readonly blocks: number;
  /** The blocks of this database that were read, because they were not in its memory. */
  readonly blocksRead: number;
}

export interface RelationWal {
  readonly relation: string;
  readonly bytes: number;
}

interface Reading extends Omit<DatabaseCosts, 'commits'> {
  readonly lsn: string;
}

/**
 * The PostgreSQL extensions with which statements and commits are counted; the servers that
 * `tools/bench.mjs` starts have them.
 */
const EXTENSIONS = ['pg_stat_statements', 'pg_walinspect'] as const;

const POSITION = `
  SELECT pg_current_wal_insert_lsn()::text AS lsn,
         (SELECT sum(fsyncs)::int FROM pg_stat_io WHERE object = 'wal') AS "walFsyncs",
         (pg_current_wal_insert_lsn() - '0/0')::float8 AS "walBytes",
         (tup_inserted + tup_updated + tup_deleted)::float8 AS rows,
         (blks_hit + blks_read)::float8 AS blocks, blks_read::float8 AS "blocksRead"
    FROM pg_stat_database WHERE datname = current_database()`;

/** Selects how often each statement was executed, without the statements of this measurement. */
const STATEMENTS = `
  SELECT query, sum(calls)::int AS calls FROM pg_stat_statements
   WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
     AND query NOT LIKE '%pg_stat_%' GROUP BY query`;

/** Counts the commits that changed a block of this database between two WAL positions. */
const COMMITS = `
  WITH records AS MATERIALIZED (
         SELECT xid, resource_manager, record_type, block_ref
           FROM pg_get_wal_records_info($1, $2) WHERE xid <> '0'),
       wrote AS (
         SELECT DISTINCT xid FROM records
          WHERE block_ref ~ ('rel [0-9]+/' || (
            SELECT oid FROM pg_database WHERE datname = current_database()) || '/'))
  SELECT count(*)::int AS commits FROM records JOIN wrote USING (xid)
   WHERE resource_manager = 'Transaction' AND record_type = 'COMMIT'`;

/**
 * The WAL bytes of each table and index between two WAL positions, the largest first. Included are
 * the full page images that PostgreSQL writes at the first change of a page after a checkpoint.
 */
const WAL_OF_RELATIONS = `
  SELECT c.relname AS relation,
         sum(coalesce(w.block_data_length, 0) + coalesce(w.block_fpi_length, 0))::float8 AS bytes
    FROM pg_get_wal_block_info($1, $2) w
    JOIN pg_class c ON c.relfilenode = w.relfilenode
   WHERE w.reldatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
   GROUP BY c.relname ORDER BY bytes DESC LIMIT 12`;

/** The work that the database did between two readings of its counters. */
const between = (before: Reading, after: Reading): Omit<DatabaseCosts, 'commits'> => {
  const { statements: earlier } = before;
  const sent =
    earlier &&
    [...(after.statements ?? [])].map(
      ([text, calls]) => [text, calls - (earlier.get(text) ?? 0)] as const,
    );
  return {
    statements: sent && new Map(sent),
    walFsyncs: after.walFsyncs - before.walFsyncs,
    walBytes: after.walBytes - before.walBytes,
    rows: after.rows - before.rows,
    blocks: after.blocks - before.blocks,
    blocksRead: after.blocksRead - before.blocksRead,
  };
};

/** Measures the work of a database, through a connection that is used for nothing else. */
export class DatabaseCounter {
  private constructor(
    private readonly pool: Pool,
    private readonly has: ReadonlySet<string>,
  ) {}

  static async open(databaseUrl: string): Promise<DatabaseCounter> {
    const pool = new Pool({ connectionString: databaseUrl, max: 1 });
    const has = new Set<string>();
    for (const name of EXTENSIONS) {
      try {
        await pool.query(`CREATE EXTENSION ${name}`);
        if (name === 'pg_stat_statements')
          await pool.query('SELECT count(*) FROM pg_stat_statements');
        has.add(name);
      } catch {
        // The user's own server lacks the extension, so the figures that need it are left out.
        continue;
      }
    }
    return new DatabaseCounter(pool, has);
  }

  close(): Promise<void> {
    return this.pool.end();
  }

  /**
   * The work of the database while `work` runs. The fsyncs of the last second may be missing,
   * because PostgreSQL's processes report them only once a second.
   */
  async during(work: () => Promise<unknown>): Promise<DatabaseCosts> {
    const [before, after] = await this.readings(work);
    return { ...between(before, after), commits: await this.commitsBetween(before, after) };
  }

  /**
   * Like `during`, but does not count commits, because this takes too long when there is much WAL.
   * If `pg_walinspect` is available, also measures the tables and indexes with the most WAL.
   */
  async withRelations(work: () => Promise<unknown>): Promise<{
    readonly costs: Omit<DatabaseCosts, 'commits'>;
    readonly wal: readonly RelationWal[];
  }> {
    const [before, after] = await this.readings(work);
    const wal = this.has.has('pg_walinspect')
      ? (await this.pool.query<RelationWal>(WAL_OF_RELATIONS, [before.lsn, after.lsn])).rows
      : [];
    return { costs: between(before, after), wal };
  }

  private async readings(work: () => Promise<unknown>): Promise<readonly [Reading, Reading]> {
    const before = await this.read();
    await work();
    return [before, await this.read()];
  }

  private async read(): Promise<Reading> {
    const {
      rows: [position],
    } = await this.pool.query<Omit<Reading, 'statements'>>(POSITION);
    return {
      statements: this.has.has('pg_stat_statements') ? await this.statements() : null,
      lsn: position?.lsn ?? '0/0',
      walFsyncs: position?.walFsyncs ?? 0,
      walBytes: position?.walBytes ?? 0,
      rows: position?.rows ?? 0,
      blocks: position?.blocks ?? 0,
      blocksRead: position?.blocksRead ?? 0,
    };
  }

  private async statements(): Promise<ReadonlyMap<string, number>> {
    const { rows } = await this.pool.query<{ query: string; calls: number }>(STATEMENTS);
    return new Map(rows.map(({ query, calls }) => [query, calls]));
  }

  private async commitsBetween(before: Reading, after: Reading): Promise<number | null> {
    if (!this.has.has('pg_walinspect')) return null;
    const { rows } = await this.pool.query<{ commits: number }>(COMMITS, [before.lsn, after.lsn]);
    return rows[0]?.commits ?? 0;
  }
}

/**
 * The costs of one unit, such as an order, without those of an idle product: (`all` − `times` ×
 * `idle`) / `by`.
 */
export const withoutIdle = (
  all: DatabaseCosts,
  idle: DatabaseCosts,
  times: number,
  by: number,
): DatabaseCosts => {
  const left = (each: number, ofIdle: number | undefined): number =>
    (each - times * (ofIdle ?? 0)) / by;
  return {
    statements:
      all.statements &&
      new Map(
        [...all.statements].map(([text, calls]) => [text, left(calls, idle.statements?.get(text))]),
      ),
    commits: all.commits === null ? null : left(all.commits, idle.commits ?? 0),
    walFsyncs: left(all.walFsyncs, idle.walFsyncs),
    walBytes: left(all.walBytes, idle.walBytes),
    rows: left(all.rows, idle.rows),
    blocks: left(all.blocks, idle.blocks),
    blocksRead: left(all.blocksRead, idle.blocksRead),
  };
};

/** The number of all executed statements; null where the server does not count statements. */
export const countOf = ({ statements }: DatabaseCosts): number | null =>
  statements && [...statements.values()].reduce((sum, count) => sum + count, 0);
