import { randomBytes } from 'node:crypto';

import { assert } from '#kernel';
import pg from 'pg';
import { DATABASE_ROLES, rolePassword, roleUrl } from '../../tools/infra/roles.mjs';

/** A new, empty database of one spec. */
export interface TestDatabase {
  /** The URL with the rights of the administrator, for the spec's own statements. */
  readonly url: string;
  /** The URL with the rights of an app, for the code under test. */
  urlFor(app: DatabaseApp): string;
  /** Deletes the database, even if clients are connected. */
  drop(): Promise<void>;
}

const fromRunner = (name: string): string => {
  const value = process.env[name];
  assert(value !== undefined && value !== '', `${name} is set: start specs by \`npm test -- …\``);
  return value;
};

/**
 * A unique name: `<prefix>_` and twelve random hex digits; valid as the name of a database, topic
 * or consumer group.
 */
export const uniqueName = (prefix: string): string => `${prefix}_${randomBytes(6).toString('hex')}`;

/** The brokers that the runner started, as host:port. */
export const kafkaBrokers = (): string[] => fromRunner('KAFKA_BROKERS').split(',');

const pools = new Map<string, pg.Pool>();

/**
 * The connections of the administrator. These connections stay open between specs, because
 * connecting with a password costs more than copying a small database. They do not keep the process
 * running.
 */
const server = (): pg.Pool => {
  const connectionString = fromRunner('DATABASE_URL');
  const open = pools.get(connectionString);
  if (open !== undefined) return open;
  const pool = new pg.Pool({ connectionString, max: 4, allowExitOnIdle: true });
  // The error of a lost connection is ignored here: a running statement fails where it is awaited.
  pool.on('error', () => undefined);
  pools.set(connectionString, pool);
  return pool;
};

const urlOf = (name: string): string => {
  const url = new URL(fromRunner('DATABASE_URL'));
  url.pathname = `/${name}`;
  return url.toString();
};

/** The app whose migrations a database has. */
export type DatabaseShape = 'orchestrator' | 'sandbox';

/** The app whose database role a connection has. */
export type DatabaseApp = 'api' | 'worker' | 'all' | 'admin' | 'ops' | 'sandbox';

const ROLE_OF: Readonly<Record<DatabaseApp, string>> = {
  ...DATABASE_ROLES.orchestrator.apps,
  ...DATABASE_ROLES.sandbox.apps,
};

const migrate = async (shape: DatabaseShape, name: string): Promise<void> => {
  // Imported only when needed, because only the first spec of a run needs the migrations and their
  // libraries.
  const { migrateDatabase } = await import('../../migrations/migrate-database.js');
  const { ensureRoles, giveToOwner } = await import('../../migrations/access/roles.js');
  const server = fromRunner('DATABASE_URL');
  await ensureRoles(server, shape, (role) => rolePassword(server, role));
  await giveToOwner(urlOf(name), shape);
  await migrateDatabase(shape, urlOf(name));
};

/** Creates the template database if no other process of this run has already created it. */
const makeTemplate = async (shape: DatabaseShape, name: string): Promise<void> => {
  const client = await server().connect();
  try {
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name]);
    const { rowCount } = await client.query(
      'SELECT FROM pg_database WHERE datname = $1 AND datallowconn IS FALSE',
      [name],
    );
    if (rowCount === 1) return;
    await client.query(`DROP DATABASE IF EXISTS ${name}`);
    await client.query(`CREATE DATABASE ${name} TEMPLATE template0`);
    await migrate(shape, name);
    // Only a database without connections can be copied. The setting also marks the template as
    // complete.
    await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  } finally {
    // The lock belongs to the session, which stays open, so the lock must be released explicitly.
    await client.query('SELECT pg_advisory_unlock_all()');
    client.release();
  }
};

const templates = new Map<string, Promise<void>>();

/** The migrated database that the specs of this run copy. The test runner deletes it. */
const templateOf = async (shape: DatabaseShape): Promise<string> => {
  const name = `template_${shape}_${fromRunner('TEST_RUN')}`;
  const made = templates.get(name) ?? makeTemplate(shape, name);
  templates.set(name, made);
  await made.catch((error: unknown) => {
    templates.delete(name);
    throw error;
  });
  return name;
};

/** Creates a database on the test runner's server: empty, or migrated. */
export const createDatabase = async (shape?: DatabaseShape): Promise<TestDatabase> => {
  const name = uniqueName('test');
  const template = shape === undefined ? 'template0' : await templateOf(shape);
  await server().query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  if (shape !== undefined) {
    const { openToRoles } = await import('../../migrations/access/roles.js');
    await openToRoles(server(), name, shape);
  }
  return {
    url: urlOf(name),
    urlFor: (app) => roleUrl(urlOf(name), ROLE_OF[app]),
    drop: async () => {
      await server().query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
};
