import { instantFromMs, newId, randomText } from '#kernel';
import { merchantAggregate } from '#onboarding';
import { type ApiFixture, startApiFixture } from '../api.fixture.js';
import { ONBOARD_EXAMPLES } from './merchant.dto.js';

/** Tests without a provider; the tests with the provider sandbox are in test/onboarding. */

let api: ApiFixture;
let platformId: string;
let key: string;

beforeAll(async () => {
  api = await startApiFixture({
    partnerKeys: { test: 'spart_test_nobodyishere', live: null },
    partnersUrl: 'http://127.0.0.1:9/api/partners',
  });
});
afterAll(() => api.stop());
beforeEach(async () => {
  platformId = `p-${randomText(8)}`;
  key = await api.newKey(platformId);
});

const draft = async (): Promise<string> => {
  const id = newId('mer');
  await api.store.execute(
    merchantAggregate,
    id,
    {
      type: 'DraftMerchant',
      platformId,
      reference: randomText(8),
      mode: 'test',
      firstTerminal: null,
      detailsRef: newId('det'),
      at: instantFromMs(Date.now()),
    },
    { correlationId: id, causationId: 'spec', actor: `platform:${platformId}`, traceparent: null },
  );
  return id;
};

test('a request with merchant details gets a 503 and is not executed while the provider’s lists of codes cannot be read', async () => {
  const answer = await api.post('/v1/merchants', key, ONBOARD_EXAMPLES.least.value);
  expect(answer).toMatchObject({ status: 503, body: { code: 'reference_data_unavailable' } });
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  const { rows } = await api.pool.query(
    'SELECT 1 FROM merchant_details UNION ALL SELECT 1 FROM events',
  );
  expect(rows).toEqual([]);
});

describe('the list of merchants', () => {
  const list = async (query = '') => (await api.get(`/v1/merchants${query}`, key)).body;
  const idsIn = (body: Readonly<Record<string, unknown>>): readonly string[] =>
    (body['items'] as { id: string }[]).map(({ id }) => id);

  beforeEach(async () => {
    for (const [id, reference, mode, status, ordersEnabled, day] of [
      ['a', 'one', 'test', 'available', true, 1],
      ['b', 'two', 'test', 'incomplete', false, 2],
      ['c', 'three', 'live', 'available', false, 3],
      ['d', 'four', 'live', 'rejected', false, 3],
    ] as const) {
      await api.pool.query(
        `INSERT INTO merchant_list VALUES ($1, $2, $3, $4, $5, $6, null, $7, 1)`,
        [
          `mer_${id}${platformId.slice(2)}`,
          platformId,
          reference,
          mode,
          status,
          ordersEnabled,
          `2026-03-0${day}T10:00:00Z`,
        ],
      );
    }
  });
  const id = (letter: string): string => `mer_${letter}${platformId.slice(2)}`;

  test('is newest first, page by page', async () => {
    const first = await list('?limit=3');
    expect(idsIn(first)).toEqual([id('d'), id('c'), id('b')]);
    const second = await list(`?limit=3&cursor=${String(first['nextCursor'])}`);
    expect([idsIn(second), second['nextCursor']]).toEqual([[id('a')], null]);
    expect((await api.get('/v1/merchants?cursor=bm8', key)).status).toBe(422);
  });

  test.each([
    ['?status=available', ['c', 'a']],
    ['?mode=live', ['d', 'c']],
    ['?ordersEnabled=true', ['a']],
    ['?ordersEnabled=false&mode=test', ['b']],
    ['?reference=two', ['b']],
    ['?status=closed', []],
  ])('can be filtered by %s', async (query, letters) => {
    expect(idsIn(await list(query))).toEqual(letters.map(id));
  });

  test.each(['?open=maybe', '?status=open', '?mode=both', '?limit=0'])(
    'refuses %s with a 422',
    async (query) => {
      expect((await api.get(`/v1/merchants${query}`, key)).status).toBe(422);
    },
  );
});

test('a merchant’s event stream sends the events so far, then new events, and no events of other merchants', async () => {
  const [mine, other] = [await draft(), await draft()];
  const ending = new AbortController();
  const answer = await fetch(`${api.http.url}/v1/merchants/${mine}/events`, {
    headers: { authorization: `Bearer ${key}` },
    signal: ending.signal,
  });
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  const erase = (id: string) => api.call('DELETE', `/v1/merchants/${id}/personal-data`, { key });
  await erase(other);
  await erase(mine);
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.includes('PersonalDataErased')) break;
  }
  ending.abort();
  expect([...text.matchAll(/^event: (\w+)$/gm)].map(([, type]) => type)).toEqual([
    'MerchantDrafted',
    'RegistrationRequested',
    'PersonalDataErased',
  ]);
  expect(text).not.toContain(other);
  const { body } = await api.get(`/v1/merchants/${mine}/timeline`, key);
  expect(body['items']).toHaveLength(3);
});
