import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { uniqueName, waitFor } from '#testing';
import { Kafka, logLevel } from 'kafkajs';
import pg from 'pg';

import { startKafka } from './kafka.mjs';
import { startPostgres } from './postgres.mjs';
import { freePort, scratchDir, stopAll } from './processes.mjs';

const dir = scratchDir(mkdtempSync(join(tmpdir(), 'servers-')));

afterAll(() => stopAll());

const query = async (url: string, sql: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
};

test('PostgreSQL comes back after a crash, with all that was committed', async () => {
  const server = await startPostgres({
    folder: uniqueName('crash'), port: await freePort(), password: 'only-here',
    logFile: join(dir, 'postgres.log'), throwaway: true,
  });
  const url = `${server.url}/postgres`;
  await query(url, 'CREATE TABLE kept AS SELECT 7 AS id');
  await server.kill9();
  await expect(query(url, 'SELECT 1')).rejects.toThrow();
  await server.restart();
  expect(await query(url, 'SELECT id FROM kept')).toEqual([{ id: 7 }]);
}, 60_000);

test('Kafka comes back after a crash, with all that was acknowledged', async () => {
  const server = await startKafka({
    dir: join(dir, 'kafka'), port: await freePort(), controllerPort: await freePort(),
    logFile: join(dir, 'kafka.log'), throwaway: true,
  });
  const kafka = new Kafka({ brokers: [server.brokers], logLevel: logLevel.NOTHING });
  const producer = kafka.producer();
  const admin = kafka.admin();
  await Promise.all([admin.connect(), producer.connect()]);
  await admin.createTopics({ topics: [{ topic: 'kept', numPartitions: 1 }] });
  await producer.send({ topic: 'kept', acks: -1, messages: [{ value: 'seven' }] });
  await Promise.all([admin.disconnect(), producer.disconnect()]);
  await server.kill9();
  await server.restart();
  const seen: string[] = [];
  const consumer = kafka.consumer({ groupId: 'after' });
  await consumer.connect();
  await consumer.subscribe({ topic: 'kept', fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ message }) => {
      seen.push(String(message.value));
    },
  });
  await waitFor(() => seen.includes('seven'), { timeoutMs: 20_000 });
  await consumer.disconnect();
}, 120_000);
