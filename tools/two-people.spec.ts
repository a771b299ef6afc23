import { WorkerBench } from '../apps/worker/worker.fixture.js';
import { Rejection } from '#kernel';
import { markProduction } from '#platform';
import { runOps } from './ops-commands.js';

let bench: WorkerBench;

beforeAll(async () => {
  bench = await WorkerBench.open('http://127.0.0.1:9', { sagas: true, app: 'ops' });
});
afterAll(() => bench.close());

const origin = { actor: 'ops:ann', requestId: 'ops' };
const never = () => Promise.reject(new Rejection('unexpected', 'nothing is read'));

const ops = (...args: string[]) =>
  runOps({ pool: bench.pool, origin, resolveResult: never, business: never }, args);

const create = (name: string, ...rest: string[]) =>
  ops('users', 'create', name, '--role', 'admin', '--reason', 'set up', ...rest);

const glass = () =>
  bench.rows(
    `SELECT actor, reason, detail->>'for' AS deed FROM audit WHERE action = 'break_glass.used' ORDER BY id`,
  );

test('a single person can create any user in development, but only the first two users in production', async () => {
  await create('ann');
  await markProduction(bench.pool);
  await create('bob');
  await expect(create('eve')).rejects.toMatchObject({ code: 'two_people' });
  expect(await bench.rows('SELECT name FROM admin_users ORDER BY name')).toEqual([
    { name: 'ann' },
    { name: 'bob' },
  ]);
  expect(await glass()).toEqual([]);
});

test('when many users are created concurrently, only two of them are created without a second person', async () => {
  await bench.rows('DELETE FROM admin_users');
  await markProduction(bench.pool);
  const made = await Promise.allSettled(
    ['ann', 'bob', 'eve', 'ida', 'max'].map((name) => create(name)),
  );
  expect(made.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))).toEqual(
    Array(3).fill(expect.objectContaining({ code: 'two_people' })),
  );
  expect(await bench.rows('SELECT name FROM admin_users')).toHaveLength(2);
  expect(await glass()).toEqual([]);
});

test.each([
  [['users', 'create', 'zoe', '--role', 'viewer'], 'user.created'],
  [['users', 'reset-password', 'zoe'], 'user.password_reset'],
  [['users', 'reset-second-factor', 'kim'], 'user.second_factor_reset'],
  [['workflows', 'discard', 'checkout', 'ord_1', 'evt_1'], 'ops.reactions_discard'],
  [['merchants', 'review-mismatches', 'mer_1'], 'ops.merchants_reviewed'],
  [['limits', 'set', 'key', '*', 'refund', 'count', '5'], 'ops.limits_set'],
  [['requests', 'resolve', '00000000-0000-0000-0000-000000000000', '--apply'], 'ops.calls_settle'],
])('in production the command %p requires two people or --break-glass', async (args, deed) => {
  await markProduction(bench.pool);
  await bench.admin.query(
    `WITH kim AS (INSERT INTO admin_users (id, name, role, password_hash)
                  VALUES ('usr_kim', 'kim', 'viewer', '') ON CONFLICT DO NOTHING RETURNING id)
     INSERT INTO admin_second_factors (user_id, sealed, set_up_at) SELECT id, 'k.x', now() FROM kim`,
  );
  const before = await glass();
  const command = [...args, '--reason', 'an emergency'];
  await expect(ops(...command)).rejects.toMatchObject({ code: 'two_people' });
  expect(await glass()).toEqual(before);
  // The command may fail because its object does not exist, but its attempt must be audited.
  await ops(...command, '--break-glass').catch((error: unknown) => {
    expect(error).not.toMatchObject({ code: 'two_people' });
  });
  expect(await glass()).toEqual([...before, { actor: 'ops:ann', reason: 'an emergency', deed }]);
});
