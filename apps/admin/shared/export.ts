import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { csvLine } from '#platform';

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number);
};

async function* csv<Row extends object>(
  columns: readonly (keyof Row & string)[], rows: AsyncIterable<Row>,
): AsyncGenerator<string> {
  yield csvLine(columns);
  for await (const row of rows) yield csvLine(columns.map((column) => textOf(row[column])));
}

async function* jsonLines(rows: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`;
}

const send = async (
  reply: FastifyReply, file: string, type: string, lines: AsyncGenerator<string>,
): Promise<void> => {
  await reply
    .header('content-disposition', `attachment; filename="${file}"`)
    .type(type)
    .send(Readable.from(lines, { objectMode: false, highWaterMark: 65_536 }));
};

/** Streams rows as CSV, read from the database only as fast as they are taken. */
export const sendCsv = <Row extends object>(
  reply: FastifyReply, name: string, columns: readonly (keyof Row & string)[],
  rows: AsyncIterable<Row>,
): Promise<void> => send(reply, `${name}.csv`, 'text/csv; charset=utf-8', csv(columns, rows));

/** Streams rows as one JSON object a line. */
export const sendJsonLines = (
  reply: FastifyReply, name: string, rows: AsyncIterable<object>,
): Promise<void> => send(reply, `${name}.ndjson`, 'application/x-ndjson', jsonLines(rows));
