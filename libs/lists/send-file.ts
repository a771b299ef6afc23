import { Readable } from 'node:stream';
import { csvLine } from '#platform';
import type { List } from './list.js';

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson',
} as const;

export type FileFormat = keyof typeof TYPES;

type Pages = AsyncIterable<readonly object[]>;

/** The destination of a file: an HTTP response. */
interface Reply {
  header(name: string, value: string): Reply;
  type(mediaType: string): Reply;
  send(body: Readable): unknown;
}

const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number);
};

async function* csv(columns: readonly string[], pages: Pages): AsyncGenerator<string> {
  yield csvLine(columns);
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield page
      .map((row) => csvLine(columns.map((column) => cellOf(row[column as keyof typeof row]))))
      .join('');
  }
}

async function* json(pages: Pages): AsyncGenerator<string> {
  let before = '[';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield before + page.map((row) => JSON.stringify(row)).join(',\n');
    before = ',\n';
  }
  yield before === '[' ? '[]' : ']';
}

async function* lines(pages: Pages): AsyncGenerator<string> {
  for await (const page of pages) {
    if (page.length > 0) yield page.map((row) => `${JSON.stringify(row)}\n`).join('');
  }
}

const textOf = (format: FileFormat, { columns }: List, pages: Pages): AsyncGenerator<string> => {
  switch (format) {
    case 'csv':
      return csv(Object.keys(columns), pages);
    case 'json':
      return json(pages);
    case 'ndjson':
      return lines(pages);
  }
};

/** Streams a list as a file, and reads from the database only as fast as the client receives. */
export const sendFile = async (
  reply: Reply,
  format: FileFormat,
  list: List,
  pages: Pages,
  name = list.name,
): Promise<void> => {
  await reply
    .header('content-disposition', `attachment; filename="${name}.${format}"`)
    .type(TYPES[format])
    .send(Readable.from(textOf(format, list, pages), { objectMode: false }));
};
