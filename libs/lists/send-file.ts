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

/** The rows of a list as lines of a CSV file, optionally after a line with the column names. */
export const csvOf = (
  { columns: of }: Pick<List, 'columns'>,
  rows: readonly object[],
  { hasHeader }: { readonly hasHeader: boolean },
): string => {
  const columns = Object.keys(of);
  const lines = rows.map((row) =>
    csvLine(columns.map((column) => cellOf(row[column as keyof typeof row]))),
  );
  return [...(hasHeader ? [csvLine(columns)] : []), ...lines].join('');
};

async function* csv(list: List, pages: Pages): AsyncGenerator<string> {
  yield csvOf(list, [], { hasHeader: true });
  for await (const page of pages) {
    if (page.length > 0) yield csvOf(list, page, { hasHeader: false });
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

const textOf = (format: FileFormat, list: List, pages: Pages): AsyncGenerator<string> => {
  switch (format) {
    case 'csv':
      return csv(list, pages);
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
