import { AsyncLocalStorage } from 'node:async_hooks';
import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { assert } from '#kernel';
import { firstRow, Problem } from '#platform';
import { InvalidSearch } from './invalid-search.js';
import type { List, ListQuery } from './list.js';
import { cursorOf } from './place.js';
import { conditionsOfSearch, type FoundByWord, wordStatement } from './search-conditions.js';
import {
  fileQuery,
  type GroupIds,
  orderOf,
  type Scope,
  statementOf,
  totalsStatementOf,
} from './statement.js';

export interface Page<Row = object> {
  readonly items: readonly Row[];
  readonly nextCursor: string | null;
}

/** The number and the sum of a list's rows in one currency. */
export interface CurrencyTotals {
  readonly currency: string;
  readonly rows: number;
  readonly amountMinor: number;
}

/** The totals of a list; null if the list has too many rows. */
export interface Totals {
  readonly currencies: readonly CurrencyTotals[] | null;
}

type Pages<Row> = AsyncGenerator<readonly Row[], void, undefined>;

/**
 * The number of rows of a file that one statement reads; limited, because each statement must be
 * short.
 */
const FILE_ROWS = 1_000;

/** The maximum number of rows that are added up; more would take too long. */
export const MAX_TOTALED = 100_000;

/** The maximum number of rows in which a word of a search may occur. */
const MAX_FOUND = 5_000;

const refused = (detail: string): Problem =>
  new Problem(422, 'validation_failed', detail, { errors: [{ detail, parameter: 'search' }] });

/** @throws Problem 422 for a search that cannot be understood */
const understood = <Value>(of: () => Value): Value => {
  try {
    return of();
  } catch (error) {
    throw error instanceof InvalidSearch ? refused(error.message) : error;
  }
};

/** Reads lists from their read models, which are a moment behind the log. */
@Injectable()
export class Lists {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /**
   * Throws `Problem` 422 for an invalid cursor, for amounts without their currency, and for a search
   * that cannot be understood or finds too many rows.
   */
  async page<Row = object>(
    list: List,
    scope: Scope,
    query: ListQuery,
    usual = FILE_ROWS,
  ): Promise<Page<Row>> {
    const { grouped, found } = await this.prepared(list, query);
    return this.read(list, scope, grouped, found, usual);
  }

  /**
   * The number of all rows and the sums of their amounts, by currency, in the order of the codes.
   * Throws `Problem` 422 as `page` does.
   */
  async totals(list: List, scope: Scope, query: ListQuery, most = MAX_TOTALED): Promise<Totals> {
    const { grouped, found } = await this.prepared(list, query);
    const { text, values } = understood(() =>
      totalsStatementOf(list, scope, grouped, most + 1, found),
    );
    const { rows: currencies } = await this.pool.query<CurrencyTotals>(text, values);
    const all = currencies.reduce((sum, { rows }) => sum + rows, 0);
    return { currencies: all > most ? null : currencies };
  }

  private async read<Row>(
    list: List,
    scope: Scope,
    query: ListQuery,
    found: FoundByWord,
    usual: number,
  ): Promise<Page<Row>> {
    const limit = query.limit ?? usual;
    const { text, values } = understood(() => statementOf(list, scope, query, limit + 1, found));
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

  private async prepared(list: List, query: ListQuery) {
    const [grouped, found] = await Promise.all([
      this.grouped(list, query),
      this.found(list, query),
    ]);
    return { grouped, found };
  }

  /** The query, in which the name of each group is replaced by the ids of the group. */
  private async grouped(list: List, query: ListQuery): Promise<ListQuery> {
    const named = Object.entries(list.filters).flatMap(([name, filter]) =>
      filter.is === 'group' && query[name] !== undefined ? [{ name, sql: filter.ids }] : [],
    );
    const groups = await Promise.all(
      named.map(async ({ name, sql }) => {
        const ids = await firstRow<GroupIds>(this.pool, sql, [query[name]]);
        assert(ids !== undefined, 'the ids of a group are one row');
        return [name, ids] as const;
      }),
    );
    return { ...query, ...Object.fromEntries(groups) };
  }

  /** The ids of the rows in which each word of a search occurs. */
  private async found(list: List, { search: text }: ListQuery): Promise<FoundByWord> {
    const { search } = list;
    if (text === undefined || search === undefined) return new Map();
    const words = understood(() => conditionsOfSearch(list, text)).flatMap((one) =>
      one.is === 'word' ? one.text : [],
    );
    const idsOf = async (word: string): Promise<readonly string[]> => {
      const ids = await this.idsOf(search.words, word);
      if (ids.length > 0 || search.otherwise === undefined) return ids;
      return this.idsOf(search.otherwise, word);
    };
    return new Map(
      await Promise.all(words.map(async (word) => [word, await idsOf(word)] as const)),
    );
  }

  private async idsOf(sql: string, word: string): Promise<readonly string[]> {
    const { text, values } = wordStatement(sql, word, MAX_FOUND + 1);
    const { rows } = await this.pool.query<{ id: string }>(text, [...values]);
    if (rows.length > MAX_FOUND)
      throw refused(`more than ${MAX_FOUND} rows contain “${word}”: enter more of it`);
    return rows.map(({ id }) => id);
  }

  /** The row of a list with at most one row; null if the list is empty. */
  async one<Row = object>(list: List, scope: Scope): Promise<Row | null> {
    const { items } = await this.page<Row>(list, scope, { limit: 1 });
    return items[0] ?? null;
  }

  /**
   * Reads all rows of a list for a file, page by page; the next page is read when the previous one
   * has been consumed. Errors of `page` are thrown before the first row, because a started response
   * cannot report them.
   */
  async all<Row = object>(list: List, scope: Scope, query: ListQuery): Promise<Pages<Row>> {
    const { grouped, found } = await this.prepared(list, fileQuery(list, query));
    understood(() => statementOf(list, scope, grouped, FILE_ROWS, found));
    // A page is read when the client has received the earlier pages. By then the async context of
    // the request, which may limit the rows that are read, is no longer active.
    const inRequest = AsyncLocalStorage.snapshot();
    return this.pages<Row>((asked) =>
      inRequest(() => this.read<Row>(list, scope, { ...grouped, ...asked }, found, FILE_ROWS)),
    );
  }

  private async *pages<Row>(
    read: (asked: Pick<ListQuery, 'cursor'>) => Promise<Page<Row>>,
  ): Pages<Row> {
    let cursor: string | null = null;
    do {
      const { items, nextCursor }: Page<Row> = await read(cursor === null ? {} : { cursor });
      yield items;
      cursor = nextCursor;
    } while (cursor !== null);
  }
}
