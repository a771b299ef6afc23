import { randomBytes } from 'node:crypto';

import { assert } from '#kernel';
import pg from 'pg';

/** A fresh, empty database of one spec. */
export interface TestDatabase {
  readonly url: string;
  /** Deletes it, whoever is still connected. */
  drop(): Promise<void>;
}

const fromRunner = (name: string): string => {
  const value = process.env[name];
  assert(value !== undefined && value !== '', `${name} is set: start specs by \`npm test -- …\``);
  return value;
};

/** `<prefix>_` and twelve random hex digits: fits a database, a topic and a consumer group. */
export const uniqueName = (prefix: string): string => `${prefix}_${randomBytes(6).toString('hex')}`;

/** The brokers that the runner started, as host:port. */
export const kafkaBrokers = (): string[] => fromRunner('KAFKA_BROKERS').split(',');

const onServer = async (sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: fromRunner('DATABASE_URL') });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
};

/** Makes an empty database on the runner's server. */
export const createDatabase = async (): Promise<TestDatabase> => {
  const name = uniqueName('test');
  await onServer(`CREATE DATABASE ${name} TEMPLATE template0`);
  const url = new URL(fromRunner('DATABASE_URL'));
  url.pathname = `/${name}`;
  return {
    url: url.toString(),
    drop: () => onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
};
