import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool, QueryConfig } from 'pg';
import { assert } from '#kernel';
import { isNarrowed, keysOf } from './access-scope.js';
import type { SignedIn } from './sessions.js';
import { narrowed, type View } from './visible-rows.js';

/** The view of the request whose statements are executed; undefined: everything. */
const views = new AsyncLocalStorage<View | undefined>();

/** Whose view it is. */
export type Viewer = Pick<SignedIn, 'userId' | 'scope'>;

/** Runs reads that see only the rows that the user may see. Nothing is written meanwhile. */
export const asSeenBy = <Result>({ userId, scope }: Viewer, work: () => Result): Result =>
  isNarrowed({ scope }) ? views.run({ userId, keys: keysOf(scope) }, work) : work();

/** Runs work that serves other users too, or that follows a check of what the user may see. */
export const seeingEverything = <Result>(work: () => Result): Result => views.run(undefined, work);

type Query = (statement: string | QueryConfig, ...rest: unknown[]) => unknown;

/**
 * Narrows every statement that the pool executes for a request of a limited user. Such a request
 * has no transaction, whose statements could not be narrowed here.
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
    // The narrowed statement has another text, so it must be prepared under another name.
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
