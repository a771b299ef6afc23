import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { assert } from '#kernel';
import type pg from 'pg';

/** One value of a row: an array is a list of texts, null is NULL. */
export type CopyValue = string | number | boolean | null | readonly string[];
export type CopyRow = Readonly<Record<string, CopyValue>>;

/** The functions of a `pg` connection that a COPY statement uses. */
interface CopyConnection {
  readonly stream: Writable;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

const ROWS_IN_CHUNK = 500;

const textOf = (value: CopyValue): string => {
  if (value === null) return '\\N';
  const text = typeof value === 'object' ? `{${value.join(',')}}` : String(value);
  return text.replace(/[\\\t\n\r]/g, (char) => `\\${char}`);
};

/** A COPY statement that the driver's client executes like a query. */
class Copy {
  readonly done: Promise<void>;
  private settle: (error?: Error) => void = () => undefined;

  constructor(
    private readonly text: string,
    private readonly chunks: Iterable<string>,
  ) {
    this.done = new Promise((resolve, reject) => {
      this.settle = (error) => (error === undefined ? resolve() : reject(error));
    });
  }

  submit(connection: unknown): void {
    (connection as CopyConnection).query(this.text);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    this.send(connection).catch((error: Error) => connection.sendCopyFail(error.message));
  }

  handleCommandComplete(): void {
    // Nothing to do, because the server's next message, ReadyForQuery, ends the statement.
  }

  handleReadyForQuery(): void {
    this.settle();
  }

  handleError(error: Error): void {
    this.settle(error);
  }

  private async send(connection: CopyConnection): Promise<void> {
    for (const chunk of this.chunks) {
      connection.sendCopyFromChunk(Buffer.from(chunk));
      if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain');
    }
    connection.endCopyFrom();
  }
}

function* chunksOf(rows: Iterable<CopyRow>): Generator<string> {
  let lines: string[] = [];
  for (const row of rows) {
    lines.push(`${Object.values(row).map(textOf).join('\t')}\n`);
    if (lines.length < ROWS_IN_CHUNK) continue;
    yield lines.join('');
    lines = [];
  }
  yield lines.join('');
}

/** Writes rows by COPY; all rows have the columns of the first row, in the same order. */
export const copyRows = async (
  client: pg.Client,
  table: string,
  rows: () => Iterable<CopyRow>,
): Promise<void> => {
  const [first] = rows();
  assert(first !== undefined, 'at least one row is copied');
  const columns = Object.keys(first).join(', ');
  const copy = new Copy(`COPY ${table} (${columns}) FROM STDIN`, chunksOf(rows()));
  client.query(copy);
  await copy.done;
};
