import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { newId } from '#kernel';
import { ProviderAccounts } from '#psp';
import { developmentCertificate, waitFor } from '#testing';
import { type ApiFixture, orderBody, signature, startApiFixture } from '../api.fixture.js';

const certificate = (): { certFile: string; keyFile: string; caFile: string } =>
  developmentCertificate();

let api: ApiFixture;
let accountId: string;

beforeAll(async () => {
  const { certFile, keyFile } = certificate();
  api = await startApiFixture({
    tls: { port: 0, certFile, keyFile, onlyUnder: ['/provider/webhooks/'] },
  });
  ({ accountId } = await api.newPlatform());
});

afterAll(() => api.stop());

const event = (id = newId('evt'), more: object = {}): string =>
  JSON.stringify({
    id,
    type: 'payment.authorized',
    data: { id: newId('paym'), payment_intent: newId('pi') },
    ...more,
  });

/** Delivers a webhook as the provider does: over TLS, with a signature of the body's bytes. */
const deliver = (
  body: string,
  header: string | undefined,
  path = `/provider/webhooks/${accountId}`,
  method = 'POST',
): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: 'localhost',
        port: api.http.tlsPort,
        path,
        method,
        ca: readFileSync(certificate().caFile),
        headers: {
          'content-type': 'application/json',
          ...(header === undefined ? {} : { 'service-signature': header }),
        },
      },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(method === 'GET' ? undefined : body);
  });

const stored = async () => {
  const { rows } = await api.pool.query<{
    event_id: string;
    row: Readonly<Record<string, unknown>>;
  }>(
    `SELECT event_id, to_jsonb(w) || jsonb_build_object('sha', encode(body_sha256, 'hex')) AS row
       FROM webhooks_received w ORDER BY id`,
  );
  return rows;
};

const signed = (body: string, seconds?: number): string =>
  signature(api.provider.secret, body, seconds);

test('a signed webhook is stored before the response: only the fields that the worker uses and a digest', async () => {
  const [id, intentId, paymentId] = [newId('evt'), newId('pi'), newId('pay')];
  const body = JSON.stringify({
    id,
    type: 'payment.authorized',
    data: {
      id: newId('paym'),
      payment_intent: intentId,
      order_id: paymentId,
      status: 'authorized',
      card: { name: 'Zoe Canary' },
      email: 'zoe.canary@example.test',
      description: 'for Zoe Canary',
    },
  }).replace('{', '{ ');
  expect(await deliver(body, signed(body))).toEqual({ status: 204, body: '' });
  const row = (await stored()).find((one) => one.event_id === id)?.row;
  expect(row).toMatchObject({
    type: 'payment.authorized',
    intent_id: intentId,
    order_id: paymentId,
    status: 'authorized',
    body_bytes: body.length,
    sha: createHash('sha256').update(body).digest('hex'),
  });
  expect(JSON.stringify(row)).not.toMatch(/canary|zoe/i);
  expect(JSON.stringify(row)).not.toContain(Buffer.from('Canary').toString('hex'));
});

test('a webhook with a status that the payment has already left is stored as handled, and causes no read of the intent', async () => {
  const { key, accountId: own } = await api.newPlatform();
  const { body: order } = await api.post('/v1/orders', key, orderBody());
  const paymentId = await api.openPayment(String(order['id']));
  await api.providerShows(paymentId, 'authorized');
  await api.post(`/v1/payments/${paymentId}/refresh`, key);
  const intentId = String(api.provider.intent?.['id']);
  const deliverAbout = async (
    data: object,
    account = own,
  ): Promise<Readonly<Record<string, unknown>> | undefined> => {
    const id = newId('evt');
    const body = event(id, { data: { payment_intent: intentId, order_id: paymentId, ...data } });
    const path = `/provider/webhooks/${account}`;
    expect((await deliver(body, signed(body), path)).status).toBe(204);
    return (await stored()).find((one) => one.event_id === id)?.row;
  };
  const reads = async (): Promise<number> =>
    Number(
      (
        await api.pool.query<{ n: string }>(
          `SELECT count(*) AS n FROM jobs WHERE kind = 'intent.read' AND intent_id = $1`,
          [intentId],
        )
      ).rows[0]?.n,
    );
  expect(await deliverAbout({ id: newId('paym'), status: 'authorized' })).toMatchObject({
    note: 'ignored: the payment’s status is already authorized',
    tries: 1,
    handled_at: expect.any(String) as string,
  });
  expect(await reads()).toBe(0);
  // A webhook about a different intent, or with a status that the payment has not had yet, causes a
  // read.
  for (const data of [
    { id: newId('paym'), payment_intent: newId('pi'), status: 'authorized' },
    { id: newId('paym'), status: 'canceled' },
  ]) {
    expect(await deliverAbout(data)).toMatchObject({ handled_at: null, note: '', tries: 0 });
  }
  expect(await reads()).toBe(1);
  const { accountId: other } = await api.newPlatform();
  const shown = { id: newId('paym'), status: 'authorized' };
  expect(await deliverAbout(shown, other)).toMatchObject({ handled_at: null, note: '' });
});

test('a webhook’s reference or status that may contain personal data is not stored', async () => {
  const id = newId('evt');
  const data = { id: newId('pi'), order_id: 'Zoe Canary, room 7', status: 'Zoe is late' };
  const body = JSON.stringify({ id, type: 'payment_intent.created', data });
  expect((await deliver(body, signed(body))).status).toBe(204);
  const row = (await stored()).find((one) => one.event_id === id)?.row;
  expect(row).toMatchObject({ intent_id: data.id, order_id: null, status: null });
});

test.each(['payment_intent.4111111111111111', `payment_intent.${'x'.repeat(65_000)}`])(
  'a webhook’s type in an unusual format is not stored: %.40s',
  async (type) => {
    const id = newId('evt');
    const body = event(id, { type, data: { id: newId('pi') } });
    expect((await deliver(body, signed(body))).status).toBe(204);
    const row = (await stored()).find((one) => one.event_id === id)?.row;
    expect(row).toMatchObject({ type: 'unknown', intent_id: expect.stringContaining('pi_') });
  },
);

test('a repeated webhook is acknowledged, and stored only once', async () => {
  const id = newId('evt');
  const body = event(id);
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, n) => deliver(body, signed(body, Date.now() / 1_000 - n))),
  );
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204]);
  expect((await stored()).filter((one) => one.event_id === id)).toHaveLength(1);
});

describe('a refused webhook', () => {
  const body = event();
  const now = (): number => Date.now() / 1_000;
  test.each([
    ['no signature', () => undefined],
    ['a signature by another secret', () => signature('ab'.repeat(32), body)],
    ['a signature of another body', () => signed(`${body} `)],
    ['an old signature', () => signed(body, now() - 62)],
    ['a signature from the future', () => signed(body, now() + 62)],
    ['only a signature of an unknown version', () => signed(body).replace('v1=', 'v9=')],
    ['a malformed signature', () => 'nonsense'],
  ])(
    'with %s is not stored for processing, and the response does not state the reason',
    async (_, header) => {
      const before = (await stored()).length;
      const answer = await deliver(body, header());
      expect(answer.status).toBe(401);
      expect(answer.body).not.toMatch(/signature|secret|timestamp|version|account/i);
      expect(await stored()).toHaveLength(before);
    },
  );

  test('gets the same response for an unknown account as for a wrong signature', async () => {
    const unknown = await deliver(body, signed(body), `/provider/webhooks/${newId('acc')}`);
    const known = await deliver(body, 'nonsense');
    const without = (text: string) => text.replace(/"correlationId":"[^"]*"/, '');
    expect(unknown.status).toBe(401);
    expect(without(unknown.body)).toBe(without(known.body));
  });
});

test('a webhook with signatures of several versions is verified by the highest known version', async () => {
  const body = event();
  const header = `${signed(body)},v2=00ff,v17=abc`;
  expect((await deliver(body, header)).status).toBe(204);
  const wrong = header.replace(/v1=../, 'v1=zz');
  expect((await deliver(body, wrong)).status).toBe(401);
});

test('an oversized webhook is refused before its body is read', async () => {
  const body = event(newId('evt'), { padding: 'x'.repeat(70_000) });
  expect((await deliver(body, signed(body))).status).toBe(413);
});

test('a signed body that is not an event is refused and not stored', async () => {
  const before = (await stored()).length;
  for (const body of ['[]', '{"id":"evt_1"}', 'not json', '']) {
    expect((await deliver(body, signed(body))).status).toBe(422);
  }
  expect(await stored()).toHaveLength(before);
});

// NUL and half a surrogate pair are valid in JSON but not in a database text.
test('a signed event whose fields contain NUL or half a surrogate pair is refused', async () => {
  const before = (await stored()).length;
  const data = { id: newId('paym'), payment_intent: newId('pi') };
  for (const text of ['\0', 'a\0b', '\ud800']) {
    const changes = [
      { type: `payment.${text}` },
      { data: { ...data, id: text } },
      { data: { ...data, order_id: text } },
      { data: { ...data, status: text } },
    ];
    for (const change of changes) {
      const body = event(newId('evt'), change);
      expect((await deliver(body, signed(body))).status).toBe(422);
    }
  }
  expect(await stored()).toHaveLength(before);
});

test('the listener for the provider serves only webhooks', async () => {
  for (const path of ['/v1/orders', '/health/live', '/metrics', '/docs', '/openapi.json']) {
    expect((await deliver('', undefined, path, 'GET')).status).toBe(404);
  }
});

/** These tests are last in the file, because the refusals of all tests count towards one limit. */
test('a sender of too many invalid webhooks gets a 429, but signed webhooks from the same IP address are accepted', async () => {
  const forged = event();
  const flood = () => deliver(forged, 'nonsense', `/provider/webhooks/${newId('acc')}`);
  const before = (await stored()).length;
  const statuses = new Set<number>();
  for (let round = 0; round < 5; round += 1) {
    const body = event();
    const all = await Promise.all([
      deliver(body, signed(body)),
      ...Array.from({ length: 20 }, flood),
    ]);
    expect(all[0]?.status).toBe(204);
    for (const { status } of all.slice(1)) statuses.add(status);
  }
  expect(statuses).toEqual(new Set([401, 429]));
  // The status of the response is the same whether the account exists or not.
  expect((await deliver(forged, 'nonsense')).status).toBe(429);
  expect(await stored()).toHaveLength(before + 5);
});

/** From now on, records each account id that a request reads from the database. */
const accountReads = (): { readonly ids: readonly string[]; readonly end: () => void } => {
  const accounts = api.http.app.get(ProviderAccounts);
  const byId = accounts.byId.bind(accounts);
  const ids: string[] = [];
  accounts.byId = (id) => {
    ids.push(id);
    return byId(id);
  };
  return { ids, end: () => void (accounts.byId = byId) };
};

test('webhooks for unknown accounts from a sender of too many invalid webhooks cause no database reads until the limit’s time window ends', async () => {
  const forged = event();
  const flood = async (): Promise<number> =>
    (await deliver(forged, 'nonsense', `/provider/webhooks/${newId('acc')}`)).status;
  await waitFor(async () => (await flood()) === 401, { timeoutMs: 15_000, everyMs: 200 });
  const body = event();
  expect((await deliver(body, signed(body))).status).toBe(204);
  await waitFor(async () => (await flood()) === 429, { everyMs: 0 });
  const { ids, end } = accountReads();
  try {
    const statuses = await Promise.all(Array.from({ length: 30 }, flood));
    expect(new Set(statuses)).toEqual(new Set([429]));
    expect(ids).toEqual([]);
    // Webhooks for a known account are still accepted from this IP address.
    const another = event();
    expect((await deliver(another, signed(another))).status).toBe(204);
    expect(ids).toEqual([accountId]);
  } finally {
    end();
  }
});
