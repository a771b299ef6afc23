import { randomText } from '#kernel';
import { lockWaits, waitFor } from '#testing';
import { type AdminFixture, startAdminFixture } from '../admin.fixture.js';

let admin: AdminFixture;

beforeAll(async () => {
  admin = await startAdminFixture();
});
beforeEach(() => admin.pool.query('DELETE FROM admin_sign_in_attempts'));
afterAll(() => admin.stop());

const signIn = (name: string, password: string) =>
  admin.browser().post('/v1/session', { name, password });

const rowsOf = async (sql: string, ...values: unknown[]): Promise<readonly unknown[]> =>
  (await admin.pool.query(sql, values)).rows as unknown[];

describe('the sign-in', () => {
  test('starts a session in a cookie hidden from scripts and other sites', async () => {
    const { name, oneTimePassword } = await admin.newUser('viewer');
    const { status, headers, body } = await signIn(name, oneTimePassword);
    expect([status, body['mustChangePassword']]).toEqual([201, true]);
    expect(headers.get('set-cookie')).toMatch(
      /^session=[A-Za-z0-9]{32}; Path=\/; HttpOnly; SameSite=Strict, device=/,
    );
  });

  test('binds the cookie to the host over TLS', async () => {
    const secure = await startAdminFixture({ origin: 'https://console.test' });
    const { name, oneTimePassword } = await secure.newUser('viewer');
    const { headers } = await secure
      .browser()
      .call(
        'POST',
        '/v1/session',
        { name, password: oneTimePassword },
        { origin: 'https://console.test' },
      );
    const cookies = headers.getSetCookie();
    expect(cookies).toHaveLength(2);
    for (const one of cookies) {
      expect(one).toMatch(/^__Host-(?:session|device)=.*; HttpOnly; SameSite=Strict; Secure/);
    }
    expect(headers.get('strict-transport-security')).toContain('max-age');
    await secure.stop();
  });

  test('fails with the same response for a wrong password, an unknown name and an expired password', async () => {
    const [known, late, out] = await Promise.all([1, 2, 3].map(() => admin.newUser('viewer')));
    if (!known || !late || !out) throw new Error('three users');
    await admin.pool.query('UPDATE admin_users SET password_expires_at = now() WHERE id = $1', [
      late.id,
    ]);
    await admin.pool.query('UPDATE admin_users SET disabled_at = now() WHERE id = $1', [out.id]);
    const answers = [
      await signIn(known.name, 'wrong'),
      await signIn('unknown', 'wrong'),
      await signIn(late.name, late.oneTimePassword),
      await signIn(out.name, out.oneTimePassword),
    ];
    for (const { status, body, headers } of answers) {
      const { correlationId: _id, ...rest } = body;
      expect(status).toBe(401);
      expect(rest).toEqual({
        type: 'urn:problem-type:sign_in_refused',
        title: 'Unauthorized',
        status: 401,
        detail: 'the name or the password is wrong',
        code: 'sign_in_refused',
      });
      expect(headers.get('set-cookie')).toBeNull();
    }
  });

  test('is limited per account, even with the right password or for an account that does not exist', async () => {
    const { name, oneTimePassword } = await admin.newUser('viewer');
    for (const one of [name, `unknown-${randomText(8)}`]) {
      const tries = await Promise.all(Array.from({ length: 12 }, () => signIn(one, 'wrong')));
      expect(tries.filter(({ status }) => status === 401)).toHaveLength(10);
      const limited = await signIn(one, oneTimePassword);
      expect([limited.status, limited.body['code']]).toEqual([429, 'too_many_sign_ins']);
      expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(600);
    }
  });

  const from = (address: string, name: string, password: string) =>
    admin.browser().call('POST', '/v1/session', { name, password }, { 'x-forwarded-for': address });

  test('is limited per IP address, and other IP addresses are not blocked', async () => {
    const { name, oneTimePassword } = await admin.newUser('viewer');
    await Promise.all(Array.from({ length: 12 }, () => from('10.0.0.1', name, 'wrong')));
    expect((await from('10.0.0.1', name, oneTimePassword)).status).toBe(429);
    expect((await from('10.0.0.2', name, oneTimePassword)).status).toBe(201);
    expect(
      await rowsOf(
        `SELECT detail FROM audit WHERE action = 'session.sign_in_limited' ORDER BY id DESC ` +
          'LIMIT 1',
      ),
    ).toEqual([{ detail: { limit: 'accountHere' } }]);
  });

  test('is possible from an IP address other than the attacker’s while the account is under attack', async () => {
    const { name, oneTimePassword } = await admin.newUser('viewer');
    for (const last of [1, 2, 3, 4, 5, 6]) {
      await Promise.all(Array.from({ length: 10 }, () => from(`10.1.0.${last}`, name, 'wrong')));
    }
    expect((await from('10.1.0.1', name, oneTimePassword)).status).toBe(429);
    expect((await from('10.1.0.7', name, oneTimePassword)).status).toBe(201);
  });

  test('allows two attempts from each new IP address while the account is under attack', async () => {
    const { name, oneTimePassword } = await admin.newUser('viewer');
    for (const last of [1, 2, 3, 4, 5, 6]) {
      await Promise.all(Array.from({ length: 10 }, () => from(`10.2.0.${last}`, name, 'wrong')));
    }
    expect((await from('10.2.0.8', name, 'wrong')).status).toBe(401);
    expect((await from('10.2.0.8', name, 'wrong')).status).toBe(401);
    expect((await from('10.2.0.8', name, oneTimePassword)).status).toBe(429);
  });

  test('is possible in a known browser while the account is under attack', async () => {
    const { name, oneTimePassword } = await admin.newUser('viewer');
    const [known, stranger] = [admin.browser(), admin.browser()];
    const signInWith = (browser: typeof known, password: string) =>
      browser.call('POST', '/v1/session', { name, password }, { 'x-forwarded-for': '10.3.0.1' });
    expect((await signInWith(known, oneTimePassword)).status).toBe(201);
    await Promise.all(Array.from({ length: 12 }, () => signInWith(stranger, 'wrong')));
    await admin.pool.query('UPDATE admin_sign_in_attempts SET tries = 100000');
    expect((await signInWith(stranger, oneTimePassword)).status).toBe(429);
    expect((await signInWith(known, oneTimePassword)).status).toBe(201);
    // Attempts in a known browser are also limited, so a known browser does not help to guess
    // passwords.
    const tries = [];
    for (let n = 0; n < 11; n += 1) tries.push((await signInWith(known, 'wrong')).status);
    expect(tries).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
  });

  test('is limited as in an unknown browser if only another user has signed in there, or if the password was reset since', async () => {
    const [one, other] = [await admin.newUser('viewer'), await admin.newUser('viewer')];
    const browser = admin.browser();
    const signInAs = ({ name, oneTimePassword: password }: typeof one) =>
      browser.call('POST', '/v1/session', { name, password }, { 'x-forwarded-for': '10.4.0.1' });
    expect((await signInAs(one)).status).toBe(201);
    await from('10.4.0.1', other.name, 'wrong');
    await admin.pool.query('UPDATE admin_sign_in_attempts SET tries = 100000');
    expect((await signInAs(other)).status).toBe(429);
    expect((await signInAs(one)).status).toBe(201);
    const boss = await admin.signedIn('admin');
    await boss.post(`/v1/users/${one.id}/reset-password`, { reason: 'for a spec' });
    await from('10.4.0.1', one.name, 'wrong');
    await admin.pool.query('UPDATE admin_sign_in_attempts SET tries = 100000');
    expect((await signInAs(one)).status).toBe(429);
  });

  test('is limited per network for IPv6 addresses', async () => {
    const { name, oneTimePassword } = await admin.newUser('viewer');
    for (let n = 0; n < 10; n += 1) await from(`2001:db8:0:7::${n + 1}`, name, 'wrong');
    expect((await from('2001:db8:0:7:ffff::1', name, oneTimePassword)).status).toBe(429);
    expect((await from('2001:db8:0:8::1', name, oneTimePassword)).status).toBe(201);
  });

  test('counts towards the limit of the IP address only if it fails', async () => {
    const { name, oneTimePassword } = await admin.newUser('viewer');
    await from('10.0.0.3', name, oneTimePassword);
    expect(await rowsOf('SELECT tries FROM admin_sign_in_attempts')).toEqual([{ tries: 0 }]);
  });

  test('is limited per IP address, even if each attempt uses a different name', async () => {
    await admin.pool.query('DELETE FROM admin_sign_in_attempts');
    await signIn('someone', 'wrong');
    await admin.pool.query('UPDATE admin_sign_in_attempts SET tries = 100');
    expect((await signIn('someone-else', 'wrong')).status).toBe(429);
  });

  test('stores nothing that a user typed into the form', async () => {
    const canary = `canary-${randomText(12)}`;
    await signIn(canary, canary);
    const tables = ['audit', 'admin_sign_in_attempts', 'admin_sessions', 'admin_users'];
    for (const table of tables) {
      expect(JSON.stringify(await rowsOf(`SELECT t::text FROM ${table} t`))).not.toContain(canary);
    }
  });

  test('is audited, both when it succeeds and when it fails', async () => {
    const { name, id, oneTimePassword } = await admin.newUser('viewer');
    await signIn(name, 'wrong');
    await signIn(name, oneTimePassword);
    expect(
      await rowsOf('SELECT actor, action FROM audit WHERE subject_id = $1 ORDER BY id', id),
    ).toEqual([
      { actor: 'ops:spec', action: 'user.created' },
      { actor: 'unknown', action: 'session.sign_in_refused' },
      { actor: `user:${id}`, action: 'session.signed_in' },
    ]);
  });
});

describe('a console session', () => {
  test('is stored only as the hash of its token', async () => {
    const someone = await admin.signedIn('viewer');
    const token = someone.cookie.replace('session=', '');
    const kept = JSON.stringify(await rowsOf('SELECT t::text FROM admin_sessions t'));
    expect(kept).not.toContain(token);
    expect(kept).not.toContain(Buffer.from(token).toString('hex'));
  });

  test.each([
    ['it is not used for half an hour', `last_seen_at = now() - interval '31 minutes'`],
    ['twelve hours are over', `expires_at = now()`],
  ])('ends when %s', async (_, change) => {
    const someone = await admin.signedIn('viewer');
    expect((await someone.get('/v1/session')).status).toBe(200);
    await admin.pool.query(`UPDATE admin_sessions SET ${change} WHERE user_id = $1`, [
      someone.userId,
    ]);
    expect((await someone.get('/v1/session')).status).toBe(401);
  });

  test('is extended by user actions, not by background reads', async () => {
    const someone = await admin.signedIn('viewer');
    const age = () =>
      rowsOf(
        `SELECT last_seen_at > now() - interval '1 minute' AS fresh FROM admin_sessions
        WHERE user_id = $1`,
        someone.userId,
      );
    await admin.pool.query(
      `UPDATE admin_sessions SET last_seen_at = now() - interval '20 minutes' WHERE user_id = $1`,
      [someone.userId],
    );
    await someone.call('GET', '/v1/overview', undefined, { 'x-background': '1' });
    expect(await age()).toEqual([{ fresh: false }]);
    await someone.get('/v1/overview');
    expect(await age()).toEqual([{ fresh: true }]);
  });

  test('can be ended in this browser or in all browsers', async () => {
    const { name, oneTimePassword } = await admin.newUser('viewer');
    const browsers = [admin.browser(), admin.browser(), admin.browser()];
    for (const one of browsers) await one.post('/v1/session', { name, password: oneTimePassword });
    const statuses = () =>
      Promise.all(browsers.map(async (one) => (await one.get('/v1/session')).status));
    const [first, second] = browsers;
    const cookie = first?.cookie ?? '';
    const ended = await first?.call('DELETE', '/v1/session');
    expect(ended?.headers.get('set-cookie')).toContain('Max-Age=0');
    if (first) first.cookie = cookie;
    expect(await statuses()).toEqual([401, 200, 200]);
    const kept = second?.cookie ?? '';
    await second?.call('DELETE', '/v1/sessions');
    if (second) second.cookie = kept;
    expect(await statuses()).toEqual([401, 401, 401]);
  });

  test.each([
    ['disable', {}],
    ['reset-password', {}],
  ])('ends when an admin disables its user or resets the password (%s)', async (how) => {
    const [boss, someone] = [await admin.signedIn('admin'), await admin.signedIn('viewer')];
    await boss.post(`/v1/users/${someone.userId}/${how}`, { reason: 'for a spec' });
    expect((await someone.get('/v1/session')).status).toBe(401);
  });

  test('has the user’s new role as soon as the role is changed', async () => {
    const [boss, someone] = [await admin.signedIn('admin'), await admin.signedIn('operator')];
    expect((await someone.get('/v1/audit.csv')).status).toBe(200);
    await boss.post(`/v1/users/${someone.userId}/role`, { role: 'viewer', reason: 'for a spec' });
    expect((await someone.get('/v1/audit.csv')).status).toBe(403);
  });
});

describe('the password of a console user', () => {
  test('can be changed with the current password; the change ends all other sessions of the user', async () => {
    const { name, oneTimePassword } = await admin.newUser('viewer');
    const [here, there] = [admin.browser(), admin.browser()];
    for (const one of [here, there]) {
      await one.post('/v1/session', { name, password: oneTimePassword });
    }
    const change = (current: string, next: string) =>
      here.post('/v1/session/password', { current, next });
    expect((await change('wrong', 'a-good-long-password')).body['code']).toBe('wrong_password');
    for (const weak of ['short', oneTimePassword, `x-${name}-x`]) {
      expect((await change(oneTimePassword, weak)).body['code']).toBe('weak_password');
    }
    expect((await change(oneTimePassword, 'a-good-long-password')).body).toMatchObject({
      mustChangePassword: false,
    });
    expect((await here.get('/v1/overview')).status).toBe(200);
    expect((await there.get('/v1/session')).status).toBe(401);
    expect((await signIn(name, oneTimePassword)).status).toBe(401);
    expect((await signIn(name, 'a-good-long-password')).status).toBe(201);
  });

  test.each([
    'password1234',
    'P@ssw0rd1234',
    '123456789012',
    'qwertyuiop123',
    'aaaaaaaaaaaaaaaa',
    'letmein12345',
    'abcdefghijklmnop',
    'console12345',
  ])('cannot be a common or trivial password: %s', async (weak) => {
    const { name, oneTimePassword } = await admin.newUser('viewer');
    const browser = admin.browser();
    await browser.post('/v1/session', { name, password: oneTimePassword });
    const answer = await browser.post('/v1/session/password', {
      current: oneTimePassword,
      next: weak,
    });
    expect([answer.status, answer.body['code']]).toEqual([422, 'weak_password']);
  });

  test('is the one-time password after an admin’s reset, even if the user changes the password concurrently', async () => {
    const { id, name, oneTimePassword: current } = await admin.newUser('viewer');
    const other = await admin.newUser('viewer');
    const browser = admin.browser();
    await browser.post('/v1/session', { name, password: current });
    const client = await admin.pool.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM admin_users WHERE id = $1 FOR UPDATE', [id]);
    const changing = browser.post('/v1/session/password', {
      current,
      next: 'another-long-password',
    });
    await waitFor(() => lockWaits(admin.pool));
    const {
      rows: [reset],
    } = await client.query(
      `UPDATE admin_users SET password_hash = o.password_hash
         FROM admin_users o WHERE admin_users.id = $1 AND o.id = $2
       RETURNING admin_users.password_hash AS hash`,
      [id, other.id],
    );
    await client.query('COMMIT');
    client.release();
    expect((await changing).body).toMatchObject({ status: 422, code: 'wrong_password' });
    expect(await rowsOf('SELECT password_hash AS hash FROM admin_users WHERE id = $1', id)).toEqual(
      [reset],
    );
  });

  test('is stored as an argon2id hash', async () => {
    const { id } = await admin.newUser('viewer');
    const [row] = await rowsOf('SELECT password_hash AS hash FROM admin_users WHERE id = $1', id);
    expect((row as { hash: string }).hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
});

test('the last admin cannot be demoted or disabled', async () => {
  const alone = await startAdminFixture();
  const boss = await alone.signedIn('admin');
  const reason = 'for a spec';
  for (const [path, body] of [
    ['role', { role: 'viewer', reason }],
    ['disable', { reason }],
  ] as const) {
    const answer = await boss.post(`/v1/users/${boss.userId}/${path}`, body);
    expect(answer).toMatchObject({ status: 409, body: { code: 'last_admin' } });
  }
  await alone.stop();
});
