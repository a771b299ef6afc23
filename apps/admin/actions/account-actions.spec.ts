import { HOUR_MS } from '#kernel';
import { markProduction } from '#platform';
import { type AdminFixture, startAdminFixture } from '../admin.fixture.js';
import { ProviderDouble } from '../provider-double.fixture.js';
import { ActionBench } from './actions.fixture.js';
import { approve, ask, pathOf, type Person } from './requests.fixture.js';

let admin: AdminFixture;
let provider: ProviderDouble;
let bench: ActionBench;
let jane: Person;
let john: Person;
let operator: Person;

beforeAll(async () => {
  provider = await ProviderDouble.start();
  admin = await startAdminFixture({ providerUrl: provider.url });
  bench = await ActionBench.open(admin, provider);
  [jane, john, operator] = await Promise.all([
    admin.signedIn('admin'),
    admin.signedIn('admin'),
    admin.signedIn('operator'),
  ]);
});

afterAll(async () => {
  await admin.stop();
  await provider.stop();
});

const accounts = async (...ids: string[]): Promise<readonly Record<string, unknown>[]> => {
  const { body } = await jane.get('/v1/provider-accounts');
  const items = body['items'] as Record<string, unknown>[];
  return ids.map((id) => items.find((one) => one['id'] === id) ?? {});
};

test('in development, an approved provider account is used immediately', async () => {
  const { used, waiting } = await bench.anotherAccount();
  const asked = await ask(jane, 'switch_account', { subjectId: waiting });
  expect((await approve(john, pathOf(asked))).body).toMatchObject({ status: 'done' });
  expect(await accounts(used, waiting)).toMatchObject([
    { status: 'replaced' },
    { status: 'taking_orders' },
  ]);
});

test('in production, a replacement provider account is used for new orders from a day after its approval', async () => {
  await markProduction(admin.pool);
  const { used, waiting } = await bench.anotherAccount();
  const asked = await ask(jane, 'switch_account', { subjectId: waiting });
  expect(asked.body).toMatchObject({ status: 'pending' });
  const dryRun = await john.get(`${pathOf(asked)}/preview`);
  expect(dryRun.body['notes']).toMatchObject([
    { code: 'orders_switched', from: used, to: waiting, hours: 24 },
  ]);
  expect((await approve(jane, pathOf(asked))).body).toMatchObject({ code: 'own_action' });
  expect((await approve(operator, pathOf(asked))).body).toMatchObject({ code: 'role_missing' });
  expect(await accounts(used, waiting)).toMatchObject([
    { status: 'taking_orders' },
    { status: 'awaiting_approval', ordersFrom: null },
  ]);

  const before = Date.now();
  expect((await approve(john, pathOf(asked))).body).toMatchObject({ status: 'done' });
  const [old, scheduled] = await accounts(used, waiting);
  expect([old?.['status'], scheduled?.['status']]).toEqual(['taking_orders', 'scheduled']);
  expect(Date.parse(String(scheduled?.['ordersFrom']))).toBeGreaterThanOrEqual(
    before + 24 * HOUR_MS,
  );
  const { rows } = await admin.pool.query(
    `SELECT action, actor FROM audit WHERE subject_type = 'account' AND subject_id = $1
        AND action LIKE 'account.%' ORDER BY id`,
    [waiting],
  );
  expect(rows).toEqual([
    { action: 'account.awaiting_approval', actor: 'platform:shop' },
    { action: 'account.approved', actor: `user:${jane.userId}` },
  ]);

  // Until the first order uses the account, one person alone can withdraw the account.
  const withdrawn = await ask(operator, 'withdraw_account', { subjectId: waiting });
  expect(withdrawn.body).toMatchObject({ status: 'done' });
  expect(await accounts(used, waiting)).toMatchObject([
    { status: 'taking_orders' },
    { status: 'disabled' },
  ]);
});

test('a provider account that orders use cannot be withdrawn, and is disabled only after a second admin’s approval', async () => {
  const { used, waiting } = await bench.anotherAccount();
  expect((await ask(operator, 'disable_account', { subjectId: used })).body).toMatchObject({
    code: 'role_missing',
  });
  expect((await ask(jane, 'withdraw_account', { subjectId: used })).body).toMatchObject({
    code: 'account_in_use',
  });
  const asked = await ask(jane, 'disable_account', { subjectId: used });
  expect(asked.body).toMatchObject({ status: 'pending' });
  expect((await approve(john, pathOf(asked))).body).toMatchObject({ status: 'done' });
  expect(await accounts(used, waiting)).toMatchObject([
    { status: 'disabled' },
    { status: 'awaiting_approval' },
  ]);
});
