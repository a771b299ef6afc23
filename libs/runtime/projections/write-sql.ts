import type { Balances, Journal, Parts, ProjectedRow, Projection } from './projection.js';

/**
 * `n` is the number of the parameter with the rows of the projection's own table; the parameters
 * for its other tables follow.
 */
const place = (n: number): string => `$${n}`;

/** Adds the inserted entries to the sums. */
const addSums = (
  { table: sums, keyColumns, sumColumns }: Balances,
  suffix: string,
): string => `, added AS (
    INSERT INTO ${sums}${suffix} AS b (${[...keyColumns, ...sumColumns].join(', ')})
    SELECT ${[...keyColumns, ...sumColumns.map((column) => `sum(${column})`)].join(', ')}
      FROM noted GROUP BY ${keyColumns.join(', ')}
        ON CONFLICT (${keyColumns.join(', ')}) DO UPDATE
       SET ${sumColumns.map((one) => `${one} = b.${one} + excluded.${one}`).join(', ')})`;

/** Inserts journal entries. An entry that already exists is not added to the sums a second time. */
const noteEntries = <Row extends ProjectedRow>(
  { table, keyColumns, columns, balances }: Journal<Row>,
  suffix: string,
  entries: string,
): string => `, noted AS (
    INSERT INTO ${table}${suffix} (${Object.keys(columns).join(', ')})
    SELECT ${Object.keys(columns).join(', ')} FROM jsonb_populate_recordset(NULL::${table}${suffix}, ${entries}::jsonb)
     WHERE EXISTS (SELECT FROM moved)
        ON CONFLICT (${keyColumns.join(', ')}) DO NOTHING
    RETURNING ${Object.keys(columns).join(', ')})
  ${balances === undefined ? '' : addSums(balances, suffix)}`;

const writeRows = (
  name: string,
  table: string,
  keyColumn: string,
  columns: readonly string[],
  rows: string,
): string => `${name} AS (
    INSERT INTO ${table} AS t (${columns.join(', ')})
    SELECT ${columns.join(', ')} FROM jsonb_populate_recordset(NULL::${table}, ${rows}::jsonb)
     WHERE EXISTS (SELECT FROM moved)
        ON CONFLICT (${keyColumn}) DO UPDATE
       SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}
     WHERE excluded.version > t.version)`;

/**
 * The SQL that writes the rows of a projection with its journal entries and detail rows. `moved` is
 * the statement that moves the cursor or unblocks the stream: if it changes no row, because another
 * process was faster, nothing is written.
 */
const writeIf = <Row extends ProjectedRow>(
  moved: string,
  { name, keyColumn, columns, journal, parts = [] }: Projection<Row>,
  suffix: string,
  rowsAt: number,
): string => {
  const partsAt = journal === undefined ? rowsAt + 1 : rowsAt + 2;
  const writePart = ({ table, keyColumn: key, columns: all }: Parts<Row>, index: number) =>
    `, ${writeRows(`part${index}`, `${table}${suffix}`, key, all, place(partsAt + index))}`;
  return `
  WITH moved AS (${moved}),
  ${writeRows('written', `${name}${suffix}`, keyColumn, [...Object.keys(columns), 'version'], place(rowsAt))}
  ${journal === undefined ? '' : noteEntries(journal, suffix, place(rowsAt + 1))}
  ${parts.map(writePart).join('')}
  SELECT count(*)::int AS moved FROM moved`;
};

/**
 * Writes one chunk in one statement. The cursor moves only if no other process has moved it since
 * the chunk was read, and the rows are written only if the cursor moves. So if two processes have
 * read the same chunk, one of them writes it, and the other continues from there. Nor is a chunk
 * written in a later epoch of the log than the one in which it was read, because a restore may have
 * lost its events. The commit does not wait for the disk, because after a crash of the database
 * server the move of the cursor and the rows are lost together.
 */
export const writeChunk = <Row extends ProjectedRow>(
  projection: Projection<Row>,
  suffix: string,
): string =>
  writeIf(
    `
    UPDATE log_cursors SET epoch = $2, transaction_id = $3::xid8, position = $4,
           moved_at = clock_timestamp()
      FROM set_config('synchronous_commit', 'off', true)
     WHERE name = $1 AND epoch = $5 AND transaction_id = $6::xid8 AND position = $7
       AND (SELECT epoch FROM log_identity) = $8
    RETURNING 1`,
    projection,
    suffix,
    9,
  );

/** Writes what the events of a blocked stream change, and unblocks the stream. */
export const writeReleased = <Row extends ProjectedRow>(
  projection: Projection<Row>,
  suffix: string,
): string =>
  writeIf(
    `
    DELETE FROM blocked_streams WHERE reader = $1 AND stream_type = $2 AND stream_id = $3
    RETURNING 1`,
    projection,
    suffix,
    4,
  );
