import { randomText } from '#kernel';
import { ApiKeyStore, parseApiKey } from '#platform';
import { type AdminFixture, type Reply } from '../admin.fixture.js';
import { ActionBench } from './actions.fixture.js';
import { approve, pathOf, type Person, reason } from './requests.fixture.js';

let admin: AdminFixture;
let bench: ActionBench;
let ann: Person;
let bob: Person;
let operator: Person;

beforeAll(async () => {
  bench = await ActionBench.start();
  ({ admin } = bench);
  [ann, bob, operator] = await Promise.all([
    admin.signedIn('admin'),
    admin.signedIn('admin'),
    admin.signedIn('operator'),
  ]);
});

afterAll(() => bench.stop());

const pathOfAction = ({ body }: Reply): string =>
  pathOf({ body: body['action'] ?? body } as unknown as Reply);

/**
 * Reads the rows of all tables that an action on users or keys could change, including secrets.
 */
const rights = async (): Promise<unknown> =>
  Promise.all(
    [
      'SELECT id, name, role, disabled_at, password_hash FROM admin_users ORDER BY id',
      'SELECT user_id FROM admin_second_factors ORDER BY user_id',
      'SELECT * FROM api_keys ORDER BY prefix',
      'SELECT * FROM daily_limits ORDER BY 1, 2, 3, 4',
    ].map(async (sql) => (await admin.pool.query(sql)).rows as unknown),
  );

const name = () => `u-${randomText(12).toLowerCase()}`;

const disabled = async (): Promise<string> => {
  const { id } = await admin.newUser('operator');
  await ann.post(`/v1/users/${id}/disable`, { reason });
  return id;
};

/** The changes that need a second admin, each as a request of the first admin. */
const settings: Readonly<Record<string, () => Promise<Reply>>> = {
  'a key that may refund': () =>
    ann.post('/v1/api-keys', {
      platformId: `p-${randomText(6)}`,
      scopes: ['orders:read', 'orders:write'],
      reason,
    }),
  'a key that may redirect webhooks': () =>
    ann.post('/v1/api-keys', {
      platformId: `p-${randomText(6)}`,
      scopes: ['webhooks:read', 'webhooks:write'],
      reason,
    }),
  'an operator': () => ann.post('/v1/users', { name: name(), role: 'operator', reason }),
  'an admin': () => ann.post('/v1/users', { name: name(), role: 'admin', reason }),
  'a higher role': async () => {
    const { id } = await admin.newUser('viewer');
    return ann.post(`/v1/users/${id}/role`, { role: 'operator', reason });
  },
  'another password': async () => {
    const { id } = await admin.newUser('operator');
    return ann.post(`/v1/users/${id}/reset-password`, { reason });
  },
  'another second factor': async () => {
    const { id } = await admin.newUser('operator');
    await admin.pool.query(
      `INSERT INTO admin_second_factors (user_id, sealed, set_up_at) VALUES ($1, 'k.x', now())`,
      [id],
    );
    return ann.post(`/v1/users/${id}/reset-second-factor`, { reason });
  },
  'a higher limit': () =>
    ann.post('/v1/limits', {
      holder: 'platform',
      holderId: 'shop',
      operation: 'refund',
      unit: 'amount',
      daily: 20_000_000_000,
      reason,
    }),
  'a disabled operator': async () => ann.post(`/v1/users/${await disabled()}/enable`, { reason }),
};

test.each(Object.keys(settings))(
  'the setting %s takes effect only after the approval of a second admin',
  async (which) => {
    const asked = await settings[which]?.();
    if (asked === undefined) throw new Error('the table has this setting');
    expect(asked.status).toBeLessThan(300);
    expect(asked.body['action'] ?? asked.body).toMatchObject({
      status: 'pending',
      requestedBy: ann.userId,
    });
    const path = pathOfAction(asked);
    const before = await rights();
    expect(await approve(ann, path)).toMatchObject({ status: 409, body: { code: 'own_action' } });
    expect(await approve(operator, path)).toMatchObject({
      status: 403,
      body: { code: 'role_missing' },
    });
    expect(await rights()).toEqual(before);
    expect(JSON.stringify((await bob.get(path)).body)).not.toMatch(/argon2|secret/i);

    expect((await approve(bob, path)).body).toMatchObject({
      status: 'done',
      decidedBy: bob.userId,
    });
    expect(await rights()).not.toEqual(before);
    const { rows } = await admin.pool.query(
      `SELECT actor, detail->>'approvedBy' AS by FROM audit WHERE request_id = $1`,
      [path.split('/').at(-1)],
    );
    expect(rows).toEqual([{ actor: `user:${ann.userId}`, by: bob.userId }]);
    const { rows: kept } = await admin.pool.query(
      'SELECT private FROM admin_actions WHERE id = $1',
      [path.split('/').at(-1)],
    );
    expect(kept).toEqual([{ private: null }]);
  },
);

test('an API key is active only after the approval', async () => {
  const { body } = await ann.post('/v1/api-keys', {
    platformId: 'later',
    scopes: ['orders:write'],
    reason,
  });
  const { prefix = '' } = parseApiKey(String(body['key'])) ?? {};
  const keys = new ApiKeyStore(admin.pool);
  expect(await keys.findLive(prefix)).toBeNull();
  const path = `/v1/actions/${(body['action'] as { id: string }).id}`;
  expect((await bob.get(`${path}/preview`)).body['notes']).toEqual([
    { code: 'key_activated', prefix, platformId: 'later', scopes: 'orders:write' },
  ]);
  await approve(bob, path);
  expect(await keys.findLive(prefix)).toMatchObject({
    platformId: 'later',
    scopes: ['orders:write'],
  });
});

test('a new user can sign in only after the approval, with the password shown to the requester', async () => {
  const [one, other] = [name(), name()];
  const made = await ann.post('/v1/users', { name: one, role: 'operator', reason });
  const refused = await ann.post('/v1/users', { name: other, role: 'operator', reason });
  const signIn = (who: string, { body }: Reply) =>
    admin.browser().post('/v1/session', { name: who, password: body['oneTimePassword'] });
  expect((await signIn(one, made)).status).toBe(401);
  await approve(bob, pathOfAction(made));
  await bob.post(`${pathOfAction(refused)}/reject`, { reason });
  expect((await signIn(one, made)).status).toBe(201);
  expect((await signIn(other, refused)).status).toBe(401);
});

test('a read-only API key, a new viewer and the removal of a right need no approval', async () => {
  const { id } = await admin.newUser('admin');
  const key = await ann.post('/v1/api-keys', {
    platformId: 'reads',
    scopes: ['orders:read'],
    reason,
  });
  const { prefix } = key.body['item'] as { prefix: string };
  for (const answer of [
    key,
    await ann.post(`/v1/api-keys/${prefix}/revoke`, { reason }),
    await ann.post('/v1/users', { name: name(), role: 'viewer', reason }),
    await ann.post(`/v1/users/${id}/role`, { role: 'operator', reason }),
    await ann.post(`/v1/users/${id}/disable`, { reason }),
    await ann.post(`/v1/users/${id}/role`, { role: 'viewer', reason }),
    await ann.post(`/v1/users/${id}/enable`, { reason }),
  ]) {
    expect(answer.status).toBeLessThan(300);
    if (answer.status !== 204) expect(answer.body['action']).toBeNull();
  }
});

test.each([
  ['/v1/api-keys', { scopes: ['orders:read'] }],
  ['/v1/api-keys', { scopes: ['orders:write'] }],
  ['/v1/webhook-endpoints', { url: 'https://hooks.example' }],
])(
  'no platform has the id under which the outcomes of actions are stored: %s %j',
  async (path, fields) => {
    const answer = await ann.post(path, { ...fields, platformId: 'console', reason });
    expect(answer).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ pointer: '#/platformId' }] },
    });
  },
);

test('a former admin cannot approve or reject settings', async () => {
  const [third, asked] = [await admin.signedIn('admin'), (await settings['an admin']?.()) ?? null];
  if (asked === null) throw new Error('the table has this setting');
  await ann.post(`/v1/users/${third.userId}/role`, { role: 'operator', reason });
  expect((await approve(third, pathOfAction(asked))).status).toBe(403);
});

/**
 * Requests with a platform's API key to close a reconciliation break. @returns the path of the
 * action request
 */
const askedBy = async (asker: string, subjectId: string | undefined): Promise<string> => {
  const actionId = `act_${randomText(24)}`;
  await admin.pool.query(
    `INSERT INTO admin_actions (id, kind, target, subject_type, subject_id, reason, requested_by,
            expires_at, status)
     VALUES ($1, 'close_exception', $2, 'exception', $3, 'known', $4, now() + interval '1 day',
             'pending')`,
    [actionId, { subjectId }, subjectId, asker],
  );
  return `/v1/actions/${actionId}`;
};

test.each([
  ['a live key', true, 'done'],
  ['a revoked key', false, 'requester_not_allowed'],
] as const)(
  'a reconciliation break that a platform requests to close by %s is closed only after a console user’s approval',
  async (_, isLive, end) => {
    const { subjectId } = await bench.targetFor('close_exception');
    const keys = new ApiKeyStore(admin.pool);
    const platformId = `p-${randomText(6)}`;
    const { prefix = '' } = parseApiKey(await keys.create(platformId, ['payouts:write'])) ?? {};
    const asker = `platform:${platformId} key:${prefix}`;
    const path = await askedBy(asker, subjectId);
    if (!isLive) await keys.revoke(prefix);
    const { body } = await approve(operator, path);
    expect(body[isLive ? 'status' : 'code']).toBe(end);
    const { rows } = await admin.pool.query(
      'SELECT closed_by AS by FROM reconciliation_exceptions WHERE exception_id = $1',
      [subjectId],
    );
    expect(rows).toEqual([{ by: isLive ? asker : null }]);
  },
);

test('neither the user to whom a platform’s API key was shown, nor a user created by that user, can approve requests made with the key', async () => {
  const { subjectId } = await bench.targetFor('close_exception');
  const asked = await ann.post('/v1/api-keys', {
    platformId: 'money',
    scopes: ['payouts:write'],
    reason,
  });
  const { prefix = '' } = parseApiKey(String(asked.body['key'])) ?? {};
  await approve(bob, pathOfAction(asked));
  const path = await askedBy(`platform:money key:${prefix}`, subjectId);
  const friend = await admin.signedIn('operator');
  await admin.pool.query(
    `INSERT INTO audit (actor, request_id, action, subject_type, subject_id, reason)
     VALUES ($1, 'spec', 'user.created', 'user', $2, $3)`,
    [`user:${ann.userId}`, friend.userId, reason],
  );
  for (const one of [ann, friend]) {
    expect(await approve(one, path)).toMatchObject({
      status: 409,
      body: { code: 'account_in_doubt' },
    });
  }
  expect((await approve(bob, path)).body).toMatchObject({ status: 'done', decidedBy: bob.userId });
});
