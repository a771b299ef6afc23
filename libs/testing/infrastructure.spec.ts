import { Kafka, logLevel } from 'kafkajs';
import pg from 'pg';

import {
  createDatabase,
  createTopics,
  freePort,
  kafkaBrokers,
  lendDatabases,
  openDatabase,
  specPool,
  uniqueName,
} from './index.js';

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

test('a lent database has its first rows and sequences again when it is lent to the next test', async () => {
  const databases = lendDatabases(() =>
    openDatabase(undefined, async ({ url }) => {
      const admin = specPool(url, 2);
      await admin.query(
        `CREATE TABLE seeds (id serial PRIMARY KEY, text text);
         CREATE TABLE others (id serial PRIMARY KEY, seed int REFERENCES seeds);
         INSERT INTO seeds (text) VALUES ('first')`,
      );
      return { admin };
    }),
  );
  const first = await databases.lend();
  const beside = await databases.lend();
  expect(beside.url).not.toBe(first.url);
  const { admin } = first.pools;
  await admin.query(
    `INSERT INTO seeds (text) VALUES ('second'); UPDATE seeds SET text = 'changed';
     INSERT INTO others (seed) SELECT id FROM seeds`,
  );
  await first.close();
  const next = await databases.lend();
  expect(next.url).toBe(first.url);
  const { rows } = await admin.query(
    `SELECT (SELECT json_agg(s) FROM seeds s) AS seeds, (SELECT json_agg(o) FROM others o) AS others`,
  );
  expect(rows).toEqual([{ seeds: [{ id: 1, text: 'first' }], others: null }]);
  const { rows: ids } = await admin.query(
    `WITH made AS (INSERT INTO seeds (text) VALUES ('next') RETURNING id)
     SELECT id, nextval('others_id_seq')::int AS other FROM made`,
  );
  expect(ids).toEqual([{ id: 2, other: 1 }]);
  await databases.end();
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
