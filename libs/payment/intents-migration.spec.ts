import { randomUUID } from 'node:crypto';
import { createDatabase, type TestDatabase } from '#testing';
import { DataSource, type QueryRunner } from 'typeorm';
import { migrateDatabase } from '../../migrations/migrate-database.js';
import {
  IntentsAreOnePayments1760000000350,
} from '../../migrations/orchestrator/1760000000350-intents-are-one-payments.js';

let database: TestDatabase;
let source: DataSource;
let runner: QueryRunner;

beforeEach(async () => {
  database = await createDatabase('orchestrator');
  source = await new DataSource({ type: 'postgres', url: database.url }).initialize();
  runner = source.createQueryRunner();
});
afterEach(async () => {
  await runner.release();
  await source.destroy();
  await database.drop();
});

/** Commits that a payment has an intent, and reserves nothing. */
const commit = (paymentId: string, intentId: string) =>
  runner.query(
    `SELECT commit_steps('{1}', NULL, $1, NULL, NULL, NULL, NULL, NULL, NULL)`, [
      JSON.stringify([{
        s: 0, stream_type: 'payment', stream_id: paymentId, version: 1, event_id: randomUUID(),
        type: 'IntentCreated', schema_version: 1, data: { intentId }, metadata: {},
      }]),
    ]);

const reserved = () =>
  runner.query(`SELECT key, holder FROM reservations WHERE scope = 'payment.intent' ORDER BY key`);

test('intents that were told of before are reserved, for the first that has one', async () => {
  await new IntentsAreOnePayments1760000000350().down(runner);
  await commit('pay_1', 'pi_1');
  await commit('pay_2', 'pi_1');
  await commit('pay_3', 'pi_2');
  expect(await reserved()).toEqual([]);
  await runner.query(`DELETE FROM migrations WHERE name = 'IntentsAreOnePayments1760000000350'`);
  await migrateDatabase('orchestrator', database.url);
  expect(await reserved()).toEqual([
    { key: 'pi_1', holder: 'pay_1' }, { key: 'pi_2', holder: 'pay_3' }]);
});
