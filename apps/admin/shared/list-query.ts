import type { Pool } from 'pg';
import { assert } from '#kernel';
import { Problem } from '#platform';

/** A list, newest first, that is paged by the key that orders it. */
export interface ListSpec {
  readonly from: string;
  /** Columns as the answer names them. */
  readonly select: string;
  /** The time and the id that order it; an index has both. */
  readonly at: string;
  readonly id: string;
  /**
   * By the filter's name its condition, `?` standing for the value; or a condition for each value,
   * where the planner must see which one is meant.
   */
  readonly filters: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

export interface Page<Row> {
  readonly items: readonly Row[];
  readonly nextCursor: string | null;
}

/** What of a list is asked for. */
export interface Wanted {
  readonly filters: object;
  readonly cursor: string | undefined;
  readonly limit: number;
}

/** `<time as the database writes it>|<id>`. */
const PLACE = /^(\d{4}-[\d :.+-]{5,40})\|([\w:-]{1,100})$/;

const placeOf = (cursor: string): readonly [string, string] => {
  const [, at, id] = PLACE.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (at !== undefined && id !== undefined) return [at, id];
  throw new Problem(422, 'validation_failed', 'cursor is not one that a page gave', {
    errors: [{ detail: 'is not one that a page gave', parameter: 'cursor' }],
  });
};

/** Only what is asked for stands in the statement: the planner sees which index serves. */
const statementOf = (
  spec: ListSpec, { filters, cursor, limit }: Wanted,
): { readonly text: string; readonly values: readonly unknown[] } => {
  const { from, select, at, id } = spec;
  const given = filters as Readonly<Record<string, unknown>>;
  const values: unknown[] = [];
  const conditions: string[] = [];
  for (const [name, filter] of Object.entries(spec.filters)) {
    const value = given[name];
    if (value === undefined) continue;
    if (typeof filter === 'string') {
      conditions.push(filter.replaceAll('?', `$${values.push(value)}`));
    } else {
      const condition = filter[String(value)];
      assert(condition !== undefined, `the filter ${name} knows its values`);
      conditions.push(condition);
    }
  }
  if (cursor !== undefined) {
    const place = values.push(...placeOf(cursor));
    conditions.push(`(${at}, ${id}) < ($${place - 1}, $${place})`);
  }
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const text = `SELECT ${select}, ${at}::text || '|' || ${id} AS place
    FROM ${from} ${where} ORDER BY ${at} DESC, ${id} DESC LIMIT ${limit + 1}`;
  return { text, values };
};

const withoutPlace = <Row extends object>(row: Row & { place?: string }): Row => {
  delete row.place;
  return row;
};

/** One page of a list. Throws `Problem` 422 for a cursor that no page gave. */
export const readPage = async <Row extends object>(
  pool: Pool, spec: ListSpec, wanted: Wanted,
): Promise<Page<Row>> => {
  const { text, values } = statementOf(spec, wanted);
  const { rows } = await pool.query<Row & { place: string }>(text, [...values]);
  const page = rows.slice(0, wanted.limit);
  const last = rows.length > wanted.limit ? page.at(-1)?.place : undefined;
  return {
    items: page.map(withoutPlace),
    nextCursor: last === undefined ? null : Buffer.from(last).toString('base64url'),
  };
};

const EXPORT_PAGE = 1_000;

/** A whole list, page by page, as fast as it is taken. */
export async function* readAll<Row extends object>(
  pool: Pool, spec: ListSpec, filters: object,
): AsyncGenerator<Row, void, undefined> {
  let cursor: string | null | undefined;
  do {
    const page: Page<Row> = await readPage<Row>(
      pool, spec, { filters, cursor: cursor ?? undefined, limit: EXPORT_PAGE },
    );
    yield* page.items;
    cursor = page.nextCursor;
  } while (cursor !== null);
}
