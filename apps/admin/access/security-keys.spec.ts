import { randomText } from '#kernel';
import { approve, reason } from '../actions/requests.fixture.js';
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

const KEYS = '/v1/session/security-keys';
const FACTOR = '/v1/session/second-factor';

interface Someone {
  readonly id: string;
  readonly name: string;
  readonly password: string;
  readonly browser: TestBrowser;
}

const user = async (role: Role): Promise<Someone> => {
  const { id, name, oneTimePassword: current } = await admin.newUser(role);
  const [browser, password] = [admin.browser(), randomText(20)];
  await browser.post('/v1/session', { name, password: current });
  await browser.post('/v1/session/password', { current, next: password });
  return { id, name, password, browser };
};

const optionsOf = ({ body }: Reply): string => String(body['options']);

const challenge = async (browser: TestBrowser): Promise<string> =>
  optionsOf(await browser.post(`${KEYS}/challenge`));

const outcome = ({ status, body }: Reply) => [status, body['code'] ?? body['secondFactor']];

/** Registers a key in the user's browser, which then has a new session. */
const add = async (browser: TestBrowser, key: SoftKey, proof: object = {}): Promise<Reply> => {
  const options = optionsOf(await browser.post(`${KEYS}/begin`, proof));
  const answer = await browser.post(`${KEYS}/confirm`, { name: 'blue', key: key.create(options) });
  const session = answer.body['session'] as { csrfToken: string } | undefined;
  if (session !== undefined) browser.csrfToken = session.csrfToken;
  return answer;
};

const userWithKey = async (role: Role) => {
  const [someone, key] = [await user(role), new SoftKey(ORIGIN)];
  const { status, body } = await add(someone.browser, key);
  expect(status).toBe(200);
  return { ...someone, key, recoveryCodes: body['recoveryCodes'] as string[] };
};

const signIn = async ({ name, password }: Pick<Someone, 'name' | 'password'>) => {
  const browser = admin.browser();
  const { body } = await browser.post('/v1/session', { name, password });
  expect(body).toMatchObject({ secondFactor: 'code_required', hasSecurityKey: true });
  return browser;
};

const rowsOf = async (sql: string, ...values: unknown[]): Promise<readonly unknown[]> =>
  (await admin.pool.query(sql, values)).rows as unknown[];

describe('a security key', () => {
  test('is registered with a name, gives recovery codes if it is the user’s first second factor, and ends the other sessions', async () => {
    const someone = await user('viewer');
    const { browser } = someone;
    const { cookie, csrfToken } = browser;
    const added = await add(browser, new SoftKey(ORIGIN));
    expect(added.body['recoveryCodes']).toHaveLength(10);
    expect(added.body['session']).toMatchObject({ secondFactor: 'given', hasAuthenticator: false });
    expect((await browser.get(KEYS)).body).toMatchObject({
      items: [{ name: 'blue', lastUsedAt: null }],
    });
    const old = Object.assign(admin.browser(), { cookie, csrfToken });
    expect((await old.get('/v1/session')).status).toBe(401);
    expect(
      await rowsOf(
        'SELECT action FROM audit WHERE subject_id = $1 ORDER BY id DESC LIMIT 1',
        someone.id,
      ),
    ).toEqual([{ action: 'user.security_key_added' }]);
  });

  test('counts as the second factor that a role requires', async () => {
    const { browser } = await user('operator');
    admin.requireSecondFactor(true);
    expect(outcome(await browser.get('/v1/overview'))).toEqual([
      403,
      'second_factor_set_up_required',
    ]);
    await add(browser, new SoftKey(ORIGIN));
    expect((await browser.get('/v1/overview')).status).toBe(200);
  });

  test('signs a user in after the password, and nothing is allowed before', async () => {
    const someone = await userWithKey('admin');
    const browser = await signIn(someone);
    for (const [method, path] of [
      ['GET', '/v1/overview'],
      ['GET', KEYS],
      ['POST', `${KEYS}/begin`],
      ['POST', `${KEYS}/confirm`],
      ['POST', `${KEYS}/x/remove`],
    ] as const) {
      const answer = await browser.call(method, path, method === 'GET' ? undefined : {});
      expect([path, ...outcome(answer)]).toEqual([path, 403, 'second_factor_required']);
    }
    const before = browser.cookie;
    const key = someone.key.get(await challenge(browser));
    expect(outcome(await browser.post(FACTOR, { key }))).toEqual([200, 'given']);
    expect(browser.cookie).not.toBe(before);
    expect((await browser.get('/v1/overview')).status).toBe(200);
    expect(
      await rowsOf(
        `SELECT detail FROM audit WHERE subject_id = $1 AND action = 'session.second_factor_given'`,
        someone.id,
      ),
    ).toEqual([{ detail: { proof: 'security_key' } }]);
  });

  test('a user who has lost the security key signs in with a recovery code, which is valid once', async () => {
    const someone = await userWithKey('viewer');
    const code = someone.recoveryCodes[0];
    expect(outcome(await (await signIn(someone)).post(FACTOR, { code }))).toEqual([200, 'given']);
    expect(outcome(await (await signIn(someone)).post(FACTOR, { code }))).toEqual([
      422,
      'wrong_code',
    ]);
    expect(outcome(await (await signIn(someone)).post(FACTOR, { code: '123456' }))).toEqual([
      422,
      'wrong_code',
    ]);
  });

  test('is added as a further key, or removed, only if the user proves a current second factor', async () => {
    const { browser, key, recoveryCodes } = await userWithKey('operator');
    const other = new SoftKey(ORIGIN);
    for (const path of [`${KEYS}/begin`, `${FACTOR}/begin`]) {
      expect(outcome(await browser.post(path))).toEqual([403, 'second_factor_required']);
    }
    expect(outcome(await browser.post(`${KEYS}/${key.id}/remove`))).toEqual([422, 'wrong_code']);
    const added = await add(browser, other, { key: key.get(await challenge(browser)) });
    expect(added.body['recoveryCodes']).toEqual([]);
    const removed = await browser.post(`${KEYS}/${key.id}/remove`, {
      key: other.get(await challenge(browser)),
    });
    expect(removed.body).toMatchObject({ items: [{ id: other.id }] });
    const again = await browser.post(`${KEYS}/${key.id}/remove`, { code: recoveryCodes[0] });
    expect(outcome(again)).toEqual([404, 'security_key_not_found']);
  });

  test('ends the other sessions when it is removed, as it may have been stolen', async () => {
    const someone = await userWithKey('viewer');
    const thief = await signIn(someone);
    await thief.post(FACTOR, { key: someone.key.get(await challenge(thief)) });
    const { browser, recoveryCodes } = someone;
    const path = `${KEYS}/${someone.key.id}/remove`;
    expect((await browser.post(path, { code: recoveryCodes[0] })).body).toEqual({ items: [] });
    expect((await thief.get('/v1/session')).status).toBe(401);
    expect((await browser.get('/v1/session')).status).toBe(200);
  });

  test('the removal of the user’s last second factor deletes the recovery codes', async () => {
    const { id, browser, key } = await userWithKey('viewer');
    await browser.post(`${KEYS}/${key.id}/remove`, { key: key.get(await challenge(browser)) });
    expect(await rowsOf('SELECT FROM admin_recovery_codes WHERE user_id = $1', id)).toEqual([]);
    expect((await browser.get('/v1/session')).body).toMatchObject({ hasSecondFactor: false });
  });

  test('is deleted by the reset of the second factor', async () => {
    const someone = await userWithKey('operator');
    const boss = await admin.signedIn('admin');
    const { body } = await boss.post(`/v1/users/${someone.id}/reset-second-factor`, { reason });
    const { id: actionId } = body['action'] as { id: string };
    await approve(await admin.signedIn('admin'), `/v1/actions/${actionId}`);
    expect((await someone.browser.get('/v1/session')).status).toBe(401);
    const { name, password } = someone;
    const again = await admin.browser().post('/v1/session', { name, password });
    expect(again.body).toMatchObject({ secondFactor: 'not_used', hasSecurityKey: false });
  });
});

describe('the answer of a security key is refused', () => {
  const WRONG = [422, 'wrong_security_key'];

  test('if its challenge was already answered, or belongs to another session', async () => {
    const someone = await userWithKey('viewer');
    const [browser, other] = [await signIn(someone), await signIn(someone)];
    const options = await challenge(browser);
    await challenge(other);
    const key = someone.key.get(options);
    expect(outcome(await other.post(FACTOR, { key }))).toEqual(WRONG);
    expect(outcome(await browser.post(FACTOR, { key }))).toEqual([200, 'given']);
    expect(outcome(await browser.post(FACTOR, { key }))).toEqual(WRONG);
    const failed = await signIn(someone);
    const later = await challenge(failed);
    expect(outcome(await failed.post(FACTOR, { key }))).toEqual(WRONG);
    // A wrong answer also uses up the challenge, so the correct answer is refused afterwards.
    expect(outcome(await failed.post(FACTOR, { key: someone.key.get(later) }))).toEqual(WRONG);
  });

  test('if it comes more than five minutes after the challenge', async () => {
    const someone = await userWithKey('viewer');
    const browser = await signIn(someone);
    const key = someone.key.get(await challenge(browser));
    await admin.pool.query('UPDATE admin_sessions SET key_challenge_ends_at = now()');
    expect(outcome(await browser.post(FACTOR, { key }))).toEqual(WRONG);
  });

  test('if it is from a copied key, whose counter does not grow', async () => {
    const someone = await userWithKey('viewer');
    const browser = await signIn(someone);
    someone.key.counter = 5;
    expect(
      outcome(await browser.post(FACTOR, { key: someone.key.get(await challenge(browser)) })),
    ).toEqual([200, 'given']);
    someone.key.counter = 5;
    const copied = await signIn(someone);
    expect(
      outcome(await copied.post(FACTOR, { key: someone.key.get(await challenge(copied)) })),
    ).toEqual(WRONG);
  });

  test('if it is from another user’s key or an unknown key, or is malformed', async () => {
    const [someone, other] = [await userWithKey('viewer'), await userWithKey('viewer')];
    for (const key of [other.key, new SoftKey(ORIGIN)]) {
      const browser = await signIn(someone);
      const answer = key.get(await challenge(browser));
      expect(outcome(await browser.post(FACTOR, { key: answer }))).toEqual(WRONG);
    }
    for (const answer of ['', '{', '7', 'null', '{"id":7}']) {
      const browser = await signIn(someone);
      await challenge(browser);
      expect([answer, ...outcome(await browser.post(FACTOR, { key: answer }))]).toEqual([
        answer,
        ...WRONG,
      ]);
    }
  });

  test('if the key has signed for a page of another origin or host', async () => {
    const { browser } = await user('viewer');
    for (const key of [new SoftKey('http://console.evil'), new SoftKey(ORIGIN, 'console.evil')]) {
      expect(outcome(await add(browser, key))).toEqual(WRONG);
    }
  });

  test('if it registers a new key, but its challenge was for a proof of a registered key', async () => {
    const { browser, key } = await userWithKey('viewer');
    const other = new SoftKey(ORIGIN);
    const options = JSON.parse(await challenge(browser)) as { challenge: string; rpId: string };
    const registration = { challenge: options.challenge, rp: { id: options.rpId } };
    const answer = await browser.post(`${KEYS}/confirm`, {
      name: 'red',
      key: other.create(JSON.stringify(registration)),
    });
    expect(outcome(answer)).toEqual(WRONG);
    expect((await browser.get(KEYS)).body).toMatchObject({ items: [{ id: key.id }] });
  });

  test.each(['confirm', 'proof'])(
    'without a server error if it is one of many simultaneous wrong answers (%s)',
    async (what) => {
      const { browser } = await (what === 'proof' ? userWithKey('viewer') : user('viewer'));
      const send = () =>
        what === 'proof'
          ? browser.post(FACTOR, { key: '{}' })
          : browser.post(`${KEYS}/confirm`, { name: 'red', key: '{}' });
      // There are more requests than connections in the app's pool. Wrong proofs are limited after
      // ten.
      const answers = await Promise.all(Array.from({ length: 40 }, send));
      const statuses = new Set(answers.map(({ status }) => status));
      expect([...statuses].toSorted()).toEqual(what === 'proof' ? [422, 429] : [422]);
    },
  );

  test('if ten earlier answers were wrong, as a code is after ten wrong codes', async () => {
    const someone = await userWithKey('viewer');
    const browser = await signIn(someone);
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1)
      statuses.push((await browser.post(FACTOR, { key: '{}' })).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429]);
  });
});

test('security keys need a console address with a host name', async () => {
  const plain = await startAdminFixture({ origin: 'http://127.0.0.1:4109' });
  const { name, oneTimePassword: password } = await plain.newUser('viewer');
  const browser = plain.browser();
  const headers = { origin: 'http://127.0.0.1:4109' };
  await browser.call('POST', '/v1/session', { name, password }, headers);
  const answer = await browser.call('POST', `${KEYS}/begin`, {}, headers);
  expect(outcome(answer)).toEqual([409, 'security_keys_unavailable']);
  await plain.stop();
});
