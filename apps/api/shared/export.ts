import { Readable } from 'node:stream';
import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { type FastifyReply } from 'fastify';
import { csvLine } from '#platform';

const FORMATS = ['csv', 'json'] as const;

/** How a whole list is given out. */
export class ExportFormat {
  @ApiProperty({ enum: FORMATS })
  @IsIn(FORMATS)
  format!: (typeof FORMATS)[number];
}

/** Rows of one statement: each is short, however long the list. */
export const EXPORT_ROWS = 1_000;

type Cell = string | number | null;
type Cells = Readonly<Record<string, Cell>>;

const textOf = (cell: Cell | undefined): string => String(cell ?? '');

async function* csvOf(columns: readonly string[], pages: AsyncIterable<readonly Cells[]>) {
  yield csvLine(columns);
  for await (const page of pages) {
    yield page.map((row) => csvLine(columns.map((column) => textOf(row[column])))).join('');
  }
}

async function* jsonOf(pages: AsyncIterable<readonly object[]>) {
  let before = '[';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield before + page.map((row) => JSON.stringify(row)).join(',\n');
    before = ',\n';
  }
  yield before === '[' ? '[]' : ']';
}

/** All pages, each asked for when the one before has been taken. `endOf`: where the next begins. */
export async function* pagesOf<Row>(
  read: (after: Row | null) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let after: Row | null = null; ;) {
    const rows = await read(after);
    yield rows;
    const last = rows.at(-1);
    if (rows.length < EXPORT_ROWS || last === undefined) return;
    after = last;
  }
}

/** Streams a list as a file: read from the database only as fast as it is taken. */
export const sendExport = async <Row extends { readonly [Name in keyof Row]: Cell }>(
  reply: FastifyReply, { format }: ExportFormat, name: string,
  columns: readonly (keyof Row & string)[], pages: AsyncIterable<readonly Row[]>,
): Promise<void> => {
  const chunks = format === 'csv'
    ? csvOf(columns, pages as AsyncIterable<readonly Cells[]>) : jsonOf(pages);
  await reply
    .header('content-disposition', `attachment; filename="${name}.${format}"`)
    .type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8')
    .send(Readable.from(chunks, { objectMode: false }));
};
