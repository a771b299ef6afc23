import { type Job, JobTable, type LaneName } from '#jobs';
import { parseInstant } from '#kernel';
import { createDatabase, specPool, type TestDatabase } from '#testing';
import type pg from 'pg';
import { migrateBefore } from '../../migrations/orchestrator/migrate-before.fixture.js';
import {
  StopOldWorkers1760000000600,
} from '../../migrations/orchestrator/1760000000600-stop-old-workers.js';

const NOW = parseInstant('2030-03-01T12:00:00Z');

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = specPool(database.url, 2);
  await migrateBefore(database.url, StopOldWorkers1760000000600.name);
  await pool.query(`
    INSERT INTO effects (job_id, kind, subject_id, account_id, state, tries, due_at, claim,
                         claimed_until, note)
    SELECT ('00000000-0000-4000-8000-00000000000' || n)::uuid, 'capture', 'pay_' || n, 'acc_1',
           state, tries, due_at::timestamptz, claim::uuid, claimed_until, note
      FROM (VALUES
        (1, 'ready', 0, NULL, NULL, NULL, ''),
        (2, 'calling', 1, NULL, '00000000-0000-4000-8000-0000000000aa', now() + interval '1 h', ''),
        (3, 'waiting', 4, '2030-03-01T11:00:00Z', NULL, NULL, 'away'),
        (4, 'waiting', 4, '2030-03-01T13:00:00Z', NULL, NULL, 'away'),
        (5, 'stuck', 22, NULL, NULL, NULL, 'refused'),
        (6, 'done', 1, NULL, NULL, NULL, 'captured'))
        AS e(n, state, tries, due_at, claim, claimed_until, note);
    INSERT INTO deadlines (kind, key, due_at, tries, claimed_until)
    VALUES ('checkout.expiry', 'ord_1', '2030-03-01T11:00:00Z', 0, now() + interval '1 h'),
           ('merchant.company', 'mer_1', '2030-03-02T11:00:00Z', 3, NULL);
    INSERT INTO account_tasks (account_id, kind, subject, due_at, tries, progress)
    VALUES ('acc_1', 'payouts', '', '2030-03-01T06:00:00Z', 2, '{"createdSince": 5}'),
           ('acc_1', 'lines', 'pout_1', '2030-03-01T06:00:00Z', 0, '{"kind": "refund", "start": 100}');
    INSERT INTO webhooks_received
           (account_id, event_id, type, intent_id, body_bytes, body_sha256, handled_at)
    VALUES ('acc_1', 'evt_1', 'payment.captured', 'pi_1', 0, '', NULL),
           ('acc_1', 'evt_2', 'payment.captured', 'pi_1', 0, '', NULL),
           ('acc_1', 'evt_3', 'payment.captured', 'pi_2', 0, '', now()),
           ('acc_1', 'evt_4', 'customer.created', NULL, 0, '', NULL);`);
  await migrateBefore(database.url);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const claim = async (lane: LaneName, ...kinds: readonly string[]): Promise<readonly Job[]> =>
  (await new JobTable(pool).claim({
    now: NOW, kinds: kinds.map((kind) => ({ kind, lane })), rooms: [{ lane, room: 10 }], load: [],
  })).toSorted((a, b) => `${a.kind} ${a.key}`.localeCompare(`${b.kind} ${b.key}`));

test('what is open goes on: a call that was begun as one whose worker has died', async () => {
  const calls = await claim('calls', 'capture');
  expect(calls.map(({ subjectId, found, attempts }) => [subjectId, found, attempts])).toEqual([
    ['pay_1', 'ready', 1], ['pay_2', 'running', 2], ['pay_3', 'waiting', 5],
  ]);
  expect((await pool.query(
    `SELECT subject_id AS id, state, note FROM jobs
      WHERE subject_id = ANY ('{pay_4,pay_5,pay_6}') ORDER BY 1`)).rows).toEqual([
    { id: 'pay_4', state: 'waiting', note: 'away' }, { id: 'pay_5', state: 'stuck', note: 'refused' },
    { id: 'pay_6', state: 'done', note: 'captured' },
  ]);
});

test('deadlines and what is read of accounts keep their time and where they have come to', async () => {
  expect(await claim('timers', 'checkout.expiry', 'merchant.company'))
    .toMatchObject([{ key: 'ord_1', dueAt: '2030-03-01T11:00:00.000Z', progress: {} }]);
  expect(await claim('lists', 'account.payouts', 'payout.lines')).toMatchObject([
    { kind: 'account.payouts', key: 'acc_1', accountId: 'acc_1', progress: { createdSince: 5, tries: 2 } },
    { kind: 'payout.lines', key: 'pout_1', accountId: 'acc_1', progress: { kind: 'refund', start: 100 } },
  ]);
});

test('open webhooks have their intents read, each once', async () => {
  expect(await claim('hints', 'intent.read')).toMatchObject([
    { key: 'acc_1 ', askedBy: [{ eventId: 'evt_4' }] },
    { key: 'acc_1 pi_1', askedBy: [{ eventId: 'evt_1' }, { eventId: 'evt_2' }] },
  ]);
});
