import type { Pool, QueryConfig, QueryResultRow } from 'pg';

/** The first row of a statement's result; undefined if there is none. */
export const firstRow = async <Row extends QueryResultRow>(
  db: Pick<Pool, 'query'>,
  statement: string | QueryConfig,
  values?: readonly unknown[],
): Promise<Row | undefined> => (await db.query<Row>(statement, values && [...values])).rows[0];
