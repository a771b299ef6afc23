import { join } from 'node:path';

import { createMissing } from '../infra/databases.mjs';
import { Failure } from '../infra/failure.mjs';
import { answersConsumers, startKafka } from '../infra/kafka.mjs';
import { stateDir } from '../infra/paths.mjs';
import { startPostgres, stateOfServer } from '../infra/postgres.mjs';
import { step } from '../infra/say.mjs';
import { KAFKA_VERSION, POSTGRES_VERSION } from '../infra/settings.mjs';

/**
 * Returns the URL of a second database on the user's own server. Creates the database if it is
 * missing.
 * @param {string} url
 * @param {string} what
 */
const besides = async (url, what) => {
  const other = new URL(url);
  const name = `${other.pathname.slice(1) || 'postgres'}_${what}`;
  await createMissing(url, [name]);
  other.pathname = `/${name}`;
  return other.toString();
};

/** @param {string} url */
const ownDatabases = async (url) => {
  const state = await stateOfServer(url);
  if (state === 'refused') {
    throw new Failure(
      'The server refuses the user name or the password of DATABASE_URL: correct DATABASE_URL, or unset it to use the embedded server.',
    );
  }
  if (state !== 'ready') {
    throw new Failure(
      'The server at DATABASE_URL does not respond: start it, or unset DATABASE_URL to use the embedded server.',
    );
  }
  const { SANDBOX_DATABASE_URL, FULFILMENT_DATABASE_URL } = process.env;
  return {
    orchestrator: url,
    sandbox: SANDBOX_DATABASE_URL ?? (await besides(url, 'sandbox')),
    fulfilment: FULFILMENT_DATABASE_URL ?? (await besides(url, 'fulfilment')),
  };
};

/** @param {{ postgres: number }} ports @param {{ postgresPassword: string }} secrets */
const embeddedDatabases = async (ports, secrets) => {
  const { url } = await startPostgres({
    folder: 'demo',
    port: ports.postgres,
    password: secrets.postgresPassword,
    logFile: join(stateDir('logs'), 'postgres.log'),
  });
  const names = ['orchestrator', 'sandbox', 'fulfilment'];
  await createMissing(`${url}/postgres`, names);
  return Object.fromEntries(names.map((name) => [name, `${url}/${name}`]));
};

/** @param {string} brokers */
const ownBrokers = async (brokers) => {
  if (await answersConsumers(brokers)) return brokers;
  throw new Failure(
    'Kafka at KAFKA_BROKERS does not respond: start it, or unset KAFKA_BROKERS to use the embedded Kafka.',
  );
};

const embeddedBrokers = async (ports) => {
  const { brokers } = await startKafka({
    dir: stateDir('demo', 'kafka'),
    port: ports.kafka,
    controllerPort: ports.kafkaController,
    logFile: join(stateDir('logs'), 'kafka.log'),
  });
  return brokers;
};

/** Starts the demo's servers, or connects to those named in DATABASE_URL and KAFKA_BROKERS. */
export const startDemoServers = async (ports, secrets) => {
  const { DATABASE_URL, KAFKA_BROKERS } = process.env;
  const [databases, brokers] = await Promise.all([
    DATABASE_URL === undefined
      ? step(`PostgreSQL ${POSTGRES_VERSION} started`, () => embeddedDatabases(ports, secrets), {
          doing: 'Starting PostgreSQL',
        })
      : step('PostgreSQL at DATABASE_URL reached', () => ownDatabases(DATABASE_URL)),
    KAFKA_BROKERS === undefined
      ? step(`Kafka ${KAFKA_VERSION} started`, () => embeddedBrokers(ports), {
          doing: 'Starting Kafka',
        })
      : step('Kafka at KAFKA_BROKERS reached', () => ownBrokers(KAFKA_BROKERS)),
  ]);
  return { databases, brokers };
};
