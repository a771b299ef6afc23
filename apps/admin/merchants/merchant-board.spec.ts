import type pg from 'pg';
import { createDatabase, specPool, type TestDatabase } from '#testing';
import { readBoard } from './merchant-board.js';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createDatabase('orchestrator');
  pool = specPool(database.url, 2);
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

const at = '2026-03-01T10:00:00.000Z';

const EVENT = `
  INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data, metadata)
  VALUES ('merchant', $1, 1, gen_random_uuid(), $2, $3, $4, '{}')`;

test('a merchant’s card on the board names missing requirements by the current field names, even if an older release recorded them', async () => {
  await pool.query(`
    INSERT INTO merchant_list VALUES
      ('mer_old', 'shop', 'M-1', 'test', 'incomplete', false, 'comp_1', now(), 1),
      ('mer_now', 'shop', 'M-2', 'test', 'incomplete', false, 'comp_2', now() - interval '1 day', 1),
      ('mer_new', 'shop', 'M-3', 'test', 'incomplete', false, 'comp_3', now() - interval '2 days', 1),
      ('mer_bad', 'shop', 'M-4', 'test', 'rejected', false, NULL, now(), 1),
      ('mer_draft', 'shop', 'M-5', 'test', 'draft', false, NULL, now(), 1)`);
  const lacks = (...missing: string[]) => ({ missing, readAt: at, at });
  await pool.query(EVENT, ['mer_old', 'RequirementsObserved', 1, lacks('kbis', 'signature')]);
  await pool.query(EVENT, [
    'mer_now',
    'RequirementsObserved',
    3,
    lacks('documents.bank_account_proof'),
  ]);
  await pool.query(EVENT, ['mer_new', 'RequirementsObserved', 99, lacks('a new word')]);
  const refusal = { reason: 'email-unavailable', fields: ['user.contact.email'], at };
  await pool.query(EVENT, ['mer_bad', 'RegistrationRejected', 1, refusal]);

  const { columns } = await readBoard(pool);
  expect(
    columns.map(({ status, cards }) => [
      status,
      ...cards.map(({ reference, missing }) => [reference, ...missing]),
    ]),
  ).toEqual([
    ['draft', ['M-5']],
    [
      'incomplete',
      ['M-1', 'documents.registration_extract', 'signature'],
      ['M-2', 'documents.bank_account_proof'],
      ['M-3'],
    ],
    ['rejected', ['M-4', 'contact.email']],
  ]);
});
