import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { Failure } from '../infra/failure.mjs';
import { checkKeptData } from '../infra/kept-data.mjs';
import { STATE } from '../infra/paths.mjs';
import { postgresData } from '../infra/postgres-user.mjs';

/** The folder below `.state` with all of the demo's data except PostgreSQL's. */
export const HOME = 'demo';

/**
 * Throws a `Failure` if the demo uses a user's own server, because a reset must not delete data on
 * such a server.
 */
export const checkMayReset = () => {
  const own = ['DATABASE_URL', 'KAFKA_BROKERS'].filter((name) => process.env[name] !== undefined);
  if (own.length === 0) return;
  throw new Failure(
    `--reset deletes data of the embedded servers only: delete the data of the server in ${own.join(' and ')} yourself, ` +
      `or unset ${own.join(' and ')}.`,
  );
};

/** Throws a `Failure` when only a part of the demo's data exists. */
export const checkDemoIsWhole = () => {
  const { DATABASE_URL, KAFKA_BROKERS } = process.env;
  const postgres = { name: 'data of PostgreSQL', file: postgresData(HOME) };
  const kafka = {
    name: 'data of Kafka',
    file: join(STATE, HOME, 'kafka', 'data', 'meta.properties'),
  };
  checkKeptData({
    data: [
      ...(DATABASE_URL === undefined ? [postgres] : []),
      ...(KAFKA_BROKERS === undefined ? [kafka] : []),
    ],
    secrets: { name: 'the secrets of that run', file: join(STATE, HOME, 'secrets.json') },
    reset: 'npm run demo -- --reset',
  });
};

/** Deletes all data of the demo, which must not be running. */
export const resetDemo = () => {
  for (const folder of [dirname(postgresData(HOME)), join(STATE, HOME)]) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
};
