import { randomBytes } from 'node:crypto';
import { migrateDatabase } from '../../migrations/migrate-database.js';
import { dropDatabase as dropNamed, onServer } from '../infra/databases.mjs';

/** Makes an empty database on the server and brings it to today's shape; answers its url. */
export const freshDatabase = async (
  serverUrl: string, kind: 'orchestrator' | 'sandbox',
): Promise<string> => {
  const name = `${kind}_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0`));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await migrateDatabase(kind, url.toString());
  return url.toString();
};

/** Deletes a database that `freshDatabase` made, whoever is still connected. */
export const dropDatabase = (serverUrl: string, url: string): Promise<void> =>
  dropNamed(serverUrl, new URL(url).pathname.slice(1));
