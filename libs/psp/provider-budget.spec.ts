import type { Pool } from 'pg';
import { createLogger } from '#platform';
import { createDatabase, specPool, type TestDatabase } from '#testing';
import { BudgetSpent, notePauses, ProviderBudget } from './provider-budget.js';

let database: TestDatabase;
let pool: Pool;
let others: Pool;

const connect = (): Pool => specPool(database.urlFor('api'), 4);

beforeAll(async () => {
  database = await createDatabase('orchestrator');
  [pool, others] = [connect(), connect()];
});
afterAll(async () => {
  await Promise.all([pool.end(), others.end()]);
  await database.drop();
});

/**
 * Takes requests from the budget as fast as possible for `forMs`; returns how many were granted.
 */
const takeFor = async (budget: ProviderBudget, key: string, forMs: number): Promise<number> => {
  const untilMs = performance.now() + forMs;
  let taken = 0;
  while (performance.now() < untilMs) {
    try {
      await budget.take(key);
      taken += 1;
    } catch (error) {
      if (!(error instanceof BudgetSpent)) throw error;
    }
  }
  return taken;
};

test('all workers together stay within the request budget of a key', async () => {
  const [one, other] = [pool, others].map((pool) => new ProviderBudget(pool, 600));
  const startedMs = performance.now();
  const taken = await Promise.all(
    [one, one, other, other].map((budget) =>
      takeFor(budget as ProviderBudget, 'stest_shared', 2_000),
    ),
  );
  const seconds = (performance.now() - startedMs) / 1_000;
  const total = taken.reduce((sum, count) => sum + count, 0);
  // The budget grants ten requests a second, plus the unused requests of the last five seconds.
  expect(total).toBeGreaterThanOrEqual(50 + 15);
  expect(total).toBeLessThanOrEqual(50 + 10 * seconds + 1);
});

test('requests with one key do not reduce the budget of another key', async () => {
  const budget = new ProviderBudget(pool, 60);
  while ((await takeFor(budget, 'stest_a', 50)) > 0);
  await expect(budget.take('stest_a')).rejects.toBeInstanceOf(BudgetSpent);
  await budget.take('stest_b');
});

test('a caller whose budget is used up receives the time to wait', async () => {
  const budget = new ProviderBudget(pool, 60);
  while ((await takeFor(budget, 'stest_c', 50)) > 0);
  const refused = (await budget.take('stest_c').catch((error: unknown) => error)) as BudgetSpent;
  expect(refused.waitMs).toBeGreaterThan(0);
  expect(refused.waitMs).toBeLessThanOrEqual(1_000);
});

test('a pause that the provider demands applies to every worker; of several pauses the longest applies', async () => {
  const here = new ProviderBudget(pool, 6_000);
  const pause = notePauses(others, createLogger('spec', { level: 'silent' }));
  await here.take('stest_d');
  await pause('stest_d', 30_000);
  await pause('stest_d', 1_000);
  const refused = (await here.take('stest_d').catch((error: unknown) => error)) as BudgetSpent;
  expect(refused.waitMs).toBeGreaterThan(20_000);
});

test('the API key cannot be computed from the budget table', async () => {
  const { rows } = await pool.query('SELECT key_digest FROM provider_budgets');
  expect(JSON.stringify(rows)).not.toContain('stest_');
});
