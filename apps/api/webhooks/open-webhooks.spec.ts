import { newId } from '#kernel';
import { waitFor } from '#testing';
import { type ApiFixture, signature, startApiFixture } from '../api.fixture.js';

let api: ApiFixture;

beforeAll(async () => {
  api = await startApiFixture();
});
afterAll(() => api.stop());

const send = async (accountId: string): Promise<number> => {
  const body = JSON.stringify({
    id: newId('evt'),
    type: 'payment_intent.updated',
    data: { id: newId('pi') },
  });
  const { status } = await fetch(`${api.http.url}/provider/webhooks/${accountId}`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'service-signature': signature(api.provider.secret, body),
    },
  });
  return status;
};

test('webhooks of an account with too many open ones are refused until some are handled; those of other accounts are accepted', async () => {
  const [full, other] = [await api.newPlatform(), await api.newPlatform()];
  await api.pool.query(
    `INSERT INTO webhooks_received (account_id, event_id, type, body_bytes, body_sha256, intent_id)
     SELECT $1, 'evt_' || n, 'payment_intent.updated', 0, '', 'pi_1'
       FROM generate_series(1, 19990) AS n`,
    [full.accountId],
  );
  const statuses = await Promise.all(Array.from({ length: 15 }, () => send(full.accountId)));
  expect(statuses.filter((status) => status === 204)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  expect(await send(other.accountId)).toBe(204);

  await api.pool.query(
    `UPDATE webhooks_received SET handled_at = now() WHERE account_id = $1 AND event_id < 'evt_15'`,
    [full.accountId],
  );
  await waitFor(async () => (await send(full.accountId)) === 204);
});
