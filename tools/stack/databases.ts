import { randomBytes } from 'node:crypto';
import { ensureRoles, giveToOwner } from '../../migrations/access/roles.js';
import { dropDatabase as dropNamed, onServer } from '../infra/databases.mjs';
import { type DatabaseKind, rolePassword } from '../infra/roles.mjs';

/** Creates an empty database on the server; returns its url. */
export const emptyDatabase = async (serverUrl: string, prefix: string): Promise<string> => {
  const name = `${prefix}_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0`));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.toString();
};

/**
 * Creates an empty database that belongs to its owner role; returns its url for the server's
 * administrator.
 */
export const ownedDatabase = async (serverUrl: string, kind: DatabaseKind): Promise<string> => {
  await ensureRoles(serverUrl, kind, (role) => rolePassword(serverUrl, role));
  const url = await emptyDatabase(serverUrl, kind);
  await giveToOwner(url, kind);
  return url;
};

/**
 * Creates and migrates a database on the server; returns its url for the server's administrator.
 */
export const freshDatabase = async (
  serverUrl: string,
  kind: 'orchestrator' | 'sandbox',
): Promise<string> => {
  const url = await ownedDatabase(serverUrl, kind);
  // Imported only here, because the migrations are large and few callers run them.
  const { migrateDatabase } = await import('../../migrations/migrate-database.js');
  await migrateDatabase(kind, url);
  return url;
};

/**
 * Drops a database and closes its connections. `serverUrl` must name another database of the same
 * server, because the function connects to it.
 */
export const dropDatabase = (serverUrl: string, url: string): Promise<void> => {
  const administration = new URL(url);
  administration.pathname = new URL(serverUrl).pathname;
  return dropNamed(administration.toString(), new URL(url).pathname.slice(1));
};
