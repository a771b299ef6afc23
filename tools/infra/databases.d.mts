import type { Client } from 'pg';

/** Opens one connection to the server for `work`, and closes it afterwards. */
export function onServer(url: string, work: (client: Client) => Promise<unknown>): Promise<void>;

/** Creates the databases that do not exist yet. */
export function createMissing(url: string, names: readonly string[]): Promise<void>;

/** Drops a database and closes its connections. */
export function dropDatabase(url: string, name: string): Promise<void>;
