import { instantFromMs, newId, randomText } from '#kernel';
import type { Role } from '../access/role.js';
import type { AdminFixture, Reply, TestBrowser } from '../admin.fixture.js';
import { paymentGoes, refundIs } from '../cases/cases.fixture.js';
import type { ProviderDouble } from '../provider-double.fixture.js';
import { ActionBench } from './actions.fixture.js';
import { approve, ask, MONEY, pathOf, type Person, reason } from './requests.fixture.js';

let admin: AdminFixture;
let provider: ProviderDouble;
let bench: ActionBench;
let jane: Person;
let john: Person;
let viewer: TestBrowser;

beforeAll(async () => {
  bench = await ActionBench.start();
  ({ admin, provider } = bench);
  [jane, john, viewer] = await Promise.all([
    admin.signedIn('operator'),
    admin.signedIn('operator'),
    admin.signedIn('viewer'),
  ]);
});

afterAll(() => bench.stop());

test.each(MONEY)(
  'the action %s is executed only after the approval of a second person',
  async (kind) => {
    const [one, other] = await bench.pairFor(kind);
    const target = await bench.targetFor(kind);
    const changes = async () =>
      (
        await admin.pool.query(
          `SELECT (SELECT count(*)::int FROM events) AS events,
            (SELECT count(*)::int FROM discarded_reactions) AS discarded,
            (SELECT count(*)::int FROM reconciliation_exceptions
              WHERE closed_at IS NOT NULL) AS closed,
            (SELECT count(*)::int FROM jobs WHERE note LIKE 'released: %') AS retried`,
        )
      ).rows;
    const before = await changes();
    const asked = await ask(one, kind, target);
    expect(asked).toMatchObject({ status: 201, body: { status: 'pending' } });
    const path = pathOf(asked);
    expect(await changes()).toEqual(before);

    const own = await approve(one, path);
    expect(own).toMatchObject({ status: 409, body: { code: 'own_action' } });
    expect((await approve(viewer, path)).status).toBe(403);
    expect(await changes()).toEqual(before);

    const approved = await approve(other, path);
    expect(approved).toMatchObject({
      status: 200,
      body: { status: 'done', decidedBy: other.userId },
    });
    expect(await changes()).not.toEqual(before);
    expect(await bench.auditOf(asked.body['id'])).toEqual([
      expect.objectContaining({ action: 'action.requested', actor: `user:${one.userId}`, reason }),
      expect.objectContaining({ action: 'action.approved', actor: `user:${other.userId}` }),
      expect.objectContaining({ action: 'action.done', actor: `user:${other.userId}` }),
    ]);

    const after = await changes();
    expect(await approve(other, path)).toMatchObject({
      status: 409,
      body: { code: 'not_pending' },
    });
    expect(await changes()).toEqual(after);
  },
);

test.each(MONEY)('admins cannot approve their own request of %s', async (kind) => {
  const boss = await admin.signedIn('admin');
  const asked = await ask(boss, kind, await bench.targetFor(kind));
  const answer = await approve(boss, pathOf(asked));
  expect(answer).toMatchObject({ status: 409, body: { code: 'own_action' } });
});

test('the approval of an action whose effect has changed since the preview is rejected', async () => {
  const target = await bench.targetFor('resolve_result');
  const request = { kind: 'resolve_result', target, reason };
  const {
    body: { digest },
  } = await jane.post('/v1/actions/dry-run', request);
  provider.intent = { ...provider.intent, status: 'captured' };
  expect(await jane.post('/v1/actions', { ...request, seen: digest })).toMatchObject({
    status: 409,
    body: { code: 'preview_changed' },
  });
  const now = await jane.post('/v1/actions/dry-run', request);
  const asked = await jane.post('/v1/actions', { ...request, seen: now.body['digest'] });
  expect(asked.status).toBe(201);

  const path = pathOf(asked);
  const shown = await john.get(`${path}/preview`);
  provider.intent = { ...provider.intent, status: 'capture_sent' };
  expect(await john.post(`${path}/approve`, { seen: shown.body['digest'] })).toMatchObject({
    status: 409,
    body: { code: 'preview_changed' },
  });
  const again = await john.get(`${path}/preview`);
  expect((await john.post(`${path}/approve`, { seen: again.body['digest'] })).body).toMatchObject({
    status: 'done',
  });
});

test('a refund without an amount refunds the amount that its requester saw, even if more can be refunded at its approval', async () => {
  const { paymentId: subjectId } = await bench.payment('captured');
  const at = instantFromMs(Date.now());
  const failing = { requestId: newId('rfr'), amountMinor: 500, reference: null, reason: null };
  const inProgress = { type: 'RequestRefund', ...failing, at } as const;
  await paymentGoes(admin, subjectId, inProgress);
  await refundIs(admin, subjectId, 'to_refund');
  const asked = await ask(jane, 'refund', { subjectId });
  expect(asked.body).toMatchObject({ target: { amountMinor: 750 }, about: { amountMinor: 750 } });
  await refundIs(admin, subjectId, 'failed');
  expect((await approve(john, pathOf(asked))).body).toMatchObject({ status: 'done' });
  const { rows } = await admin.pool.query(
    `SELECT data->'amountMinor' AS minor FROM events WHERE type = 'RefundRequested'
        AND metadata->>'causationId' = $1`,
    [asked.body['id']],
  );
  expect(rows).toEqual([{ minor: 750 }]);
});

test('a capture without an amount is stored with the amount that its requester saw', async () => {
  const asked = await ask(jane, 'capture', await bench.targetFor('capture'));
  expect(asked.body).toMatchObject({ target: { amountMinor: 1_250 } });
});

test('an action with two concurrent approvals is executed only once', async () => {
  const asked = await ask(jane, 'refund', await bench.targetFor('refund'));
  const path = pathOf(asked);
  const others = await Promise.all([1, 2, 3].map(() => admin.signedIn('operator')));
  const answers = await Promise.all(others.map((other) => approve(other, path)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const { rows } = await admin.pool.query(
    `SELECT count(*)::int AS n FROM events WHERE type = 'RefundRequested'
        AND metadata->>'causationId' = $1`,
    [asked.body['id']],
  );
  expect(rows).toEqual([{ n: 1 }]);
});

test('an action request without approval expires after a day', async () => {
  const asked = await ask(jane, 'capture', await bench.targetFor('capture'));
  const path = pathOf(asked);
  await admin.pool.query('UPDATE admin_actions SET expires_at = now() WHERE id = $1', [
    asked.body['id'],
  ]);
  expect(await approve(john, path)).toMatchObject({ status: 409 });
  expect((await jane.get(path)).body).toMatchObject({ status: 'expired' });
});

test('an action request can be rejected by another user or withdrawn by its requester', async () => {
  for (const who of [john, jane]) {
    const asked = await ask(jane, 'capture', await bench.targetFor('capture'));
    const path = pathOf(asked);
    expect(await who.post(`${path}/reject`, { reason: 'not wanted' })).toMatchObject({
      status: 200,
      body: { status: 'rejected' },
    });
    expect((await approve(john, path)).status).toBe(409);
  }
});

test('an approved action that has become impossible is marked failed, with the reason', async () => {
  const target = await bench.targetFor('refund');
  const requests = await Promise.all(
    [900, 901].map((amountMinor) => ask(jane, 'refund', { ...target, amountMinor })),
  );
  const paths = requests.map(pathOf);
  const seen = await Promise.all(paths.map((path) => john.get(`${path}/preview`)));
  // A refund's preview does not depend on the provider, so both concurrent approvals match their
  // preview.
  await Promise.all(
    paths.map((path, index) => john.post(`${path}/approve`, { seen: seen[index]?.body['digest'] })),
  );
  const after = await Promise.all(paths.map((path) => john.get(path)));
  const statuses = after.map(({ body }) => body['status']);
  expect(statuses.filter((status) => status === 'done')).toHaveLength(1);
  expect(statuses.every((status) => ['done', 'failed', 'pending'].includes(String(status)))).toBe(
    true,
  );
});

test('the preview shown to an approver is computed from the current state', async () => {
  const asked = await ask(jane, 'resolve_result', await bench.targetFor('resolve_result'));
  const path = pathOf(asked);
  expect((await viewer.get(`${path}/preview`)).status).toBe(403);
  provider.before = () => Promise.resolve(503);
  expect(await john.get(`${path}/preview`)).toMatchObject({ status: 503 });
  provider.before = () => Promise.resolve(null);
  const { body } = await john.get(`${path}/preview`);
  expect(body).toMatchObject({ events: [{ type: 'CaptureAccepted' }, { type: 'OrderPaid' }] });

  await approve(john, path);
  expect(await john.get(`${path}/preview`)).toMatchObject({
    status: 409,
    body: { code: 'not_pending' },
  });
});

describe('the approval of an action', () => {
  test('is rejected if the approver or the requester created the other’s account or reset the other’s password', async () => {
    const boss = await admin.signedIn('admin');
    for (const [who, other] of [
      [boss, john],
      [john, boss],
    ] as const) {
      const asked = await ask(who, 'refund', await bench.targetFor('refund'));
      await boss.post(`/v1/users/${john.userId}/role`, { role: 'operator', reason });
      expect(await approve(other, pathOf(asked))).toMatchObject({
        status: 409,
        body: { code: 'account_in_doubt' },
      });
      expect((await approve(jane, pathOf(asked))).body).toMatchObject({ status: 'done' });
    }
  });

  test('is rejected if the requester had the approver’s second factor reset in the last seven days', async () => {
    const [boss, other] = await Promise.all([admin.signedIn('admin'), admin.signedIn('operator')]);
    await admin.pool.query(
      `INSERT INTO audit (actor, action, subject_type, subject_id, request_id)
       VALUES ('user:' || $1, 'user.second_factor_reset', 'user', $2, 'spec')`,
      [boss.userId, other.userId],
    );
    const asked = await ask(boss, 'refund', await bench.targetFor('refund'));
    expect(await approve(other, pathOf(asked))).toMatchObject({
      status: 409,
      body: { code: 'account_in_doubt' },
    });
    expect((await approve(jane, pathOf(asked))).body).toMatchObject({ status: 'done' });
  });

  test('is rejected if the requester was ever shown the approver’s one-time password', async () => {
    const [boss, other] = await Promise.all([admin.signedIn('admin'), admin.signedIn('operator')]);
    const insertAudit = (action: string, actor: string, days: number) =>
      admin.pool.query(
        `INSERT INTO audit (at, actor, action, subject_type, subject_id, request_id)
       VALUES (now() - make_interval(days => $1), $2, $3, 'user', $4, 'spec')`,
        [days, actor, action, other.userId],
      );
    // Changes the time of the audit entry; triggers forbid changes of the audit log.
    await admin.pool.query(
      `ALTER TABLE audit DISABLE TRIGGER USER;
       DELETE FROM audit WHERE subject_id = '${other.userId}';
       ALTER TABLE audit ENABLE TRIGGER USER`,
    );
    await insertAudit('user.created', `user:${boss.userId}`, 30);
    const asked = await ask(boss, 'refund', await bench.targetFor('refund'));
    expect(await approve(other, pathOf(asked))).toMatchObject({
      status: 409,
      body: { code: 'account_in_doubt' },
    });
    // A third person resets the password, so the user's creator no longer knows the password.
    await insertAudit('user.password_reset', `user:${jane.userId}`, 20);
    expect((await approve(other, pathOf(asked))).body).toMatchObject({ status: 'done' });
  });

  describe('is rejected if the approver depends on the requester', () => {
    /**
     * A user created by `maker`, signed in with the one-time password that was shown to `maker`.
     */
    const madeBy = async (maker: Person, role: Role): Promise<Person> => {
      const name = `u-${randomText(12).toLowerCase()}`;
      const { body } = await maker.post('/v1/users', { name, role, reason });
      const { id: actionId, subjectId: userId } = body['action'] as Record<
        'id' | 'subjectId',
        string
      >;
      await approve(await admin.signedIn('admin'), `/v1/actions/${actionId}`);
      const browser = admin.browser();
      const password = String(body['oneTimePassword']);
      await browser.post('/v1/session', { name, password });
      await browser.post('/v1/session/password', { current: password, next: randomText(20) });
      return Object.assign(browser, { userId });
    };

    const approvedBy = async (approver: Person, asker: Person): Promise<Reply> =>
      approve(approver, pathOf(await ask(asker, 'refund', await bench.targetFor('refund'))));

    const IN_DOUBT = { status: 409, body: { code: 'account_in_doubt' } };

    test('because the requester created the approver’s account, even if the approver has reset the password since', async () => {
      const boss = await admin.signedIn('admin');
      const second = await madeBy(boss, 'admin');
      expect(
        await second.post(`/v1/users/${second.userId}/reset-password`, { reason }),
      ).toMatchObject({ status: 409, body: { code: 'own_account' } });
      await admin.pool.query(
        `INSERT INTO audit (actor, action, subject_type, subject_id, request_id)
         VALUES ('user:' || $1, 'user.password_reset', 'user', $1, 'spec')`,
        [second.userId],
      );
      expect(await approvedBy(second, boss)).toMatchObject(IN_DOUBT);
    });

    test('because the requester created the user who created the approver, even if a third person has since reset that user’s password', async () => {
      const boss = await admin.signedIn('admin');
      const second = await madeBy(boss, 'admin');
      const third = await madeBy(second, 'operator');
      expect(await approvedBy(third, boss)).toMatchObject(IN_DOUBT);
      const colleague = await admin.signedIn('admin');
      const reset = await colleague.post(`/v1/users/${second.userId}/reset-password`, { reason });
      const { id: actionId } = reset.body['action'] as { id: string };
      expect(
        (await approve(await admin.signedIn('admin'), `/v1/actions/${actionId}`)).body,
      ).toMatchObject({ status: 'done' });
      expect(await approvedBy(third, boss)).toMatchObject(IN_DOUBT);
      expect(await approvedBy(boss, third)).toMatchObject(IN_DOUBT);
      expect((await approvedBy(jane, third)).body).toMatchObject({ status: 'done' });
    });

    test('because the requester’s password, which the approver was shown, has been reset since the request', async () => {
      const boss = await admin.signedIn('admin');
      const [colleague, third] = [await admin.signedIn('admin'), await admin.signedIn('admin')];
      const requester = await madeBy(boss, 'operator');
      const asked = await ask(requester, 'refund', await bench.targetFor('refund'));
      const { body } = await colleague.post(`/v1/users/${requester.userId}/reset-password`, {
        reason,
      });
      const { id: actionId } = body['action'] as { id: string };
      await approve(third, `/v1/actions/${actionId}`);
      expect((await boss.get(pathOf(asked))).body).toMatchObject({ status: 'rejected' });
    });

    test('because one person was shown the one-time passwords of both users within seven days', async () => {
      const boss = await admin.signedIn('admin');
      const [one, other] = await Promise.all([madeBy(boss, 'operator'), madeBy(boss, 'operator')]);
      expect(await approvedBy(one, other)).toMatchObject(IN_DOUBT);
      await admin.pool.query(
        `ALTER TABLE audit DISABLE TRIGGER USER;
         UPDATE audit SET at = at - interval '8 days' WHERE subject_id = '${one.userId}';
         ALTER TABLE audit ENABLE TRIGGER USER`,
      );
      expect((await approvedBy(one, other)).body).toMatchObject({ status: 'done' });
    });
  });

  test.each(['disable', 'role'] as const)(
    'is rejected after the requester has lost the right to request the action (%s)',
    async (how) => {
      const [boss, requester] = await Promise.all([
        admin.signedIn('admin'),
        admin.signedIn('operator'),
      ]);
      const asked = await ask(requester, 'capture', await bench.targetFor('capture'));
      await boss.post(`/v1/users/${requester.userId}/${how}`, {
        reason: 'found out',
        ...(how === 'role' && { role: 'viewer' }),
      });
      expect((await jane.get(pathOf(asked))).body).toMatchObject({ status: 'rejected' });
      const { rows } = await admin.pool.query(
        `SELECT actor, reason FROM audit WHERE action = 'action.rejected'
          AND detail->>'actionId' = $1`,
        [asked.body['id']],
      );
      expect(rows).toEqual([{ actor: `user:${boss.userId}`, reason: 'found out' }]);

      await admin.pool.query(`UPDATE admin_actions SET status = 'pending' WHERE id = $1`, [
        asked.body['id'],
      ]);
      expect(await approve(jane, pathOf(asked))).toMatchObject({
        status: 409,
        body: { code: 'requester_not_allowed' },
      });
    },
  );
});
