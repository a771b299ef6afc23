import { newId } from '#kernel';
import { waitFor } from '#testing';
import { type ApiFixture, signature, startApiFixture } from '../api.fixture.js';

let api: ApiFixture;
let accountId: string;

beforeAll(async () => {
  api = await startApiFixture();
  ({ accountId } = await api.newPlatform());
});
beforeEach(() => api.pool.query('TRUNCATE webhooks_refused'));
afterAll(() => api.stop());

const canary = 'canary.payer@example.com';
const event = JSON.stringify({ id: newId('evt'), payer: canary });

const send = async (account: string, body: string, header?: string): Promise<number> => {
  const answer = await fetch(`${api.http.url}/provider/webhooks/${account}`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      ...(header === undefined ? {} : { 'service-signature': header }),
    },
  });
  await answer.arrayBuffer();
  return answer.status;
};

test.each([
  ['no signature', 401, () => send(accountId, event)],
  [
    'signature or time is wrong',
    401,
    () => send(accountId, event, signature('ab'.repeat(32), event)),
  ],
  [
    'signature or time is wrong',
    401,
    () => send(accountId, event, signature(api.provider.secret, event, Date.now() / 1_000 - 600)),
  ],
  ['unknown account', 401, () => send(newId('acc'), event, signature('ab'.repeat(32), event))],
  ['not an event', 422, () => send(accountId, '[]', signature(api.provider.secret, '[]'))],
] as const)('a refused webhook is recorded with its reason: %s', async (reason, status, sent) => {
  expect(await sent()).toBe(status);
  const { rows } = await waitFor(async () => {
    const found = await api.pool.query<Record<string, unknown>>(
      'SELECT account_id, reason, w::text AS all FROM webhooks_refused w',
    );
    return found.rowCount === 1 ? found : null;
  });
  const known = reason === 'unknown account' ? null : accountId;
  expect(rows[0]).toMatchObject({ account_id: known, reason });
  expect(String(rows[0]?.['all'])).not.toContain(canary);
});

test('at most ten refused webhooks are recorded per second', async () => {
  const beganMs = performance.now();
  await Promise.all(Array.from({ length: 45 }, () => send(accountId, event)));
  // The limit applies to calendar seconds; requests that take n seconds may touch n + 1 of them.
  const seconds = Math.ceil((performance.now() - beganMs) / 1_000) + 1;
  await new Promise((resolve) => setTimeout(resolve, 300));
  const { rows } = await api.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM webhooks_refused',
  );
  expect(rows[0]?.n).toBeLessThanOrEqual(10 * seconds);
});

test('an accepted webhook is stored with its intent’s id', async () => {
  const intentId = newId('pi');
  const body = JSON.stringify({
    id: newId('evt'),
    type: 'payment_intent.authorized',
    data: { id: intentId, status: 'authorized' },
  });
  const status = await send(accountId, body, signature(api.provider.secret, body));
  const { rows } = await api.pool.query('SELECT intent_id FROM webhooks_received');
  expect([status, rows]).toEqual([204, [{ intent_id: intentId }]]);
});
