import { accountAggregate } from '#account';
import { HOUR_MS, instantFromMs, randomText } from '#kernel';
import { waitFor } from '#testing';
import { type ApiFixture, orderBody, type Reply, startApiFixture } from '../api.fixture.js';

let api: ApiFixture;
beforeAll(async () => {
  api = await startApiFixture();
});
afterAll(() => api.stop());

const newApiKey = () => `stest_${randomText(24)}`;

const register = (
  key: string,
  apiKey: string,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<Reply> =>
  api.post('/v1/provider-accounts', key, { merchantId: 'm1', mode: 'test', apiKey, ...changes });

/**
 * Creates a platform whose merchant `m1` is paid into the provider account `first`; `apiKey` is the
 * key of this account.
 */
const merchant = async () => {
  const platformId = `p-${randomText(8)}`;
  const key = await api.newKey(platformId);
  const apiKey = newApiKey();
  const { body } = await register(key, apiKey);
  expect(body).toMatchObject({ status: 'taking_orders' });
  return { platformId, key, apiKey, first: String(body['id']) };
};

/** The provider account that a new order uses, or the error code if the order is refused. */
const usedBy = async (key: string): Promise<unknown> => {
  const placed = await api.post('/v1/orders', key, orderBody());
  if (placed.status !== 201) return placed.body['code'];
  const {
    rows: [event],
  } = await api.pool.query<{ account: string }>(
    `SELECT data->>'accountId' AS account FROM events WHERE stream_id = $1 AND version = 1`,
    [placed.body['id']],
  );
  return event?.account;
};

const statusOf = async (key: string, id: string): Promise<unknown> => {
  const { body } = await api.get('/v1/provider-accounts', key);
  return (body['items'] as { id: string; status: string }[]).find((one) => one.id === id)?.status;
};

/** Approves or disables the account, as two operators do in the console. */
const execute = (
  id: string,
  command: 'approve' | 'disable',
  coolingOffMs = 0,
): Promise<unknown> => {
  const metadata = {
    correlationId: id,
    causationId: 'act_1',
    actor: 'user:usr_1',
    traceparent: null,
  };
  const at = instantFromMs(Date.now());
  return api.store.execute(
    accountAggregate,
    id,
    command === 'approve'
      ? { type: 'ApproveAccount', coolingOffMs, at }
      : { type: 'DisableAccount', at },
    metadata,
  );
};

const noticesOf = async (key: string): Promise<readonly Record<string, unknown>[]> =>
  (await api.get('/v1/notices', key)).body['items'] as Record<string, unknown>[];

const auditOf = async (id: string): Promise<readonly unknown[]> => {
  const { rows } = await api.pool.query(
    `SELECT action, actor FROM audit WHERE subject_type = 'account' AND subject_id = $1 ORDER ` +
      'BY id',
    [id],
  );
  return rows;
};

describe('the registration of a key of a second provider account', () => {
  test('changes the account of new orders only after two operators’ approval, and never the account of existing orders', async () => {
    const { key, first } = await merchant();
    const older = await api.post('/v1/orders', key, orderBody());
    const { status, body } = await register(key, newApiKey());
    const second = String(body['id']);
    expect([status, body['status'], body['ordersFrom']]).toEqual([201, 'awaiting_approval', null]);
    expect(second).not.toBe(first);
    expect(await usedBy(key)).toBe(first);

    await execute(second, 'approve', 24 * HOUR_MS);
    expect(await statusOf(key, second)).toBe('scheduled');
    expect(await statusOf(key, first)).toBe('taking_orders');
    expect(await usedBy(key)).toBe(first);
    // Simulates that a day of business time has passed.
    await api.pool.query(`UPDATE account_schedule SET orders_from = now() WHERE account_id = $1`, [
      second,
    ]);
    await waitFor(async () => (await usedBy(key)) === second);
    expect(await statusOf(key, first)).toBe('replaced');
    const {
      rows: [payment],
    } = await api.pool.query<{ account: string }>(
      `SELECT data->>'accountId' AS account FROM events
        WHERE type = 'IntentRequested' AND data->>'orderId' = $1`,
      [older.body['id']],
    );
    expect(payment?.account).toBe(first);
  });

  test('rejects a long text as `ordersFrom` without a long search', async () => {
    const { key } = await merchant();
    const beganAt = process.cpuUsage();
    const { body } = await register(key, newApiKey(), { ordersFrom: 'T'.repeat(60_000) });
    expect(body).toMatchObject({ code: 'validation_failed' });
    expect(process.cpuUsage(beganAt).user).toBeLessThan(2_000_000);
  });

  test.each(['2026-W10-1T10:00:00Z', '2026-02-30T00:00:00Z', '2026-03-01T10:00:00'])(
    'rejects %s as `ordersFrom`, and the error names the field',
    async (ordersFrom) => {
      const { key } = await merchant();
      expect(await register(key, newApiKey(), { ordersFrom })).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', errors: [{ pointer: '#/ordersFrom' }] },
      });
    },
  );

  test('is recorded in the platform’s notices, the event log and the audit log, step by step', async () => {
    const { platformId, key, first } = await merchant();
    const { body } = await register(key, newApiKey(), { ordersFrom: '2031-01-01T00:00:00Z' });
    const second = String(body['id']);
    await execute(second, 'approve');
    const ordersFrom = '2031-01-01T00:00:00.000Z';
    expect(await noticesOf(key)).toMatchObject([
      { kind: 'account_approved', accountId: second, ordersFrom, actor: 'user:usr_1' },
      {
        kind: 'account_awaiting_approval',
        accountId: second,
        merchantId: 'm1',
        ordersFrom: null,
        actor: `platform:${platformId}`,
      },
      { kind: 'account_registered', accountId: first },
    ]);
    expect(await auditOf(second)).toEqual([
      { action: 'account.awaiting_approval', actor: `platform:${platformId}` },
      { action: 'account.approved', actor: 'user:usr_1' },
    ]);
    const event = await api.get(`/v1/events/account/${second}/1`, key);
    expect(event).toMatchObject({ status: 200, body: { data: { ordersFrom: null } } });
    const { key: stranger } = await api.newPlatform();
    expect(await api.get(`/v1/events/account/${second}/1`, stranger)).toMatchObject({
      status: 404,
    });
    expect(JSON.stringify(await noticesOf(stranger))).not.toContain(second);
  });

  test('can be withdrawn by the platform until orders use the account', async () => {
    const { key, first } = await merchant();
    const second = String((await register(key, newApiKey())).body['id']);
    await execute(second, 'approve', HOUR_MS);
    const { key: stranger } = await api.newPlatform();
    const withdraw = (by: string, id: string) =>
      api.post(`/v1/provider-accounts/${id}/withdraw`, by);
    expect(await withdraw(stranger, second)).toMatchObject({
      status: 404,
      body: { code: 'account_not_found' },
    });
    expect(await withdraw(key, second)).toMatchObject({ status: 200, body: { id: second } });
    expect([await statusOf(key, second), await usedBy(key)]).toEqual(['disabled', first]);
    expect(await withdraw(key, first)).toMatchObject({
      status: 409,
      body: { code: 'account_in_use' },
    });
  });

  test('requires an approval for the second account even if two concurrent requests register the merchant’s first and second account', async () => {
    const key = await api.newKey(`p-${randomText(8)}`);
    const made = await Promise.all(
      [1, 2].map(() =>
        waitFor(async () => {
          const { status, body } = await register(key, newApiKey());
          return status === 201 ? body : null;
        }),
      ),
    );
    const statuses = made.map(({ status }) => status).toSorted();
    expect(statuses).toEqual(['awaiting_approval', 'taking_orders']);
  });
});

describe('the registration of a new key of the same provider account', () => {
  test('replaces the stored key immediately, with an event, an audit entry and a notice', async () => {
    const { platformId, key, apiKey, first } = await merchant();
    const next = newApiKey();
    api.provider.sameAccount(apiKey, next);
    expect(await register(key, next)).toMatchObject({
      status: 201,
      body: { id: first, status: 'taking_orders' },
    });
    const actor = `platform:${platformId}`;
    expect(await auditOf(first)).toEqual([
      { action: 'account.registered', actor },
      { action: 'account.key_rotated', actor },
    ]);
    expect((await noticesOf(key))[0]).toMatchObject({ kind: 'account_key_rotated' });
    expect(await usedBy(key)).toBe(first);
    // Registering the new key again records no further rotation.
    await register(key, next);
    expect(await auditOf(first)).toHaveLength(2);
  });
});

describe('a disabled provider account', () => {
  test('receives no new orders, and a different account replaces it only after an approval', async () => {
    const { key, first } = await merchant();
    const second = String((await register(key, newApiKey())).body['id']);
    await execute(second, 'approve');
    await waitFor(async () => (await usedBy(key)) === second);
    await execute(second, 'disable');
    await waitFor(async () => (await usedBy(key)) === 'account_disabled');
    await execute(first, 'approve');
    await waitFor(async () => (await usedBy(key)) === first);
  });
});
