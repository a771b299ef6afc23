import pg from 'pg';
import { waitFor } from '#testing';
import { TEST_IBANS } from '../collection/banks/test-values.js';
import { type Harness, startHarness } from '../testing/harness.js';
import { all, cardLike, idOf, moveToNoon, type ApiObject } from '../testing/money.js';

let moved: Harness;
let down: Harness;
beforeEach(async () => {
  [moved, down] = await Promise.all([startHarness(), startHarness()]);
});
afterEach(async () => {
  await moved.stop();
  await down.stop();
});

const post = async (sandbox: Harness, path: string, body: object): Promise<ApiObject> => {
  const made = await sandbox.call('POST', `/v2/${path}`, body);
  expect([made.status, made.body['detail'] ?? null]).toEqual([200, null]);
  return made.body;
};

/**
 * A subscription whose first card payment succeeds and whose weekly direct debits are all returned.
 * The debit of each week starts after the debit of the previous week has ended.
 */
const subscribe = async (sandbox: Harness): Promise<string> => {
  await moveToNoon(sandbox, 3);
  const make = async (path: string, body: object) => idOf(await post(sandbox, path, body));
  const customer = await make('customers', { email: 'a@example.test' });
  const product = await make('products', { name: 'Tea' });
  const price = await make('prices', { product, amount: 1_250, interval: 'week' });
  const card = await make('cards', cardLike('Accepted, 3D Secure optional'));
  const items = [{ price, quantity: 1 }];
  const subscription = await make('subscriptions', { customer, items, card });
  const iban = TEST_IBANS.find(({ result }) => result === 'Refused')?.value;
  const sepa = await make('sepa', { name: 'A. Payer', iban });
  await make('mandates', { sepa, signed_at: 1_700_000_000 });
  const path = `/v2/subscriptions/${subscription}`;
  expect((await sandbox.call('PATCH', path, { card: null, sepa })).status).toBe(200);
  return subscription;
};

/**
 * The resulting statuses and amounts, without ids and times of day, which differ between sandboxes.
 */
const outcome = async (sandbox: Harness, subscription: string): Promise<object> => {
  const payments = await all(sandbox, '/v2/payments', 'payments');
  const payouts = await all(sandbox, '/v2/payouts', 'payouts');
  const { body } = await sandbox.call('GET', `/v2/subscriptions/${subscription}`);
  return {
    subscription: body['status'],
    payments: payments.map(({ status, method, amount, response }) => [
      status,
      method,
      amount,
      response,
    ]),
    payouts: payouts.map(({ status, amount, date, date_bank: bank }) => [
      status,
      amount,
      date,
      bank,
    ]),
  };
};

test.each([1, 60])(
  'at clock rate %d, work that fell due during a downtime has the same results as if there had been no downtime',
  async (rate) => {
    const [there, away] = await Promise.all([subscribe(moved), subscribe(down)]);
    await moved.call('POST', '/sandbox/clock', { advance: 'P40D' });
    await down.restart(async () => {
      const client = new pg.Client({ connectionString: down.database.url });
      await client.connect();
      await client.query(
        `UPDATE sandbox_clock SET rate = $1::integer, wall_at = wall_at - interval '40 days' / $1`,
        [rate],
      );
      await client.end();
    });
    const expected = await outcome(moved, there);
    expect(expected).toMatchObject({ subscription: 'unpaid' });
    await waitFor(
      async () => ((await outcome(down, away)) as ApiObject)['subscription'] === 'unpaid',
      {
        timeoutMs: 20_000,
      },
    );
    await down.call('POST', '/sandbox/clock', { rate: 1 });
    expect(await outcome(down, away)).toEqual(expected);
  },
);
