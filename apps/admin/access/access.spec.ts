import { readFileSync } from 'node:fs';
import { randomText } from '#kernel';
import { type AdminFixture, startAdminFixture, type TestBrowser } from '../admin.fixture.js';
import { approve } from '../actions/requests.fixture.js';
import { openApiDocument } from '../reference/openapi.js';
import { type Access, isAtLeast, isRole, type Role, ROLES } from './role.js';

let admin: AdminFixture;
let users: Readonly<Record<Role, TestBrowser & { readonly userId: string }>>;

beforeAll(async () => {
  admin = await startAdminFixture();
  const [viewer, operator, boss] = await Promise.all(ROLES.map((role) => admin.signedIn(role)));
  if (!viewer || !operator || !boss) throw new Error('three roles, three users');
  users = { viewer, operator, admin: boss };
});

afterAll(() => admin.stop());

interface Route {
  readonly method: string;
  readonly path: string;
  readonly access: Access;
}

/** All routes in the OpenAPI document of the admin app. */
const routes = (): readonly Route[] =>
  Object.entries(openApiDocument(admin.http.app).paths).flatMap(([path, operations]) =>
    Object.entries(operations as Record<string, { 'x-access': Route['access'] }>).map(
      ([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        access: operation['x-access'],
      }),
    ),
  );

/**
 * The route's path with an id that no entity has, so that even an allowed request changes nothing.
 */
const address = ({ path }: Route): string =>
  path.replace('{type}', 'order').replaceAll(/\{\w+\}/g, 'none');

const isRead = ({ method }: Route): boolean => method === 'GET';
const bodyOf = (route: Route): unknown => (isRead(route) ? undefined : {});

const ask = (browser: TestBrowser, route: Route, headers: Record<string, string> = {}) =>
  browser.call(route.method, address(route), bodyOf(route), headers);

test('every route requires a role, except the session routes; only the sign-in routes require no session', () => {
  const open = routes().filter(({ access }) => !isRole(access));
  expect(open.map(({ method, path, access }) => `${access} ${method} ${path}`).toSorted()).toEqual([
    'identified DELETE /v1/sessions',
    'identified GET /v1/session/security-keys',
    'identified POST /v1/session/password',
    'identified POST /v1/session/second-factor/begin',
    'identified POST /v1/session/second-factor/confirm',
    'identified POST /v1/session/security-keys/begin',
    'identified POST /v1/session/security-keys/confirm',
    'identified POST /v1/session/security-keys/{id}/remove',
    'public GET /v1/session/identity-provider',
    'public POST /v1/session',
    'public POST /v1/session/identity-provider/begin',
    'public POST /v1/session/identity-provider/confirm',
    'session DELETE /v1/session',
    'session GET /v1/session',
    'session POST /v1/session/second-factor',
    'session POST /v1/session/security-keys/challenge',
  ]);
});

test('viewers cannot change anything but their own exports', () => {
  const changing = routes()
    .filter((route) => !isRead(route) && route.access === 'viewer')
    .filter(({ path }) => !/\/exports(?:\/\{id\})?$/.test(path));
  expect(changing).toEqual([]);
});

test('without a session, every route except the sign-in routes responds with 401', async () => {
  for (const route of routes().filter(({ access }) => access !== 'public')) {
    for (const cookie of ['', 'session=', `session=${randomText(32)}`]) {
      const stranger = admin.browser();
      stranger.cookie = cookie;
      const answer = await ask(stranger, route);
      expect([route, answer.status, answer.body['code']]).toEqual([route, 401, 'unauthorized']);
    }
  }
});

test.each(ROLES)(
  'a user with the role %s can use every route that the role allows, and no other route',
  async (role) => {
    const own = routes().filter(({ access }) => isRole(access));
    for (const route of own) {
      const least = route.access as Role;
      const answer = await ask(users[role], route);
      const isRefused = answer.status === 403 && answer.body['code'] === 'role_missing';
      expect([route, isRefused]).toEqual([route, !isAtLeast(role, least)]);
      expect(answer.status).not.toBe(401);
      expect(answer.status).toBeLessThan(500);
    }
  },
);

test('a change without the CSRF token is rejected', async () => {
  for (const route of routes().filter((one) => !isRead(one) && one.access !== 'public')) {
    for (const token of ['', 'x'.repeat(43), users.operator.csrfToken]) {
      const answer = await ask(users.admin, route, { 'x-csrf-token': token });
      expect([route, answer.status, answer.body['code']]).toEqual([route, 403, 'csrf_refused']);
    }
  }
});

test('a change from an origin other than the console’s is rejected', async () => {
  for (const route of routes().filter((one) => !isRead(one))) {
    for (const origin of ['http://console.test.evil', 'https://console.test', 'null', '']) {
      const answer = await ask(users.admin, route, { origin });
      expect([route, answer.status, answer.body['code']]).toEqual([route, 403, 'origin_refused']);
    }
  }
});

test('each accepted change has an audit entry with the id of the request', async () => {
  const { id } = await admin.newUser('viewer');
  const reason = 'for the audit';
  const bodies: Readonly<Record<string, unknown>> = {
    '/v1/users': { name: `n-${randomText(8).toLowerCase()}`, role: 'viewer', reason },
    '/v1/users/{id}/role': { role: 'operator', reason },
    '/v1/users/{id}/access': {
      scope: [{ platformId: 'shop', merchantId: null }],
      limits: [],
      reason,
    },
    '/v1/users/{id}/register-identity': { email: 'jane@company.example', reason },
    '/v1/api-keys': { platformId: 'shop', scopes: ['orders:read'], reason },
  };
  const made = await users.admin.post('/v1/api-keys', bodies['/v1/api-keys']);
  const { prefix } = made.body['item'] as { readonly prefix: string };
  const changing = routes().filter(
    (one) => !isRead(one) && /^\/v1\/(users|api-keys)/.test(one.path),
  );
  expect(changing.length).toBeGreaterThan(4);
  for (const { method, path } of changing) {
    if (path.endsWith('/remove-identity')) {
      await admin.pool.query(
        `INSERT INTO admin_identities (user_id, email, registered_by) VALUES ($1, 'a@b.example', 'x')
         ON CONFLICT DO NOTHING`,
        [id],
      );
    }
    await admin.pool.query(
      `INSERT INTO admin_second_factors (user_id, sealed, set_up_at) VALUES ($1, 'k.x', now())
       ON CONFLICT DO NOTHING`,
      [id],
    );
    const answer = await users.admin.call(
      method,
      path.replace('{id}', id).replace('{prefix}', prefix),
      bodies[path] ?? { reason },
    );
    expect([path, answer.status < 300]).toEqual([path, true]);
    const { rows } = await admin.pool.query(
      'SELECT actor, reason FROM audit WHERE request_id = $1',
      [answer.headers.get('x-request-id')],
    );
    expect([path, rows]).toEqual([path, [{ actor: `user:${users.admin.userId}`, reason }]]);
  }
});

test.each([`UPDATE audit SET reason = 'x'`, 'DELETE FROM audit', 'TRUNCATE audit'])(
  'the audit log rejects the statement: %s',
  async (sql) => {
    await expect(admin.pool.query(sql)).rejects.toThrow('the audit is only added to');
  },
);

test('an export of the audit log contains every entry and is audited', async () => {
  const { text } = await users.admin.get('/v1/audit.ndjson');
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { action: string });
  const { rows } = await admin.pool.query('SELECT FROM audit');
  expect(lines).toHaveLength(rows.length);
  expect(lines[0]).toMatchObject({ action: 'audit.exported', actor: `user:${users.admin.userId}` });
});

test('an audit entry about a user shows the user’s name, even to viewers', async () => {
  const { id, name } = await admin.newUser('viewer');
  const { body } = await users.viewer.get(`/v1/audit?subjectId=${id}`);
  expect(body).toMatchObject({
    items: [{ subjectType: 'user', subjectId: id, subjectName: name }],
  });
});

test('the metrics count each grant of access, whichever user grants the access', async () => {
  const count = async (action: string): Promise<number> => {
    const { text } = await users.viewer.get('/metrics');
    const line = new RegExp(`console_audit_rows\\{action="${action}"\\} (\\d+)`).exec(text);
    return Number(line?.[1]);
  };
  const [made, reset] = [await count('user.created'), await count('user.password_reset')];
  await admin.newUser('viewer');
  expect([await count('user.created'), await count('user.password_reset')]).toEqual([
    made + 1,
    reset,
  ]);
  expect(await count('limit.changed')).toBe(0);
});

test('the metrics of a restarted process still show the time of the last break-glass access', async () => {
  await admin.pool.query(
    `INSERT INTO audit (at, actor, request_id, action, reason)
     VALUES ('2026-03-01T00:00:00Z', 'ops:ann', 'ops', 'break_glass.used', 'an emergency')`,
  );
  const { text } = await users.viewer.get('/metrics');
  const [, seconds] = /^break_glass_last_used_timestamp_seconds (\S+)$/m.exec(text) ?? [];
  expect(Number(seconds)).toBe(Date.parse('2026-03-01T00:00:00Z') / 1_000);
});

test('a user with a one-time password can do nothing before changing the password', async () => {
  const { name, oneTimePassword } = await admin.newUser('admin');
  const browser = admin.browser();
  await browser.post('/v1/session', { name, password: oneTimePassword });
  expect((await browser.get('/v1/session')).body).toMatchObject({ mustChangePassword: true });
  for (const route of routes().filter(({ access }) => isRole(access))) {
    const answer = await ask(browser, route);
    expect([route, answer.body['code']]).toEqual([route, 'password_change_required']);
  }
});

/**
 * The statements of the runbook's last SQL block, each under the name of the table that it changes.
 */
const erasing = (): readonly string[] => {
  const [, section = ''] = readFileSync('docs/runbook.md', 'utf8').split(
    "## Erasing a person's data",
  );
  const [, sql = ''] = /```sql\n([^`]+)```/.exec(section) ?? [];
  return sql
    .split(';')
    .map((one) => one.trim())
    .filter((one) => one !== '');
};

test('the SQL statements of the runbook erase a user from every table', async () => {
  const canary = `zoe${randomText(8).toLowerCase()}`;
  const reason = 'joins for the summer';
  const email = `${canary}@company.example`;
  const made = await users.admin.post('/v1/users', {
    name: canary,
    role: 'operator',
    email,
    reason,
  });
  const { id: actionId, subjectId: id } = made.body['action'] as Record<'id' | 'subjectId', string>;
  await approve(await admin.signedIn('admin'), `/v1/actions/${actionId}`);
  await admin
    .browser()
    .post('/v1/session', { name: canary, password: made.body['oneTimePassword'] });
  await admin.browser().post('/v1/session', { name: canary, password: 'not the right one' });
  await users.admin.post(`/v1/users/${id}/disable`, { reason });
  const statements = erasing().map((one) => one.replace('usr_…', id));
  expect(statements).toHaveLength(2);
  for (const statement of statements) {
    expect((await admin.pool.query(statement)).rowCount).toBe(1);
  }
  const { rows } = await admin.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  expect(rows.length).toBeGreaterThan(20);
  for (const { name } of rows) {
    const found = await admin.pool.query(`SELECT FROM "${name}" t WHERE t::text LIKE ANY ($1)`, [
      [`%${canary}%`, `%${Buffer.from(canary).toString('hex')}%`],
    ]);
    expect([name, found.rowCount]).toEqual([name, 0]);
  }
});

test('responses of the admin app are not cached, and pages of the console load nothing from other origins', async () => {
  const { headers } = await users.viewer.get('/v1/session');
  expect(headers.get('cache-control')).toBe('no-store');
  const page = await users.viewer.get('/orders');
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain(`default-src 'none'`);
  expect(policy).toContain(`script-src 'self';`);
  expect(policy).toContain(`frame-ancestors 'none'`);
  expect(page.headers.get('x-frame-options')).toBe('DENY');
  expect(page.headers.get('x-content-type-options')).toBe('nosniff');
});

test('the admin app responds to an unknown API path with 404', async () => {
  expect((await users.viewer.get('/v1/nothing')).status).toBe(404);
  expect((await users.viewer.get('/nothing.js')).status).toBe(404);
});
