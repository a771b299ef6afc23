import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { startKafka } from './kafka.mjs';
import { stateDir } from './paths.mjs';
import { startPostgres } from './postgres.mjs';
import { freePort, scratchDir } from './processes.mjs';
import { step } from './say.mjs';

/** Servers of this run only, on free ports and throwaway folders. @param {string} runName */
export const startThrowawayServers = async (runName) => {
  const dir = scratchDir(stateDir('run', runName));
  const startDatabase = async () => {
    const { url } = await startPostgres({
      folder: runName, port: await freePort(), password: randomBytes(18).toString('hex'),
      logFile: join(stateDir('logs'), 'test-postgres.log'), throwaway: true,
    });
    return `${url}/postgres`;
  };
  const startBroker = async () => {
    const { brokers } = await startKafka({
      dir: join(dir, 'kafka'), port: await freePort(), controllerPort: await freePort(),
      logFile: join(stateDir('logs'), 'test-kafka.log'), throwaway: true,
    });
    return brokers;
  };
  const { DATABASE_URL, KAFKA_BROKERS } = process.env;
  const [databaseUrl, kafkaBrokers] = await Promise.all([
    DATABASE_URL ?? step('PostgreSQL started', startDatabase),
    KAFKA_BROKERS ?? step('Kafka started', startBroker),
  ]);
  return { DATABASE_URL: databaseUrl, KAFKA_BROKERS: kafkaBrokers };
};
