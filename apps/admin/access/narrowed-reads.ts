import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool, QueryConfig } from 'pg';
import { assert } from '#kernel';
import { isNarrowed, keysOf } from './access-scope.js';
import type { SignedIn } from './sessions.js';
import { narrowed, type View } from './visible-rows.js';

/**
 * The user whose view restricts the statements of the current request; undefined if all rows are
 * visible.
 */
const views = new AsyncLocalStorage<View | undefined>();

/** The user for whom a read is executed. */
export type Viewer = Pick<SignedIn, 'userId' | 'scope'>;

/** Runs reads that see only the rows that the user may see. `work` must not write. */
export const asSeenBy = <Result>({ userId, scope }: Viewer, work: () => Result): Result =>
  isNarrowed({ scope }) ? views.run({ userId, keys: keysOf(scope) }, work) : work();

/**
 * Runs work that may read all rows. Use it only if the result also serves other users, or if it was
 * already checked what the user may see.
 */
export const seeingEverything = <Result>(work: () => Result): Result => views.run(undefined, work);

type Query = (statement: string | QueryConfig, ...rest: unknown[]) => unknown;

/**
 * Narrows every statement that the pool executes for a read of a limited user. A read must not open
 * a transaction, because the statements of a transaction bypass the pool's `query` and would not be
 * narrowed.
 */
export const narrowReads = (pool: Pool): void => {
  const query = pool.query.bind(pool) as Query;
  const connect = pool.connect.bind(pool) as (...rest: unknown[]) => unknown;
  const narrow: Query = (statement, ...rest) => {
    const view = views.getStore();
    if (view === undefined) return query(statement, ...rest);
    const config = typeof statement === 'string' ? { text: statement } : statement;
    const [given] = rest;
    const values = config.values ?? (Array.isArray(given) ? (given as unknown[]) : []);
    const { name, ...unnamed } = config;
    assert(typeof rest.at(-1) !== 'function', 'a statement of a limited user is awaited');
    const of = narrowed({ text: config.text, values }, view);
    // The narrowed statement has another text, and a prepared statement may have only one text, so
    // it gets another name.
    const named = name === undefined ? {} : { name: `${name}-narrowed` };
    return views.run(undefined, () =>
      query({ ...unnamed, ...named, text: of.text, values: [...of.values] }),
    );
  };
  const open = (...rest: unknown[]): unknown => {
    assert(views.getStore() === undefined, 'a read of a limited user has no transaction');
    return connect(...rest);
  };
  Object.assign(pool, { query: narrow, connect: open });
};
