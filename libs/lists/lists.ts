import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { assert } from '#kernel';
import type { List, ListQuery } from './list.js';
import { cursorOf } from './place.js';
import { orderOf, type Scope, statementOf } from './statement.js';

export interface Page<Row = object> {
  readonly items: readonly Row[];
  readonly nextCursor: string | null;
}

type Pages<Row> = AsyncGenerator<readonly Row[], void, undefined>;

/**
 * The number of rows of a file that one statement reads; limited, because each statement must be
 * short.
 */
const FILE_ROWS = 1_000;

/** Reads lists from their read models, which are a moment behind the log. */
@Injectable()
export class Lists {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /** Throws `Problem` 422 for an invalid cursor, and for amounts without their currency. */
  async page<Row = object>(
    list: List,
    scope: Scope,
    query: ListQuery,
    usual = FILE_ROWS,
  ): Promise<Page<Row>> {
    const limit = query.limit ?? usual;
    const { text, values } = statementOf(list, scope, query, limit + 1);
    const { rows } = await this.pool.query<unknown[]>({ text, values, rowMode: 'array' });
    const names = Object.keys(list.columns);
    const page = rows.slice(0, limit);
    const items = page.map(
      (row) => Object.fromEntries(names.map((name, index) => [name, row[index]])) as Row,
    );
    const last = rows.length > limit ? page.at(-1) : undefined;
    if (last === undefined) return { items, nextCursor: null };
    const [at, id] = last.slice(names.length);
    assert(typeof at === 'string' && typeof id === 'string', 'a row of a list has a position');
    return { items, nextCursor: cursorOf({ ...orderOf(list, query), at, id }) };
  }

  /** The row of a list with at most one row; null if the list is empty. */
  async one<Row = object>(list: List, scope: Scope): Promise<Row | null> {
    const { items } = await this.page<Row>(list, scope, { limit: 1 });
    return items[0] ?? null;
  }

  /**
   * Reads all rows of a list, page by page; the next page is read when the previous one has been
   * consumed. Errors of `page` are thrown before the first row, because a started response cannot
   * report them.
   */
  all<Row = object>(list: List, scope: Scope, query: ListQuery): Pages<Row> {
    statementOf(list, scope, query, FILE_ROWS);
    return this.pages<Row>(list, scope, query);
  }

  private async *pages<Row>(list: List, scope: Scope, query: ListQuery): Pages<Row> {
    let cursor: string | null = null;
    do {
      const asked: ListQuery = { ...query, limit: FILE_ROWS, ...(cursor !== null && { cursor }) };
      const { items, nextCursor }: Page<Row> = await this.page<Row>(list, scope, asked);
      yield items;
      cursor = nextCursor;
    } while (cursor !== null);
  }
}
