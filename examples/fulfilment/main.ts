import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Kafka, logLevel } from 'kafkajs';
import { PostgresStore, restFeed, Subscriber } from 'payment-orchestrator-subscriber';
import pg from 'pg';
import './idle-requests.js';
import { logger } from './logger.js';
import { createViews } from './server.js';
import { createTables, shipmentHandlers } from './shipments.js';

/**
 * A service that ships paid orders. The service confirms each event with the event log, because a
 * forged event could otherwise cause the shipment of unpaid goods.
 */

const setting = (name: string): string => {
  const value = process.env[name];
  if (value === undefined || value === '')
    throw new Error(`the environment variable ${name} must be set`);
  return value;
};

/**
 * Reads a secret from the environment variable, or from the file that the variable with the suffix
 * `_FILE` names.
 */
const secret = (name: string): string => {
  const file = process.env[`${name}_FILE`] ?? '';
  return file === '' ? setting(name) : readFileSync(file, 'utf8').trim();
};

/** The SASL credentials, if the brokers require them. */
const saslOf = (username: string) =>
  username === ''
    ? {}
    : {
        sasl: { mechanism: 'plain' as const, username, password: secret('KAFKA_SASL_PASSWORD') },
      };

const pool = new pg.Pool({ connectionString: secret('FULFILMENT_DATABASE_URL'), max: 12 });
pool.on('error', (err) => logger.warn({ err }, 'an idle connection failed'));

const store = new PostgresStore(pool, 'fulfilment');
await createTables(pool);
await store.prepare();

const subscriber = new Subscriber({
  kafka: new Kafka({
    clientId: 'fulfilment',
    brokers: setting('KAFKA_BROKERS').split(','),
    logLevel: logLevel.NOTHING,
    ...saslOf(process.env['KAFKA_SASL_USERNAME'] ?? ''),
  }),
  topicPrefix: process.env['TOPIC_PREFIX'] ?? '',
  streams: ['order'],
  handlers: shipmentHandlers,
  store,
  confirm: restFeed({
    url: setting('ORCHESTRATOR_URL'),
    apiKey: secret('ORCHESTRATOR_API_KEY'),
  }),
  logger,
});
subscriber.start();

const server = createViews(pool, () => subscriber.metrics());
const port = Number(setting('FULFILMENT_PORT'));
server.listen(port, process.env['HOST'] ?? '127.0.0.1');
await once(server, 'listening');
logger.info({ port }, 'the fulfilment service is listening');

const end = async (): Promise<void> => {
  server.close();
  server.closeIdleConnections();
  await subscriber.stop();
  await pool.end();
};
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    end().catch((err: unknown) => {
      logger.error({ err }, 'the service failed to shut down');
      process.exitCode = 1;
    });
  });
}
