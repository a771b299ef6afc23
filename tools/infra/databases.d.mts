import type { Client } from 'pg';

/**
 * Opens one connection to the server for `work`, and closes it afterwards. Returns what `work`
 * returned. `connectTimeoutMs`: the time limit of the connection; 0, the default, means none.
 */
export function onServer<T>(
  url: string,
  work: (client: Client) => Promise<T>,
  options?: { readonly connectTimeoutMs?: number },
): Promise<T>;

/** Creates the databases that do not exist yet. */
export function createMissing(url: string, names: readonly string[]): Promise<void>;

/** Drops a database and closes its connections. */
export function dropDatabase(url: string, name: string): Promise<void>;
