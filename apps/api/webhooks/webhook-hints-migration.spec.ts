import { createHash } from 'node:crypto';
import { newId } from '#kernel';
import { createDatabase, type TestDatabase } from '#testing';
import { DataSource } from 'typeorm';
import {
  WebhookHints1760000000331,
} from '../../../migrations/orchestrator/1760000000331-webhook-hints.js';

let database: TestDatabase;
let source: DataSource;

beforeAll(async () => {
  database = await createDatabase('orchestrator');
  source = await new DataSource({ type: 'postgres', url: database.url }).initialize();
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

test('webhooks of the release before keep what is used of their bodies, and nobody\'s name', async () => {
  const runner = source.createQueryRunner();
  const migration = new WebhookHints1760000000331();
  await migration.down(runner);
  const paymentId = newId('pay');
  const data = { id: 'pi_1', order_id: paymentId, status: 'authorized', name: 'Zoe Canary' };
  const bodies = [JSON.stringify({ id: 'evt_1', data }), '{"data":{"order_id":"of Zoe Canary"}}', '\xff{'];
  for (const [n, body] of bodies.entries()) {
    await runner.query(
      `INSERT INTO webhooks_received (account_id, event_id, type, body)
       VALUES ('acc_1', $1, 'payment.authorized', $2)`, [`evt_${n}`, Buffer.from(body, 'latin1')]);
  }
  await migration.up(runner);
  const rows = await runner.query(
    `SELECT order_id, status, body_bytes AS bytes, encode(body_sha256, 'hex') AS sha
       FROM webhooks_received ORDER BY id`) as unknown[];
  const digests = bodies.map((body) => {
    const bytes = Buffer.from(body, 'latin1');
    return { bytes: bytes.length, sha: createHash('sha256').update(bytes).digest('hex') };
  });
  expect(rows).toEqual([
    { order_id: paymentId, status: 'authorized', ...digests[0] },
    { order_id: null, status: null, ...digests[1] },
    { order_id: null, status: null, ...digests[2] },
  ]);
  const [whole] = await runner.query(
    'SELECT string_agg(w::text, \'\') AS text FROM webhooks_received w') as [{ text: string }];
  expect(whole.text).not.toMatch(/canary|zoe/i);
  await runner.release();
});
