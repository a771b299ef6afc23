import type { Client } from 'pg';

/** Works on one connection of the server, which then ends. */
export function onServer(url: string, work: (client: Client) => Promise<unknown>): Promise<void>;

/** Makes the databases that are not there yet. */
export function createMissing(url: string, names: readonly string[]): Promise<void>;

/** Deletes a database with all that is in it, whoever is still connected. */
export function dropDatabase(url: string, name: string): Promise<void>;
