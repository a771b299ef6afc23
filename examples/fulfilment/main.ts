import { once } from 'node:events';
import { Kafka, logLevel } from 'kafkajs';
import { PostgresStore, restFeed, Subscriber } from 'payment-orchestrator-subscriber';
import pg from 'pg';
import { logger } from './logger.js';
import { createViews } from './server.js';
import { createTables, shipmentHandlers } from './shipments.js';

/** A service that ships what is paid. It acts on money, so it confirms what a topic says. */

const setting = (name: string): string => {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set`);
  return value;
};

const pool = new pg.Pool({ connectionString: setting('FULFILMENT_DATABASE_URL'), max: 12 });
pool.on('error', (err) => logger.warn({ err }, 'an idle connection failed'));

const store = new PostgresStore(pool, 'fulfilment');
await createTables(pool);
await store.prepare();

const subscriber = new Subscriber({
  kafka: new Kafka({
    clientId: 'fulfilment', brokers: setting('KAFKA_BROKERS').split(','),
    logLevel: logLevel.NOTHING,
  }),
  topicPrefix: process.env['TOPIC_PREFIX'] ?? '',
  streams: ['order'],
  handlers: shipmentHandlers,
  store,
  confirm: restFeed({
    url: setting('ORCHESTRATOR_URL'), apiKey: setting('ORCHESTRATOR_API_KEY'),
  }),
  logger,
});
subscriber.start();

const server = createViews(pool, () => subscriber.metrics());
const port = Number(setting('FULFILMENT_PORT'));
server.listen(port, process.env['HOST'] ?? '127.0.0.1');
await once(server, 'listening');
logger.info({ port }, 'the fulfilment service listens');

const end = async (): Promise<void> => {
  server.close();
  server.closeIdleConnections();
  await subscriber.stop();
  await pool.end();
};
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    end().catch((err: unknown) => {
      logger.error({ err }, 'the service did not end in order');
      process.exitCode = 1;
    });
  });
}
