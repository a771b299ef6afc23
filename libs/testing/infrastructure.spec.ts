import { Kafka, logLevel } from 'kafkajs';
import pg from 'pg';

import { createDatabase, createTopics, freePort, kafkaBrokers, uniqueName } from './index.js';

const query = async (url: string, sql: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
};

test('each spec has its own database, which keeps every commit even if the committing process is killed', async () => {
  const [one, two] = [await createDatabase(), await createDatabase()];
  await query(one.url, 'CREATE TABLE only_here (id int)');
  expect(await query(two.url, "SELECT to_regclass('only_here') AS found")).toEqual([
    { found: null },
  ]);
  expect(await query(one.url, 'SHOW synchronous_commit')).toEqual([{ synchronous_commit: 'on' }]);
  await Promise.all([one.drop(), two.drop()]);
});

test('a topic that was not created does not exist', async () => {
  const admin = new Kafka({ brokers: kafkaBrokers(), logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const topic = uniqueName('topic');
  expect(await admin.listTopics()).not.toContain(topic);
  await createTopics(admin, [{ topic, numPartitions: 1 }]);
  expect(await admin.listTopics()).toContain(topic);
  await admin.disconnect();
});

test('a free port is a valid port number', async () => {
  expect(await freePort()).toBeGreaterThan(1_023);
});
