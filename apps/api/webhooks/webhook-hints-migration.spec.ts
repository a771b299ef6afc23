import { createHash } from 'node:crypto';
import { newId } from '#kernel';
import { createDatabase, type TestDatabase } from '#testing';
import { DataSource, type QueryRunner } from 'typeorm';
import { migrateDatabase } from '../../../migrations/migrate-database.js';
import {
  WebhookHints1760000000331,
} from '../../../migrations/orchestrator/1760000000331-webhook-hints.js';

let database: TestDatabase;
let source: DataSource;

let runner: QueryRunner;

beforeEach(async () => {
  database = await createDatabase('orchestrator');
  source = await new DataSource({ type: 'postgres', url: database.url }).initialize();
  runner = source.createQueryRunner();
  await new WebhookHints1760000000331().down(runner);
  await runner.query(`DELETE FROM migrations WHERE name = 'WebhookHints1760000000331'`);
});
afterEach(async () => {
  await runner.release();
  await source.destroy();
  await database.drop();
});

test('webhooks of the release before keep what is used of their bodies, and nobody\'s name', async () => {
  const paymentId = newId('pay');
  const data = { id: 'pi_1', order_id: paymentId, status: 'authorized', name: 'Zoe Canary' };
  const bodies = [JSON.stringify({ id: 'evt_1', data }), '{"data":{"order_id":"of Zoe Canary"}}', '\xff{'];
  for (const [n, body] of bodies.entries()) {
    await runner.query(
      `INSERT INTO webhooks_received (account_id, event_id, type, body)
       VALUES ('acc_1', $1, 'payment.authorized', $2)`, [`evt_${n}`, Buffer.from(body, 'latin1')]);
  }
  await migrateDatabase('orchestrator', database.url);
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
});

test('the table is locked for the few that are open, and not for all that were handled', async () => {
  await runner.query(`
    CREATE TABLE seen_updates (event_id text, is_locked boolean);
    CREATE FUNCTION see_update() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      INSERT INTO seen_updates SELECT NEW.event_id, EXISTS (
        SELECT FROM pg_locks WHERE pid = pg_backend_pid() AND mode = 'AccessExclusiveLock'
           AND relation = 'webhooks_received'::regclass);
      RETURN NEW;
    END
    $$;
    CREATE TRIGGER see_update BEFORE UPDATE ON webhooks_received
       FOR EACH ROW EXECUTE FUNCTION see_update();
    INSERT INTO webhooks_received (account_id, event_id, type, body, handled_at)
    SELECT 'acc_1', 'evt_' || n, 'payment.authorized', '{}', now() FROM generate_series(1, 2500) n;
    INSERT INTO webhooks_received (account_id, event_id, type, body)
    VALUES ('acc_1', 'evt_open', 'payment.authorized', '{}');`);
  await migrateDatabase('orchestrator', database.url);
  expect(await runner.query(
    'SELECT event_id FROM seen_updates WHERE is_locked')).toEqual([{ event_id: 'evt_open' }]);
  expect(await runner.query(
    `SELECT count(*)::int AS count, count(DISTINCT body_sha256)::int AS digests
       FROM webhooks_received WHERE body_bytes = 2`)).toEqual([{ count: 2501, digests: 1 }]);
});
