import { type AdminFixture, startAdminFixture, type TestBrowser } from '../admin.fixture.js';

let admin: AdminFixture;
let ann: TestBrowser;
let ben: TestBrowser;
/** Another operator. */
let other: TestBrowser;
let chief: TestBrowser;

beforeAll(async () => {
  admin = await startAdminFixture();
  ann = await admin.signedIn('operator');
  ben = await admin.signedIn('viewer');
  other = await admin.signedIn('operator');
  chief = await admin.signedIn('admin');
});
beforeEach(() => admin.pool.query('DELETE FROM admin_saved_views'));
afterAll(() => admin.stop());

const view = (changes: object = {}) => ({
  list: 'orders',
  name: 'Large open orders',
  query: 'status=open&currency=eur&sort=amount.desc',
  isShared: false,
  ...changes,
});
const save = (user: TestBrowser, changes: object = {}) =>
  user.call('POST', '/v1/saved-views', view(changes));
const viewsOf = async (user: TestBrowser, list = 'orders') => {
  const { body } = await user.get(`/v1/saved-views?list=${list}`);
  return (body['items'] as readonly Record<string, unknown>[]).map(({ name, query, isOwn }) => ({
    name,
    query,
    isOwn,
  }));
};
const own = { name: view().name, query: view().query, isOwn: true };

test('a saved view belongs to one list and one user', async () => {
  expect((await save(ann)).status).toBe(200);
  expect(await viewsOf(ann)).toEqual([own]);
  expect(await viewsOf(ann, 'payments')).toEqual([]);
  expect(await viewsOf(ben)).toEqual([]);
});

test('every user sees a shared view, with the name of its owner', async () => {
  await save(ann, { isShared: true });
  const { body } = await chief.get('/v1/saved-views?list=orders');
  const ownerName = expect.stringMatching(/\S/);
  expect(body['items']).toMatchObject([{ name: own.name, isOwn: false, ownerName }]);
});

test('a viewer sees shared views, and may not save any', async () => {
  await save(ann, { isShared: true });
  expect(await save(ben)).toMatchObject({ status: 403, body: { code: 'role_missing' } });
  expect(await viewsOf(ben)).toEqual([{ ...own, isOwn: false }]);
});

test('a view with the name of an earlier one replaces it', async () => {
  await save(ann);
  await save(ann, { query: 'status=paid' });
  expect(await viewsOf(ann)).toEqual([{ ...own, query: 'status=paid' }]);
});

test('a user deletes own views, and an admin also shared ones', async () => {
  const remove = async (user: TestBrowser, id: unknown) =>
    (await user.call('DELETE', `/v1/saved-views/${String(id)}`)).status;
  const shared = (await save(ann, { isShared: true })).body['id'];
  const hidden = (await save(ann, { name: 'Mine' })).body['id'];
  expect([await remove(ben, shared), await remove(chief, hidden)]).toEqual([403, 404]);
  expect(await remove(other, shared)).toBe(404);
  expect([await remove(chief, shared), await remove(ann, hidden)]).toEqual([204, 204]);
  expect(await viewsOf(ann)).toEqual([]);
});

test('a user can save 50 views, and replace one of them', async () => {
  for (let n = 0; n < 50; n += 1) await save(ann, { name: `View ${n}` });
  expect(await save(ann, { name: 'One more' })).toMatchObject({
    status: 409,
    body: { code: 'too_many_views' },
  });
  expect((await save(ann, { name: 'View 7' })).status).toBe(200);
});

test('saved and deleted views are in the audit log', async () => {
  const { body } = await save(ann);
  await ann.call('DELETE', `/v1/saved-views/${String(body['id'])}`);
  const { rows } = await admin.pool.query(
    `SELECT action, detail ->> 'name' AS name FROM audit WHERE action LIKE 'view.%'
      ORDER BY at DESC LIMIT 2`,
  );
  expect(rows).toEqual([
    { action: 'view.deleted', name: own.name },
    { action: 'view.saved', name: own.name },
  ]);
});

test.each([
  ['list', { list: 'users' }],
  ['name', { name: ' ' }],
  ['name', { name: 'x'.repeat(61) }],
  ['name', { name: 'mail ann@example.com' }],
  ['query', { query: '?status=open' }],
  ['query', { query: 'search=FR7630006000011234567890189' }],
  ['query', { query: 'search=FR76+3000+6000+0112+3456+7890+189' }],
  ['query', { query: 'search=ann%40example.com' }],
  ['query', { query: 'x'.repeat(2_001) }],
  ['isShared', { isShared: 'yes' }],
])('a view with an invalid %s (%j) is rejected and not saved', async (field, changes) => {
  expect(await save(ann, changes)).toMatchObject({
    status: 422,
    body: { errors: [expect.objectContaining({ pointer: `#/${field}` })] },
  });
  expect(await viewsOf(ann)).toEqual([]);
});
