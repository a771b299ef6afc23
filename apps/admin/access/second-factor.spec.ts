import { Secret, TOTP } from 'otpauth';
import { randomText } from '#kernel';
import { lockWaits, waitFor } from '#testing';
import { approve, reason } from '../actions/requests.fixture.js';
import { requiresSecondFactor } from '../admin-config.js';
import {
  type AdminFixture,
  ORIGIN,
  type Reply,
  startAdminFixture,
  type TestBrowser,
} from '../admin.fixture.js';
import type { Role } from './role.js';
import { SoftKey } from './soft-key.fixture.js';

let admin: AdminFixture;

beforeAll(async () => {
  admin = await startAdminFixture();
});
beforeEach(() => admin.pool.query('DELETE FROM admin_sign_in_attempts'));
afterEach(() => admin.requireSecondFactor(false));
afterAll(() => admin.stop());

const PATH = '/v1/session/second-factor';
/** The validity of a code. The authenticator app shows the next code only after this time. */
const STEP_MS = 30_000;

interface Someone {
  readonly id: string;
  readonly name: string;
  readonly password: string;
  readonly browser: TestBrowser;
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** The code that the app of this secret shows `steps` from now. */
const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + steps * STEP_MS,
  });

const wrongCodeOf = (secret: string): string => {
  const right = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find(
    (code) => !right.includes(code),
  ) as string;
};

/** Lets a spec use a code again, so that it need not wait half a minute for the next code. */
const forgetUsedCodes = () => admin.pool.query('UPDATE admin_second_factors SET last_step = 0');

const begin = async (browser: TestBrowser): Promise<string> =>
  String((await browser.post(`${PATH}/begin`)).body['secret']);

/** A signed-in user who has chosen a password and has no second factor. */
const user = async (role: Role): Promise<Omit<Someone, 'secret' | 'recoveryCodes'>> => {
  const { id, name, oneTimePassword: current } = await admin.newUser(role);
  const [browser, password] = [admin.browser(), randomText(20)];
  await browser.post('/v1/session', { name, password: current });
  await browser.post('/v1/session/password', { current, next: password });
  return { id, name, password, browser };
};

/** A user who has set up a second factor. */
const userWithFactor = async (role: Role): Promise<Someone> => {
  const someone = await user(role);
  const secret = await begin(someone.browser);
  const { body } = await someone.browser.post(`${PATH}/confirm`, { code: codeOf(secret) });
  const session = body['session'] as { csrfToken: string };
  someone.browser.csrfToken = session.csrfToken;
  await forgetUsedCodes();
  return { ...someone, secret, recoveryCodes: body['recoveryCodes'] as string[] };
};

const signIn = async ({ name, password }: Pick<Someone, 'name' | 'password'>) => {
  const browser = admin.browser();
  const { body } = await browser.post('/v1/session', { name, password });
  return { browser, secondFactor: body['secondFactor'] };
};

/** Waits until the request `answering` waits for a database lock or has its response. */
const blocked = async (answering: Promise<unknown>): Promise<void> => {
  let isAnswered = false;
  void answering.then(() => (isAnswered = true));
  await waitFor(async () => isAnswered || (await lockWaits(admin.pool)) > 0);
};

const outcome = ({ status, body }: Reply) => [status, body['code'] ?? body['secondFactor']];

const rowsOf = async (sql: string, ...values: unknown[]): Promise<readonly unknown[]> =>
  (await admin.pool.query(sql, values)).rows as unknown[];

describe('a second factor', () => {
  test('is set up with a secret for the authenticator app and the first code that the app shows', async () => {
    const { id, name, browser } = await user('viewer');
    const { body } = await browser.post(`${PATH}/begin`);
    const secret = String(body['secret']);
    const uri = new URL(String(body['uri']));
    expect([uri.protocol, decodeURIComponent(uri.pathname)]).toEqual([
      'otpauth:',
      `/console.test:${name}`,
    ]);
    expect(uri.searchParams.get('secret')).toBe(secret);
    expect(outcome(await browser.get('/v1/session'))).toEqual([200, 'not_used']);
    expect(outcome(await browser.post(`${PATH}/confirm`, { code: wrongCodeOf(secret) }))).toEqual([
      422,
      'wrong_code',
    ]);
    const confirmed = await browser.post(`${PATH}/confirm`, { code: codeOf(secret) });
    expect(confirmed.body).toMatchObject({ session: { secondFactor: 'given' } });
    expect(outcome(await browser.get('/v1/overview'))[0]).toBe(200);
    expect(
      await rowsOf(
        `SELECT actor, action, detail FROM audit WHERE subject_id = $1 ORDER BY id DESC LIMIT 1`,
        id,
      ),
    ).toEqual([
      { actor: `user:${id}`, action: 'user.second_factor_set_up', detail: { isReplaced: false } },
    ]);
  });

  test('cannot be confirmed before its set-up was begun', async () => {
    const { browser } = await user('viewer');
    expect(outcome(await browser.post(`${PATH}/confirm`, { code: '123456' }))).toEqual([
      409,
      'second_factor_not_begun',
    ]);
    expect(outcome(await browser.post(PATH, { code: '123456' }))).toEqual([
      409,
      'second_factor_absent',
    ]);
  });

  test('is stored encrypted, and its recovery codes only as hashes', async () => {
    const { secret, recoveryCodes } = await userWithFactor('viewer');
    expect(recoveryCodes).toHaveLength(10);
    for (const table of ['admin_second_factors', 'admin_recovery_codes', 'audit']) {
      const kept = JSON.stringify(await rowsOf(`SELECT t::text FROM ${table} t`));
      for (const text of [secret, ...recoveryCodes]) {
        expect(kept).not.toContain(text);
        expect(kept).not.toContain(Buffer.from(text.replaceAll('-', '')).toString('hex'));
      }
    }
  });

  test('is replaced only with a code of the current one, and all other sessions end', async () => {
    const { browser, secret, recoveryCodes } = await userWithFactor('operator');
    expect(outcome(await browser.post(`${PATH}/begin`))).toEqual([403, 'second_factor_required']);
    const code = codeOf(secret);
    const { body } = await browser.post(`${PATH}/begin`, { code });
    const next = String(body['secret']);
    const { cookie, csrfToken } = browser;
    const confirmed = await browser.post(`${PATH}/confirm`, { code: codeOf(next) });
    expect(confirmed.status).toBe(200);
    const old = Object.assign(admin.browser(), { cookie, csrfToken });
    expect(outcome(await old.get('/v1/session'))).toEqual([401, 'unauthorized']);
    browser.csrfToken = (confirmed.body['session'] as { csrfToken: string }).csrfToken;
    await forgetUsedCodes();
    for (const former of [codeOf(secret), recoveryCodes[0]]) {
      expect(outcome(await browser.post(PATH, { code: former }))).toEqual([422, 'wrong_code']);
    }
  });
});

describe('a session that an admin ends during a request', () => {
  /** The answer to a request that began before an admin ended all sessions of the user. */
  const lateAnswer = async (id: string, send: () => Promise<Reply>): Promise<Reply> => {
    const client = await admin.pool.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM admin_users WHERE id = $1 FOR UPDATE', [id]);
    await client.query('DELETE FROM admin_sessions WHERE user_id = $1', [id]);
    const answering = send();
    await blocked(answering);
    await client.query('COMMIT');
    client.release();
    return answering;
  };
  const kept = (id: string) =>
    rowsOf(
      `SELECT (SELECT count(*) FROM admin_sessions WHERE user_id = $1)::int AS sessions,
              (SELECT count(*) FROM admin_second_factors
                WHERE user_id = $1 AND set_up_at IS NOT NULL)::int AS apps`,
      id,
    );

  test('sets up no second factor, and is not replaced by a new session', async () => {
    const { id, browser } = await user('viewer');
    const code = codeOf(await begin(browser));
    const answer = await lateAnswer(id, () => browser.post(`${PATH}/confirm`, { code }));
    expect(outcome(answer)).toEqual([401, 'unauthorized']);
    expect(await kept(id)).toEqual([{ sessions: 0, apps: 0 }]);
  });

  test('is not replaced by a new session, even if the request contains a correct code', async () => {
    const someone = await userWithFactor('viewer');
    const { browser } = await signIn(someone);
    const code = codeOf(someone.secret);
    const answer = await lateAnswer(someone.id, () => browser.post(PATH, { code }));
    expect(outcome(answer)).toEqual([401, 'unauthorized']);
    expect(await kept(someone.id)).toEqual([{ sessions: 0, apps: 1 }]);
  });
});

describe('an authenticator app whose set-up was begun', () => {
  const pendingOf = (id: string) =>
    rowsOf(
      'SELECT FROM admin_second_factors WHERE user_id = $1 AND pending_sealed IS NOT NULL',
      id,
    );
  const addKey = async (browser: TestBrowser): Promise<void> => {
    const { body } = await browser.post('/v1/session/security-keys/begin');
    const key = new SoftKey(ORIGIN).create(String(body['options']));
    const path = '/v1/session/security-keys/confirm';
    const added = await browser.post(path, { name: 'blue', key });
    browser.csrfToken = (added.body['session'] as { csrfToken: string }).csrfToken;
  };

  test('is forgotten when the user registers a security key in another session', async () => {
    const someone = await user('viewer');
    const secret = await begin(someone.browser);
    const other = (await signIn(someone)).browser;
    await addKey(other);
    for (const [browser, refusal] of [
      [someone.browser, [401, 'unauthorized']],
      [other, [409, 'second_factor_not_begun']],
    ] as const) {
      const answer = await browser.post(`${PATH}/confirm`, { code: codeOf(secret) });
      expect(outcome(answer)).toEqual(refusal);
    }
    expect(await pendingOf(someone.id)).toEqual([]);
  });

  test('is deleted by a reset of the user’s security keys', async () => {
    const someone = await user('viewer');
    await addKey(someone.browser);
    await admin.pool.query(
      `INSERT INTO admin_second_factors (user_id, pending_sealed) VALUES ($1, 'k.x')
       ON CONFLICT (user_id) DO UPDATE SET pending_sealed = excluded.pending_sealed`,
      [someone.id],
    );
    const boss = await admin.signedIn('admin');
    const path = `/v1/users/${someone.id}/reset-second-factor`;
    expect((await boss.post(path, { reason })).status).toBe(200);
    expect(await pendingOf(someone.id)).toEqual([]);
  });
});

describe('a sign-in of a user with a second factor', () => {
  test('allows nothing but to enter a code, even with a one-time password', async () => {
    const someone = await userWithFactor('admin');
    await admin.pool.query(
      `UPDATE admin_users SET password_expires_at = now() + interval '1 day' WHERE id = $1`,
      [someone.id],
    );
    const { browser, secondFactor } = await signIn(someone);
    expect(secondFactor).toBe('code_required');
    for (const [method, path] of [
      ['GET', '/v1/overview'],
      ['GET', '/v1/changes'],
      ['POST', '/v1/users'],
      ['POST', '/v1/session/password'],
      ['POST', `${PATH}/begin`],
      ['POST', `${PATH}/confirm`],
      ['DELETE', '/v1/sessions'],
    ] as const) {
      const answer = await browser.call(method, path, method === 'GET' ? undefined : {});
      expect([path, ...outcome(answer)]).toEqual([path, 403, 'second_factor_required']);
    }
    const before = browser.cookie;
    const given = await browser.post(PATH, { code: codeOf(someone.secret) });
    expect(given.body).toMatchObject({ secondFactor: 'given', mustChangePassword: true });
    expect(browser.cookie).not.toBe(before);
    const old = Object.assign(admin.browser(), { cookie: before });
    expect((await old.get('/v1/session')).status).toBe(401);
  });

  test('accepts each code once, even from concurrent requests', async () => {
    const someone = await userWithFactor('viewer');
    const browsers = await Promise.all([1, 2, 3].map(() => signIn(someone)));
    const code = codeOf(someone.secret);
    const answers = await Promise.all(browsers.map(({ browser }) => browser.post(PATH, { code })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422]);
    const { browser } = await signIn(someone);
    expect(outcome(await browser.post(PATH, { code }))).toEqual([422, 'wrong_code']);
    expect(outcome(await browser.post(PATH, { code: codeOf(someone.secret, 1) }))).toEqual([
      200,
      'given',
    ]);
    // A code that is older than the last used code is refused, even if it was never used.
    const later = await signIn(someone);
    expect(outcome(await later.browser.post(PATH, { code: codeOf(someone.secret) }))).toEqual([
      422,
      'wrong_code',
    ]);
  });

  test('refuses a code whose time differs from the current time by more than a minute', async () => {
    const someone = await userWithFactor('viewer');
    const { browser } = await signIn(someone);
    for (const steps of [-4, 4]) {
      const answer = await browser.post(PATH, { code: codeOf(someone.secret, steps) });
      expect(outcome(answer)).toEqual([422, 'wrong_code']);
    }
  });

  test('accepts each recovery code once, however it is typed', async () => {
    const someone = await userWithFactor('viewer');
    const [first = '', second = ''] = someone.recoveryCodes;
    const giving = async (code: string) => (await signIn(someone)).browser.post(PATH, { code });
    expect(outcome(await giving(first))).toEqual([200, 'given']);
    expect(outcome(await giving(first))).toEqual([422, 'wrong_code']);
    expect(outcome(await giving(` ${second.toUpperCase().replaceAll('-', ' ')}`))).toEqual([
      200,
      'given',
    ]);
    const other = await userWithFactor('viewer');
    expect(outcome(await giving(other.recoveryCodes[0] ?? ''))).toEqual([422, 'wrong_code']);
    expect(
      await rowsOf(
        `SELECT action, detail FROM audit WHERE subject_id = $1
            AND action LIKE 'session.second_factor%' ORDER BY id LIMIT 2`,
        someone.id,
      ),
    ).toEqual([
      { action: 'session.second_factor_given', detail: { proof: 'recovery_code' } },
      { action: 'session.second_factor_refused', detail: {} },
    ]);
  });

  test('is limited after ten wrong codes, whatever session they come from', async () => {
    const someone = await userWithFactor('viewer');
    const code = wrongCodeOf(someone.secret);
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1) {
      const { browser } = await signIn(someone);
      statuses.push((await browser.post(PATH, { code })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429]);
    const { browser } = await signIn(someone);
    const right = await browser.post(PATH, { code: codeOf(someone.secret) });
    expect([right.status, right.body['code']]).toEqual([429, 'too_many_sign_ins']);
    expect(
      await rowsOf(
        `SELECT subject_id AS id, detail FROM audit WHERE action = 'session.sign_in_limited'
          ORDER BY id DESC LIMIT 1`,
      ),
    ).toEqual([{ id: someone.id, detail: { limit: 'secondFactor' } }]);
  });

  test('keeps the second factor through a change and a reset of the password', async () => {
    const someone = await userWithFactor('viewer');
    const next = randomText(20);
    const changed = await someone.browser.post('/v1/session/password', {
      current: someone.password,
      next,
    });
    expect(outcome(changed)).toEqual([200, 'given']);
    const boss = await admin.signedIn('admin');
    const { body } = await boss.post(`/v1/users/${someone.id}/reset-password`, { reason });
    const again = await signIn({ ...someone, password: String(body['oneTimePassword']) });
    expect(again.secondFactor).toBe('code_required');
  });
});

describe('where a second factor is required', () => {
  test.each(['operator', 'admin'] as const)(
    'a user with the role %s can do nothing before setting it up, even in an earlier session',
    async (role) => {
      const { browser } = await user(role);
      expect(outcome(await browser.get('/v1/overview'))[0]).toBe(200);
      admin.requireSecondFactor(true);
      expect(outcome(await browser.get('/v1/session'))).toEqual([200, 'set_up_required']);
      for (const path of ['/v1/overview', '/v1/actions', '/v1/users']) {
        expect(outcome(await browser.get(path))).toEqual([403, 'second_factor_set_up_required']);
      }
      const secret = await begin(browser);
      await browser.post(`${PATH}/confirm`, { code: codeOf(secret) });
      expect((await browser.get('/v1/overview')).status).toBe(200);
    },
  );

  test('a viewer needs no second factor until the viewer becomes an operator', async () => {
    const [{ id, browser }, boss] = [await user('viewer'), await userWithFactor('admin')];
    admin.requireSecondFactor(true);
    expect((await browser.get('/v1/overview')).status).toBe(200);
    const { body } = await boss.browser.post(`/v1/users/${id}/role`, { role: 'operator', reason });
    const { id: actionId } = body['action'] as { id: string };
    const second = await userWithFactor('admin');
    expect((await approve(second.browser, `/v1/actions/${actionId}`)).status).toBe(200);
    expect(outcome(await browser.get('/v1/overview'))).toEqual([
      403,
      'second_factor_set_up_required',
    ]);
  });

  test.each([
    [{ NODE_ENV: 'production' }, true],
    [{ NODE_ENV: 'development' }, false],
    [{ NODE_ENV: 'production', ADMIN_SECOND_FACTOR: 'optional' }, false],
    [{ NODE_ENV: 'development', ADMIN_SECOND_FACTOR: 'required' }, true],
  ])('the settings %j decide whether a second factor is required: %s', (settings, isRequired) => {
    const before = { ...process.env };
    Object.assign(process.env, settings);
    try {
      expect(requiresSecondFactor()).toBe(isRequired);
      process.env['ADMIN_SECOND_FACTOR'] = 'sometimes';
      expect(requiresSecondFactor).toThrow('ADMIN_SECOND_FACTOR must be required or optional');
    } finally {
      delete process.env['ADMIN_SECOND_FACTOR'];
      Object.assign(process.env, before);
    }
  });
});

describe('the reset of a second factor', () => {
  test('needs a second admin if the user is an operator, and ends the user’s sessions and recovery codes', async () => {
    const [lost, boss] = [await userWithFactor('operator'), await admin.signedIn('admin')];
    const { body } = await boss.post(`/v1/users/${lost.id}/reset-second-factor`, { reason });
    expect(body['user']).toBeNull();
    const { id: actionId } = body['action'] as { id: string };
    expect((await lost.browser.get('/v1/overview')).status).toBe(200);
    expect((await approve(boss, `/v1/actions/${actionId}`)).body['code']).toBe('own_action');
    await approve(await admin.signedIn('admin'), `/v1/actions/${actionId}`);
    expect((await lost.browser.get('/v1/session')).status).toBe(401);
    expect((await signIn(lost)).secondFactor).toBe('not_used');
    expect(await rowsOf('SELECT FROM admin_recovery_codes WHERE user_id = $1', lost.id)).toEqual(
      [],
    );
    expect(
      await rowsOf(
        `SELECT actor, detail->>'actionId' AS id FROM audit
          WHERE action = 'user.second_factor_reset' AND subject_id = $1`,
        lost.id,
      ),
    ).toEqual([{ actor: `user:${boss.userId}`, id: actionId }]);
  });

  test('is refused for the admin’s own user and for a user without a second factor', async () => {
    const boss = await userWithFactor('admin');
    const reset = (id: string) =>
      boss.browser.post(`/v1/users/${id}/reset-second-factor`, { reason });
    expect(outcome(await reset(boss.id))).toEqual([409, 'own_account']);
    for (const role of ['viewer', 'operator'] as const) {
      expect(outcome(await reset((await user(role)).id))).toEqual([409, 'second_factor_absent']);
    }
  });
});

test('an approval is refused if the approver sets up a second factor in another session meanwhile', async () => {
  const [asker, approver] = [await admin.signedIn('admin'), await user('admin')];
  const { body } = await asker.post('/v1/users', {
    name: `u-${randomText(8).toLowerCase()}`,
    role: 'operator',
    reason,
  });
  const { id: actionId } = body['action'] as { id: string };
  const { browser } = await signIn(approver);
  const client = await admin.pool.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM admin_users WHERE id = $1 FOR UPDATE', [approver.id]);
  const approving = approve(browser, `/v1/actions/${actionId}`);
  await waitFor(() => lockWaits(admin.pool));
  await client.query(
    `INSERT INTO admin_second_factors (user_id, sealed, set_up_at) VALUES ($1, 'k.x', now())`,
    [approver.id],
  );
  await client.query('COMMIT');
  client.release();
  expect(outcome(await approving)).toEqual([401, 'unauthorized']);
  expect((await asker.get(`/v1/actions/${actionId}`)).body['status']).toBe('pending');
});
