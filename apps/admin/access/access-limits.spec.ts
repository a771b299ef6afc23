import { instantFromMs, newId } from '#kernel';
import { requestIdOf } from '#operations';
import type { AdminFixture, Reply } from '../admin.fixture.js';
import { ActionBench } from '../actions/actions.fixture.js';
import { differingFee } from '../actions/breaks.fixture.js';
import { leastRoleFor, REPAIR_KINDS } from '../actions/action.js';
import { approve, ask, pathOf, type Person, reason } from '../actions/requests.fixture.js';
import { paymentGoes, projectPayments, refundIs } from '../cases/cases.fixture.js';
import { type AccessScope, isWithin, UNLIMITED } from './access-scope.js';
import { limitAccess } from './access-walk.fixture.js';

let bench: ActionBench;
let admin: AdminFixture;
let jane: Person;
let john: Person;

beforeAll(async () => {
  bench = await ActionBench.start();
  ({ admin } = bench);
  [jane, john] = await Promise.all([admin.signedIn('operator'), admin.signedIn('operator')]);
});

beforeEach(() =>
  Promise.all([limitAccess(admin, jane, UNLIMITED), limitAccess(admin, john, UNLIMITED)]),
);

afterAll(() => bench.stop());

const SHOP = { platformId: 'shop', merchantId: null };
const EUR = (mostMinor: number) => ({ limits: [{ currency: 'eur', mostMinor }] });

const refund = async (who: Person, amountMinor: number) => {
  const { paymentId } = await bench.payment('captured');
  return ask(who, 'refund', { subjectId: paymentId, amountMinor });
};

const accessTo = async (id: string): Promise<unknown> =>
  (await admin.pool.query('SELECT scope, limits FROM admin_users WHERE id = $1', [id])).rows[0];

test('an action with an amount above the requester’s limit is refused at the request; an amount equal to the limit is accepted', async () => {
  await limitAccess(admin, jane, EUR(500));
  const refused = await refund(jane, 501);
  expect(refused).toMatchObject({ status: 409, body: { code: 'amount_above_limit' } });
  expect(refused.body['detail']).toContain('a user with a higher limit must do it');
  expect((await refund(jane, 500)).status).toBe(201);
});

test('an amount in a currency without a limit is refused if the user has a limit in another currency', async () => {
  await limitAccess(admin, jane, { limits: [{ currency: 'chf', mostMinor: 1_000_000 }] });
  expect((await refund(jane, 1)).body['code']).toBe('amount_above_limit');
  await limitAccess(admin, jane, UNLIMITED);
  expect((await refund(jane, 1)).status).toBe(201);
});

/**
 * The actions that operators may request and to which no amount limit applies: they neither move
 * money nor close a record of missing money.
 */
const WITHOUT_AMOUNT: readonly string[] = [
  'refresh',
  'rebuild_projection',
  'poll_history',
  'poll_account',
  'reprocess_webhook',
  'withdraw_account',
  'disable_endpoint',
  'enable_endpoint',
  'redeliver_webhooks',
];

test('every action that moves money or closes a reconciliation break has an amount, which the user’s limit must allow and the approver sees', async () => {
  await limitAccess(admin, jane, EUR(2));
  for (const kind of REPAIR_KINDS.filter((one) => leastRoleFor(one) === 'operator')) {
    const target = await bench.targetFor(kind);
    const { status, body } = await ask(jane, kind, target);
    const isFree = WITHOUT_AMOUNT.includes(kind);
    const expected = isFree ? [201, undefined] : [409, 'amount_above_limit'];
    expect([kind, status, body['code']]).toEqual([kind, ...expected]);
    if (isFree) continue;
    const { amounts } = (await ask(john, kind, target)).body;
    const some = { amountMinor: expect.any(Number) as number, currency: 'eur' };
    expect([kind, amounts]).toEqual([kind, [some]]);
  }
});

test('the limit applies to the higher of the two fees, the ledger’s and the provider’s, or of the two amounts, if these differ, when a line is accepted', async () => {
  const { exceptionId } = await differingFee(admin, bench.accountId, 0);
  await limitAccess(admin, jane, EUR(20));
  const asked = await ask(jane, 'accept_line', { subjectId: exceptionId });
  expect(asked.body['code']).toBe('amount_above_limit');
  const { exceptionId: unknown, payoutId } = await differingFee(admin, bench.accountId);
  await admin.pool.query(
    'UPDATE payout_lines SET payment_id = NULL, journal_id = object_id WHERE payout_id = $1',
    [payoutId],
  );
  await limitAccess(admin, jane, EUR(1_998));
  const missing = await ask(jane, 'accept_line', { subjectId: unknown });
  expect(missing.body['code']).toBe('amount_above_limit');
});

test('the refunds of one payment count together, so that partial refunds cannot exceed the limit', async () => {
  const [one, other] = [await bench.payment('captured'), await bench.payment('captured')];
  const part = (who: Person, of: { readonly paymentId: string }, amountMinor: number) =>
    ask(who, 'refund', { subjectId: of.paymentId, amountMinor });
  await limitAccess(admin, jane, EUR(500));
  const parts = await Promise.all(
    [250, 249, 248].map((amountMinor) => part(jane, one, amountMinor)),
  );
  expect(parts.map(({ status }) => status).toSorted()).toEqual([201, 201, 409]);
  expect(parts.find(({ status }) => status === 409)?.body['code']).toBe('amount_above_limit');
  expect((await part(jane, other, 500)).status).toBe(201);

  const third = await admin.signedIn('operator');
  await limitAccess(admin, john, EUR(600));
  const approved = await bench.payment('captured');
  const [first, second] = [await part(third, approved, 500), await part(third, approved, 101)];
  expect((await approve(john, pathOf(first))).body['status']).toBe('done');
  await refundIs(admin, approved.paymentId, 'refunded');
  expect((await approve(john, pathOf(second))).body['code']).toBe('amount_above_limit');
});

/** Makes the provider reject a new refund of the payment; returns the id of the refund request. */
const failedRefund = async (paymentId: string, amountMinor: number): Promise<string> => {
  const [requestId, at] = [newId('rfr'), instantFromMs(Date.now())];
  await paymentGoes(
    admin,
    paymentId,
    { type: 'RequestRefund', requestId, amountMinor, reference: null, reason: null, at },
    { type: 'RejectRefund', requestId, reason: 'declined', at },
  );
  return requestId;
};

test('the reissued refunds of one payment count together with its refunds, a refund that is reissued twice only once', async () => {
  const { paymentId: subjectId } = await bench.payment('captured');
  const failed = [];
  for (const amountMinor of [300, 299, 100])
    failed.push(await failedRefund(subjectId, amountMinor));
  await limitAccess(admin, jane, EUR(400));
  const reissue = (requestId = '') => ask(jane, 'reissue_refund', { subjectId, requestId });
  const both = await Promise.all([reissue(failed[0]), reissue(failed[1])]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  const accepted = both.find(({ status }) => status === 201);
  expect((await ask(jane, 'refund', { subjectId, amountMinor: 102 })).status).toBe(409);

  expect((await approve(john, pathOf(accepted as Reply))).body['status']).toBe('done');
  const again = requestIdOf({ id: String(accepted?.body['id']) });
  const at = instantFromMs(Date.now());
  await paymentGoes(admin, subjectId, {
    type: 'RejectRefund',
    requestId: again,
    reason: 'declined',
    at,
  });
  expect((await reissue(again)).status).toBe(201);
  expect((await reissue(failed[2])).status).toBe(201);
});

test('the limits of approver and requester are checked when the action is approved', async () => {
  const path = pathOf(await refund(jane, 600));
  await limitAccess(admin, john, EUR(599));
  expect((await approve(john, path)).body['code']).toBe('amount_above_limit');
  await limitAccess(admin, john, UNLIMITED);
  await limitAccess(admin, jane, EUR(599));
  const refused = await approve(john, path);
  expect(refused.body['detail']).toContain('the requester may decide about at most 599 eur');
  await limitAccess(admin, jane, EUR(600));
  expect((await approve(john, path)).body['status']).toBe('done');
});

test('an action cannot be approved while its requester is not allowed to see the action’s subject', async () => {
  const path = pathOf(await refund(jane, 100));
  await projectPayments(admin);
  await limitAccess(admin, jane, { scope: [{ platformId: 'mall', merchantId: null }] });
  expect((await approve(john, path)).body['code']).toBe('requester_not_allowed');
  await limitAccess(admin, jane, { scope: [SHOP] });
  expect((await approve(john, path)).body['status']).toBe('done');
});

test('a limited user may request and approve actions on the user’s platform, and actions without an amount whatever the limit', async () => {
  await limitAccess(admin, jane, { scope: [SHOP], ...EUR(0) });
  await limitAccess(admin, john, { scope: [{ platformId: 'shop', merchantId: 'm1' }] });
  const { paymentId } = await bench.payment('authorized');
  expect((await ask(jane, 'refresh', { subjectId: paymentId })).status).toBe(201);
  await limitAccess(admin, jane, { scope: [SHOP], limits: [] });
  const path = pathOf(await refund(jane, 100));
  await projectPayments(admin);
  expect((await approve(john, path)).body['status']).toBe('done');
});

test('a change that widens an operator’s access needs a second admin; a narrower access and any change for a viewer do not', async () => {
  const [boss, second] = await Promise.all([admin.signedIn('admin'), admin.signedIn('admin')]);
  const { id } = await admin.newUser('operator');
  const change = (of: string, access: AccessScope) =>
    boss.post(`/v1/users/${of}/access`, { ...access, reason });
  const narrow = { scope: [SHOP], ...EUR(100) };
  expect(await change(id, narrow)).toMatchObject({ status: 200, body: { user: narrow } });
  const wider = { scope: [SHOP], ...EUR(101) };
  const asked = await change(id, wider);
  expect(asked.body).toMatchObject({ user: null, action: { kind: 'change_access' } });
  expect(await accessTo(id)).toEqual(narrow);
  const { id: actionId } = asked.body['action'] as { readonly id: string };
  expect((await approve(second, `/v1/actions/${actionId}`)).body['status']).toBe('done');
  expect(await accessTo(id)).toEqual(wider);
  const { rows } = await admin.pool.query(
    `SELECT detail FROM audit WHERE subject_id = $1 AND action = 'user.access_changed' ORDER BY id`,
    [id],
  );
  expect(rows).toEqual([
    { detail: narrow },
    { detail: { ...wider, actionId, approvedBy: second.userId } },
  ]);
  const { id: viewerId } = await admin.newUser('viewer');
  expect((await change(viewerId, narrow)).body['action']).toBeNull();
  expect((await change(viewerId, UNLIMITED)).body['action']).toBeNull();
});

describe('the scope and the limits of a user', () => {
  const NARROW = { scope: [SHOP], ...EUR(100) };
  let boss: Person;
  let second: Person;

  beforeAll(async () => {
    [boss, second] = await Promise.all([admin.signedIn('admin'), admin.signedIn('admin')]);
  });

  const change = (of: string, access: AccessScope, by = boss) =>
    by.post(`/v1/users/${of}/access`, { ...access, reason });
  const pathOfAction = ({ body }: Reply) => pathOf({ body: body['action'] } as Reply);
  const notesOf = async (path: string) => (await second.get(`${path}/preview`)).body['notes'];

  test('are set in the request that creates the user, and are shown to the approver', async () => {
    const create = (role: string) =>
      boss.post('/v1/users', {
        name: `n-${newId('u').slice(2, 10).toLowerCase()}`,
        role,
        reason,
        ...NARROW,
      });
    expect((await create('viewer')).body['user']).toMatchObject(NARROW);
    const path = pathOfAction(await create('operator'));
    expect(await notesOf(path)).toMatchObject([
      { code: 'user_activated', visible: 'shop', limits: '100 eur' },
    ]);
    const { body } = await approve(second, path);
    expect(await accessTo(String(body['subjectId']))).toEqual(NARROW);
    const refused = await boss.post('/v1/users', {
      name: 'nn',
      role: 'viewer',
      reason,
      scope: null,
    });
    expect(refused.status).toBe(422);
  });

  test('are part of the preview of a role change, which cannot be approved after one admin has widened them', async () => {
    const { id } = await admin.newUser('viewer');
    await change(id, NARROW);
    const path = pathOfAction(
      await boss.post(`/v1/users/${id}/role`, { role: 'operator', reason }),
    );
    expect(await notesOf(path)).toMatchObject([{ visible: 'shop', limits: '100 eur' }]);
    const seen = (await second.get(`${path}/preview`)).body['digest'];
    await change(id, UNLIMITED);
    expect((await second.post(`${path}/approve`, { seen })).body['code']).toBe('preview_changed');
  });

  test('are not widened by an approval after another admin has narrowed them', async () => {
    const { id } = await admin.newUser('operator');
    await change(id, NARROW);
    const path = pathOfAction(await change(id, { scope: [SHOP], ...EUR(200) }));
    expect(await notesOf(path)).toMatchObject([
      { visibleBefore: 'shop', limitsBefore: '100 eur', limits: '200 eur' },
    ]);
    const seen = (await second.get(`${path}/preview`)).body['digest'];
    await change(id, { scope: [SHOP], ...EUR(0) }, second);
    expect((await second.post(`${path}/approve`, { seen })).body['code']).toBe('preview_changed');
  });

  test('cannot be widened with the approval of the user concerned', async () => {
    const third = await admin.signedIn('admin');
    await limitAccess(admin, third, EUR(100));
    const path = pathOfAction(await change(third.userId, UNLIMITED));
    expect((await approve(third, path)).body['code']).toBe('own_change');
    expect((await approve(second, path)).body['status']).toBe('done');
  });
});

test.each<readonly [string, Partial<AccessScope>, Partial<AccessScope>, boolean]>([
  ['nothing instead of a limit', {}, { scope: [SHOP] }, false],
  [
    'a merchant of the platform',
    { scope: [{ ...SHOP, merchantId: 'm1' }] },
    { scope: [SHOP] },
    true,
  ],
  [
    'the platform of the merchant',
    { scope: [SHOP] },
    { scope: [{ ...SHOP, merchantId: 'm1' }] },
    false,
  ],
  ['a limit instead of none', EUR(1), {}, true],
  ['a limit in another currency', { limits: [{ currency: 'chf', mostMinor: 1 }] }, EUR(9), false],
  ['a lower limit', EUR(1), EUR(9), true],
])(
  'a change of a user’s access is compared with the current access, to decide whether it widens the access: %s',
  (_, next, now, expected) => {
    expect(isWithin({ ...UNLIMITED, ...next }, { ...UNLIMITED, ...now })).toBe(expected);
  },
);

test('the statement of a past month is final for a limited user, too, if the ledger contains all events of the month', async () => {
  const { pool } = admin;
  const merchantId = newId('mer');
  await pool.query(
    `INSERT INTO provider_accounts
            (id, platform_id, merchant_id, mode, api_key_sealed, webhook_secret_sealed)
     VALUES ($1, 'shop', $2, 'test', '', '')`,
    [newId('acc'), merchantId],
  );
  await pool.query(
    `INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data,
                         metadata)
     VALUES ('payment', 'pay_of_may', 1, gen_random_uuid(), 'CaptureAccepted', 1,
             '{"at": "2020-05-20T12:00:00Z"}', '{"platformId": "shop"}')`,
  );
  const limited = await admin.signedIn('viewer');
  await limitAccess(admin, limited, { scope: [SHOP] });
  const areFinal = async (month: string) => {
    const path = `/v1/statements?merchantId=${merchantId}&mode=test&month=${month}`;
    const replies = await Promise.all([jane, limited].map((who) => who.get(path)));
    return replies.map(({ body }) => body['isFinal']);
  };
  expect(await areFinal('2020-05')).toEqual([false, false]);
  await pool.query(
    `INSERT INTO log_cursors (name, epoch, transaction_id, position)
     SELECT 'projection:ledger_streams', epoch, transaction_id, position FROM events
      ORDER BY epoch DESC, transaction_id DESC, position DESC LIMIT 1
         ON CONFLICT (name) DO UPDATE SET epoch = excluded.epoch,
            transaction_id = excluded.transaction_id, position = excluded.position`,
  );
  expect(await areFinal('2020-05')).toEqual([true, true]);
});
