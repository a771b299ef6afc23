import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { startKafka } from './kafka.mjs';
import { stateDir } from './paths.mjs';
import { startPostgres } from './postgres.mjs';
import { freePort, scratchDir } from './processes.mjs';
import { step } from './say.mjs';

/**
 * Starts a PostgreSQL for this run only, or uses the one that DATABASE_URL names.
 * @param {string} runName
 * @param {{ settings?: Readonly<Record<string, string>>, inMemory?: boolean }} [options] of
 * PostgreSQL
 */
export const startThrowawayPostgres = async (runName, options = {}) => {
  const { DATABASE_URL } = process.env;
  if (DATABASE_URL !== undefined) return { url: DATABASE_URL };
  return step('PostgreSQL started', async () => {
    const postgres = await startPostgres({
      folder: runName,
      port: await freePort(),
      password: randomBytes(18).toString('hex'),
      logFile: join(stateDir('logs'), 'test-postgres.log'),
      throwaway: true,
      ...options,
    });
    return { url: `${postgres.url}/postgres`, postgres };
  });
};

/**
 * Starts PostgreSQL and Kafka for this run only, on free ports and with temporary folders. A server
 * that an environment variable names is used instead. `env` is the environment of specs and apps.
 * `killable` contains the servers started here, which specs may kill.
 * @param {string} runName
 * @param {{ settings?: Readonly<Record<string, string>>, inMemory?: boolean, jvm?: 'quick start' |
 * 'ordinary' }} [options] of PostgreSQL, and the JVM of Kafka
 */
export const startThrowawayServers = async (runName, options = {}) => {
  const dir = scratchDir(stateDir('run', runName));
  const startBroker = async () => {
    const kafka = await startKafka({
      dir: join(dir, 'kafka'),
      port: await freePort(),
      controllerPort: await freePort(),
      logFile: join(stateDir('logs'), 'test-kafka.log'),
      throwaway: true,
      jvm: options.jvm,
    });
    return { brokers: kafka.brokers, kafka };
  };
  const { KAFKA_BROKERS } = process.env;
  const [{ url, postgres }, { brokers, kafka }] = await Promise.all([
    startThrowawayPostgres(runName, options),
    KAFKA_BROKERS === undefined ? step('Kafka started', startBroker) : { brokers: KAFKA_BROKERS },
  ]);
  return { env: { DATABASE_URL: url, KAFKA_BROKERS: brokers }, killable: { postgres, kafka } };
};
