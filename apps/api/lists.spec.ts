import { type ApiFixture, startApiFixture } from './api.fixture.js';
import { NARROWED, plant } from './lists.fixture.js';

let api: ApiFixture;
let platform: Awaited<ReturnType<ApiFixture['newPlatform']>>;
let other: typeof platform;

beforeAll(async () => {
  api = await startApiFixture();
  [platform, other] = [await api.newPlatform(), await api.newPlatform()];
  await plant(api, platform.platformId, platform.accountId, 'x');
  await plant(api, other.platformId, other.accountId, 'y');
});

afterAll(() => api.stop());

const LISTS = Object.entries(NARROWED);

const idsOf = async (path: string): Promise<readonly string[]> => {
  const { status, body } = await api.get(`/v1/${path}`, platform.key);
  expect([path, status]).toEqual([path, 200]);
  return (body['items'] as { id: string }[]).map(({ id }) => id);
};

const file = async (path: string, key = platform.key): Promise<string> => {
  const headers = { authorization: `Bearer ${key}` };
  return (await fetch(`${api.http.url}/v1/${path}`, { headers })).text();
};

test.each(LISTS)(
  'the list of %s has filters that apply to its pages and to its downloaded file',
  async (list, [kind, filters]) => {
    const all = [...filters, `providerAccountId=${platform.accountId}`];
    for (const by of all) {
      expect([by, await idsOf(`${list}?${by}`)]).toEqual([by, [`${kind}_x0`]]);
      const rows = JSON.parse(await file(`${list}/export?format=json&${by}`)) as { id: string }[];
      expect([by, rows.map(({ id }) => id)]).toEqual([by, [`${kind}_x0`]]);
    }
  },
);

test.each(LISTS)(
  'the list of %s can be sorted in ascending and descending order, and is newest first by default',
  async (list, [kind]) => {
    const rising = [0, 1, 2].map((n) => `${kind}_x${n}`);
    expect(await idsOf(list)).toEqual(rising.toReversed());
    for (const sort of ['sort=created', 'sort=updated', 'sort=amount&currency=eur']) {
      expect([sort, await idsOf(`${list}?${sort}`)]).toEqual([sort, rising.toReversed()]);
      expect([sort, await idsOf(`${list}?${sort}&direction=asc`)]).toEqual([sort, rising]);
    }
  },
);

test.each(LISTS)(
  'the lists and downloaded files of %s contain no rows of another platform',
  async (list, [kind]) => {
    const { key } = await api.newPlatform();
    expect((await api.get(`/v1/${list}`, key)).body).toEqual({ items: [], nextCursor: null });
    expect(await file(`${list}/export?format=json`, key)).toBe('[]');
    expect((await file(`${list}/export?format=csv`, key)).trim().split('\r\n')).toHaveLength(1);
    const lines = (await file(`${list}/export?format=csv`, other.key)).trim().split('\r\n');
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(
      [2, 1, 0].map((n) => `${kind}_y${n}`),
    );
  },
);

test.each([
  'status=paid&status=odd',
  'sort=reference',
  'direction=up',
  'amountFrom=1',
  'amountTo=1',
  'sort=amount',
  'currency=eur&amountFrom=1.5',
  'currency=eur&amountFrom=-1',
  'from=monday',
  'updatedTo=2026-02-30',
  'method=cash',
  'platformId=shop',
  'rejectedRefunds=true',
  'from=2026-W10',
  'updatedFrom=2026',
  'to=0000-01-01T00:00:00Z',
  'from=2026-03-01T00:00:00',
])(
  'a list of payments with the invalid query %s is refused, as a page and as a file',
  async (query) => {
    for (const path of [`payments?${query}`, `payments/export?format=csv&${query}`]) {
      const { status, body } = await api.get(`/v1/${path}`, platform.key);
      expect([path, status]).toEqual([path, 422]);
      expect(body['errors']).toEqual([expect.objectContaining({ parameter: expect.any(String) })]);
    }
  },
);

test('a page of a list continues where the previous page ended, even if rows were added meanwhile', async () => {
  const { platformId, key, accountId } = await api.newPlatform();
  await plant(api, platformId, accountId, 'z');
  const page = async (more: string) => (await api.get(`/v1/orders?limit=1${more}`, key)).body;
  const first = await page('');
  expect(first['items']).toMatchObject([{ id: 'ord_z2' }]);
  await api.pool.query(
    `INSERT INTO order_list (order_id, platform_id, merchant_id, reference, amount_minor, currency,
       status, placed_at, version)
     SELECT 'ord_new' || n, $1, 'm1', 'N-' || n, 1, 'eur', 'open',
            timestamptz '2026-03-03' + n * interval '1 microsecond', 1
       FROM generate_series(1, 5) n`,
    [platformId],
  );
  const second = await page(`&cursor=${String(first['nextCursor'])}`);
  expect(second['items']).toMatchObject([{ id: 'ord_z1' }]);
  const third = await page(`&cursor=${String(second['nextCursor'])}`);
  expect(third).toMatchObject({ items: [{ id: 'ord_z0' }], nextCursor: null });
});

test('a cursor is valid only for the list and the sort order of its page', async () => {
  const { body } = await api.get('/v1/orders?limit=1', platform.key);
  const cursor = String(body['nextCursor']);
  for (const query of ['sort=updated', 'direction=asc', 'sort=amount&currency=eur']) {
    const { status } = await api.get(`/v1/orders?${query}&cursor=${cursor}`, platform.key);
    expect([query, status]).toEqual([query, 422]);
  }
});

test('each row of a list is on exactly one page, even if the times of two rows differ by only a microsecond', async () => {
  const { platformId, key } = await api.newPlatform();
  await api.pool.query(
    `INSERT INTO order_list (order_id, platform_id, merchant_id, reference, amount_minor, currency,
       status, placed_at, version)
     SELECT 'ord_us' || n, $1, 'm1', 'U-' || n, 1, 'eur', 'open',
            timestamptz '2026-03-03' + n / 2 * interval '1 microsecond', 1
       FROM generate_series(1, 9) n`,
    [platformId],
  );
  const seen: unknown[] = [];
  let cursor = '';
  do {
    const { body } = await api.get(`/v1/orders?limit=2${cursor}`, key);
    seen.push(...(body['items'] as { id: string }[]).map(({ id }) => id));
    cursor = body['nextCursor'] === null ? '' : `&cursor=${String(body['nextCursor'])}`;
  } while (cursor !== '');
  expect(seen).toEqual(Array.from({ length: 9 }, (_, n) => `ord_us${9 - n}`));
});
