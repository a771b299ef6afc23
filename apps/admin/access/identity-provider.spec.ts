import { Writable } from 'node:stream';
import { randomText } from '#kernel';
import { lockWaits, waitFor } from '#testing';
import { approve, reason } from '../actions/requests.fixture.js';
import {
  type AdminFixture,
  ORIGIN,
  startAdminFixture,
  type TestBrowser,
} from '../admin.fixture.js';
import { identityProviderFromEnv } from '../identity-provider-config.js';
import { CLIENT, OpenIdProvider, type Person } from './openid-provider.fixture.js';
import type { Role } from './role.js';

/** A signed-in user. */
type User = TestBrowser & { readonly userId: string };

let provider: OpenIdProvider;
let admin: AdminFixture;
let boss: TestBrowser;
let second: TestBrowser;
const logged: string[] = [];

beforeAll(async () => {
  provider = await OpenIdProvider.start(ORIGIN);
  admin = await startAdminFixture(
    { identityProvider: { issuer: provider.issuer, ...CLIENT, label: 'Staff login' } },
    new Writable({
      write: (chunk: Buffer, _, done) => {
        logged.push(chunk.toString());
        done();
      },
    }),
  );
  [boss, second] = await Promise.all([admin.signedIn('admin'), admin.signedIn('admin')]);
});
afterEach(() => admin.requireSecondFactor(false));
afterAll(async () => {
  await admin.stop();
  await provider.stop();
});

const PATH = '/v1/session/identity-provider';

const newPerson = (): Person & { readonly email: string } => ({
  subject: `sub-${randomText(8)}`,
  email: `${randomText(8).toLowerCase()}@company.example`,
});

const begin = async (browser: TestBrowser): Promise<string> =>
  String((await browser.post(`${PATH}/begin`)).body['url']);

const signIn = async (browser = admin.browser()) => {
  const query = await provider.visit(await begin(browser), ORIGIN);
  return { browser, query, answer: await browser.post(`${PATH}/confirm`, { query }) };
};

/** A user for whom an admin has registered the person's email address. */
const registered = async (role: Role, person: Person): Promise<string> => {
  const { id } = await admin.newUser(role);
  const path = `/v1/users/${id}/register-identity`;
  const { status, body } = await boss.post(path, { email: person.email, reason });
  expect(status).toBe(200);
  const action = body['action'] as { id: string } | null;
  if (action !== null) {
    expect((await approve(second, `/v1/actions/${action.id}`)).body['status']).toBe('done');
  }
  return id;
};

/** A user who has signed in by the identity provider before. */
const linked = async (role: Role, person: Person = newPerson()): Promise<string> => {
  const id = await registered(role, person);
  provider.reset(person);
  expect((await signIn()).answer.status).toBe(201);
  return id;
};

const rowsOf = async (sql: string, ...values: unknown[]): Promise<readonly unknown[]> =>
  (await admin.pool.query(sql, values)).rows as unknown[];

const auditOf = (id: string) =>
  rowsOf('SELECT actor, action, detail FROM audit WHERE subject_id = $1 ORDER BY id', id);

describe('a sign-in by the identity provider', () => {
  test('begins a session of the user whose registered email address the provider has verified', async () => {
    const person = newPerson();
    const id = await registered('viewer', { ...person, email: person.email.toUpperCase() });
    provider.reset(person);
    const { browser, answer } = await signIn();
    expect(answer).toMatchObject({
      status: 201,
      body: { userId: id, role: 'viewer', secondFactor: 'not_used' },
    });
    expect((await browser.get('/v1/overview')).status).toBe(200);
    expect((await auditOf(id)).slice(-2)).toEqual([
      { actor: `user:${id}`, action: 'user.identity_linked', detail: {} },
      {
        actor: `user:${id}`,
        action: 'session.signed_in',
        detail: { begunWith: 'identity_provider', gaveSecondFactor: false },
      },
    ]);
  });

  test('finds the user by the stored subject afterwards, whatever the email address', async () => {
    const person = newPerson();
    const id = await linked('viewer', person);
    provider.reset({ ...person, email: newPerson().email, isVerified: false });
    expect((await signIn()).answer.body['userId']).toBe(id);
    // The first sign-in deletes the stored email address, so a second account with this address
    // belongs to no user.
    provider.reset({ ...person, subject: 'another-subject' });
    expect((await signIn()).answer).toMatchObject({
      status: 403,
      body: { code: 'identity_unknown' },
    });
    expect(await rowsOf('SELECT email FROM admin_identities WHERE user_id = $1', id)).toEqual([
      { email: null },
    ]);
  });

  test('needs no change of a one-time password that was never used', async () => {
    const id = await linked('operator');
    const { browser, answer } = await signIn();
    expect(answer.body).toMatchObject({ userId: id, mustChangePassword: false });
    expect((await browser.get('/v1/overview')).status).toBe(200);
  });

  test('gives the browser a new session, and ends no other session', async () => {
    await linked('viewer');
    const browser = await admin.signedIn('viewer');
    const before = browser.cookie;
    const { answer } = await signIn(browser);
    expect(answer.headers.getSetCookie().join()).toMatch(/session=\w{32}; .*SameSite=Strict/);
    expect(browser.cookie).not.toBe(before);
    const old = Object.assign(admin.browser(), { cookie: before });
    expect((await old.get('/v1/session')).body['userId']).toBe(browser.userId);
  });

  test('asks for a code with PKCE, a state and a nonce, and only for the console’s own callback page', async () => {
    const urls = [new URL(await begin(admin.browser())), new URL(await begin(admin.browser()))];
    const [one = new URL('x:'), other = one] = urls;
    expect(Object.fromEntries(one.searchParams)).toMatchObject({
      response_type: 'code',
      redirect_uri: `${ORIGIN}/sign-in/callback`,
      scope: 'openid email',
      code_challenge_method: 'S256',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one.searchParams.get(name)).toMatch(/^[\w-]{43}$/);
      expect(one.searchParams.get(name)).not.toBe(other.searchParams.get(name));
    }
  });

  test('is logged without codes, tokens, cookies and email addresses', async () => {
    const person = newPerson();
    await registered('viewer', person);
    provider.reset({ ...person, isVerified: false });
    const { query, browser } = await signIn();
    provider.reset(person);
    provider.alter = (claims) => ({ ...claims, nonce: 'of another sign-in' });
    const failed = await signIn();
    const lines = logged.join('');
    expect(lines).toContain('/v1/session/identity-provider/confirm');
    expect(lines).toContain('the identity provider failed a sign-in');
    for (const text of [
      ...[query, failed.query].map((one) => new URLSearchParams(one).get('code') ?? 'none'),
      ...[query, failed.query].map((one) => new URLSearchParams(one).get('state') ?? 'none'),
      browser.begun.split('=')[1] || 'deleted',
      person.email,
      person.subject,
      CLIENT.clientSecret,
      'of another sign-in',
    ]) {
      expect(lines).not.toContain(text);
    }
  });
});

describe('a sign-in by the identity provider is refused', () => {
  const refusal = async (
    person: Person,
    change: () => void = () => {},
    browser = admin.browser(),
  ): Promise<readonly unknown[]> => {
    provider.reset(person);
    change();
    const { answer } = await signIn(browser);
    expect(browser.cookie).toBe('');
    return [answer.status, answer.body['code']];
  };

  test.each<[string, string, () => void]>([
    [
      'the nonce is that of another sign-in',
      'identity_token_invalid',
      () => {
        provider.alter = (claims) => ({ ...claims, nonce: 'x'.repeat(43) });
      },
    ],
    [
      'the token has expired',
      'identity_token_invalid',
      () => {
        provider.alter = (claims) => ({ ...claims, exp: Math.floor(Date.now() / 1_000) - 120 });
      },
    ],
    [
      'the token is for another audience',
      'identity_token_invalid',
      () => {
        provider.alter = (claims) => ({ ...claims, aud: 'another-client' });
      },
    ],
    [
      'the token is of another issuer',
      'identity_token_invalid',
      () => {
        provider.alter = (claims) => ({ ...claims, iss: 'https://login.evil.example' });
      },
    ],
    [
      'the token is signed with an unknown key',
      'identity_token_invalid',
      () => {
        provider.isForged = true;
      },
    ],
    [
      'the person cancels it',
      'identity_provider_refused',
      () => {
        provider.error = 'access_denied';
      },
    ],
  ])('if %s', async (_, code, change) => {
    const person = newPerson();
    const id = await registered('viewer', person);
    expect(await refusal(person, change)).toEqual([403, code]);
    expect(await rowsOf('SELECT linked_at FROM admin_identities WHERE user_id = $1', id)).toEqual([
      { linked_at: null },
    ]);
    // The refused sign-in has no lasting effect: the same person can sign in afterwards.
    provider.reset(person);
    expect((await signIn()).answer.status).toBe(201);
  });

  test('if the provider has not verified the registered email address', async () => {
    const person = newPerson();
    await registered('viewer', person);
    expect(await refusal({ ...person, isVerified: false })).toEqual([403, 'email_not_verified']);
  });

  test('if no admin has registered the account, and no user is created', async () => {
    const before = await rowsOf('SELECT id FROM admin_users ORDER BY id');
    expect(await refusal(newPerson())).toEqual([403, 'identity_unknown']);
    expect(await refusal({ subject: 'without-an-email' })).toEqual([403, 'identity_unknown']);
    expect(await rowsOf('SELECT id FROM admin_users ORDER BY id')).toEqual(before);
  });

  test('if the user is disabled, before and after the first sign-in', async () => {
    const [known, unknown] = [newPerson(), newPerson()];
    const ids = [await linked('viewer', known), await registered('viewer', unknown)];
    for (const [index, person] of [known, unknown].entries()) {
      await boss.post(`/v1/users/${ids[index]}/disable`, { reason });
      expect(await refusal(person)).toEqual([403, 'user_disabled']);
    }
    expect((await auditOf(ids[1] ?? '')).at(-1)).toEqual({
      actor: 'unknown',
      action: 'session.sign_in_refused',
      detail: { why: 'user_disabled' },
    });
  });

  test.each<[string, (query: string) => string]>([
    ['state', (query) => query.replace(/state=[\w-]+/, `state=${'x'.repeat(43)}`)],
    ['code', (query) => query.replace(/code=[\w-]+/, `code=${'x'.repeat(43)}`)],
    ['issuer', (query) => query.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Flogin.evil.example')],
    // An authorization code of digits may look like a card number.
    ['code of digits', (query) => query.replace(/code=[\w-]+/, 'code=4111111111111111')],
  ])('if the answer has another %s', async (which, change) => {
    provider.reset(newPerson());
    const browser = admin.browser();
    const query = await provider.visit(await begin(browser), ORIGIN);
    expect(change(query)).not.toBe(query);
    const { status, body } = await browser.post(`${PATH}/confirm`, { query: change(query) });
    const codes = {
      state: 'sign_in_not_begun',
      'code of digits': 'identity_provider_refused',
      code: 'identity_provider_refused',
      issuer: 'identity_token_invalid',
    };
    expect([status, body['code']]).toEqual([403, codes[which as keyof typeof codes]]);
  });

  test('if the sign-in was begun in another browser, as by a link that an attacker sends', async () => {
    const person = newPerson();
    await linked('viewer', person);
    const [attacker, victim] = [admin.browser(), admin.browser()];
    const query = await provider.visit(await begin(attacker), ORIGIN);
    for (const prepare of [() => Promise.resolve(''), () => begin(victim)]) {
      await prepare();
      const { status, body } = await victim.post(`${PATH}/confirm`, { query });
      expect([status, body['code']]).toEqual([403, 'sign_in_not_begun']);
      expect(victim.cookie).toBe('');
    }
  });

  test('if the sign-in is confirmed a second time', async () => {
    await linked('viewer');
    const browser = admin.browser();
    const query = await provider.visit(await begin(browser), ORIGIN);
    const { begun } = browser;
    expect((await browser.post(`${PATH}/confirm`, { query })).status).toBe(201);
    expect((await browser.post(`${PATH}/confirm`, { query })).body['code']).toBe(
      'sign_in_not_begun',
    );
    browser.begun = begun;
    expect((await browser.post(`${PATH}/confirm`, { query })).body['code']).toBe(
      'identity_provider_refused',
    );
  });

  test('if the sign-in takes longer than ten minutes', async () => {
    await linked('viewer');
    const browser = admin.browser();
    const query = await provider.visit(await begin(browser), ORIGIN);
    const { now } = Date;
    try {
      Date.now = () => now() + 601_000;
      const { body } = await browser.post(`${PATH}/confirm`, { query });
      expect(body['code']).toBe('sign_in_not_begun');
    } finally {
      Date.now = now;
    }
  });

  test('if the identity provider is down; users can still sign in with a password', async () => {
    const browser = admin.browser();
    const url = await begin(browser);
    const query = await provider.visit(url, ORIGIN);
    provider.isDown = true;
    const answer = await browser.post(`${PATH}/confirm`, { query });
    expect([answer.status, answer.body['code'], answer.headers.get('retry-after')]).toEqual([
      503,
      'identity_provider_unavailable',
      '5',
    ]);
    expect((await (await admin.signedIn('viewer')).get('/v1/overview')).status).toBe(200);
    provider.isDown = false;
  });
});

describe('a second factor in a sign-in by the identity provider', () => {
  const stateOf = async (): Promise<unknown> => (await signIn()).answer.body['secondFactor'];

  test.each<[string, Partial<Person>, string]>([
    ['says nothing', {}, 'set_up_required'],
    ['says that only a password was used', { amr: ['pwd'] }, 'set_up_required'],
    ['names another level', { acr: '1' }, 'set_up_required'],
    ['says so by amr', { amr: ['pwd', 'mfa'] }, 'given'],
    ['says so by acr', { acr: 'https://refeds.org/profile/mfa' }, 'given'],
    // A security key resists phishing, but is not a second factor: a thief may have it.
    ['says only that it cannot be phished', { acr: 'phr' }, 'set_up_required'],
    ['says only that a device cannot be phished', { acr: 'phrh' }, 'set_up_required'],
  ])(
    'counts as the required second factor only if the ID token says so: the token %s',
    async (_, proof, state) => {
      const person = newPerson();
      await linked('operator', person);
      provider.reset({ ...person, ...proof });
      admin.requireSecondFactor(true);
      const { answer, browser } = await signIn();
      expect(answer.body).toMatchObject({ secondFactor: state, hasSecondFactor: false });
      const { status, body } = await browser.get('/v1/overview');
      expect([status, body['code']]).toEqual(
        state === 'given' ? [200, undefined] : [403, 'second_factor_set_up_required'],
      );
    },
  );

  test('is requested by the console if the ID token does not say that the identity provider has verified a second factor', async () => {
    const person = newPerson();
    const id = await linked('viewer', person);
    await admin.pool.query(
      `INSERT INTO admin_second_factors (user_id, sealed, set_up_at) VALUES ($1, 'k.x', now())`,
      [id],
    );
    expect(await stateOf()).toBe('code_required');
    provider.reset({ ...person, amr: ['mfa'] });
    expect(await stateOf()).toBe('given');
  });
});

describe('the account of a user at the identity provider', () => {
  test('is registered by two admins for an operator, and by one for a viewer', async () => {
    const [one, other] = [newPerson(), newPerson()];
    const { id } = await admin.newUser('operator');
    const { body } = await boss.post(`/v1/users/${id}/register-identity`, {
      email: one.email,
      reason,
    });
    const path = `/v1/actions/${(body['action'] as { id: string }).id}`;
    provider.reset(one);
    expect((await signIn()).answer.body['code']).toBe('identity_unknown');
    expect((await approve(boss, path)).body['code']).toBe('own_action');
    expect((await second.get(`${path}/preview`)).body['notes']).toEqual([
      expect.objectContaining({ code: 'identity_registered', email: one.email, role: 'operator' }),
    ]);
    await approve(second, path);
    expect((await signIn()).answer.body['userId']).toBe(id);
    await registered('viewer', other);
  });

  test('can be registered when the user is created', async () => {
    for (const role of ['viewer', 'admin'] as const) {
      const person = newPerson();
      const name = `u-${randomText(8).toLowerCase()}`;
      const made = await boss.post('/v1/users', { name, role, email: person.email, reason });
      const action = made.body['action'] as { id: string } | null;
      if (action !== null) await approve(second, `/v1/actions/${action.id}`);
      provider.reset(person);
      expect((await signIn()).answer.body).toMatchObject({ name, role });
    }
  });

  test('is shown in the list of users, without its email address', async () => {
    const person = newPerson();
    const id = await registered('viewer', person);
    const find = async () => {
      const { body, text } = await boss.get('/v1/users');
      expect(text).not.toContain(person.email);
      return (body['items'] as { id: string; identity: string }[]).find((one) => one.id === id);
    };
    expect(await find()).toMatchObject({ identity: 'registered' });
    provider.reset(person);
    await signIn();
    expect(await find()).toMatchObject({ identity: 'linked' });
  });

  test('begins no session while an admin removes the account', async () => {
    const id = await linked('viewer');
    const client = await admin.pool.connect();
    await client.query('BEGIN');
    await client.query('DELETE FROM admin_identities WHERE user_id = $1', [id]);
    await client.query('DELETE FROM admin_sessions WHERE user_id = $1', [id]);
    let isAnswered = false;
    const signingIn = signIn().finally(() => (isAnswered = true));
    await waitFor(async () => isAnswered || (await lockWaits(admin.pool)) > 0);
    await client.query('COMMIT');
    client.release();
    expect((await signingIn).answer.body['code']).toBe('identity_unknown');
    expect(await rowsOf('SELECT FROM admin_sessions WHERE user_id = $1', id)).toEqual([]);
  });

  test('is linked only within seven days of its registration; afterwards the list of users shows the registration as expired', async () => {
    const person = newPerson();
    const id = await registered('viewer', person);
    const age = (days: number) =>
      admin.pool.query(
        `UPDATE admin_identities SET registered_at = now() - make_interval(days => $2)
          WHERE user_id = $1`,
        [id, days],
      );
    const shown = async () =>
      ((await boss.get('/v1/users')).body['items'] as { id: string; identity: string }[]).find(
        (user) => user.id === id,
      )?.identity;
    provider.reset(person);
    await age(8);
    expect(await shown()).toBe('expired');
    expect((await signIn()).answer).toMatchObject({
      status: 403,
      body: { code: 'identity_expired' },
    });
    await age(6);
    expect((await signIn()).answer.body['userId']).toBe(id);
    // A linked account does not expire.
    await age(8);
    expect([(await signIn()).answer.status, await shown()]).toEqual([201, 'linked']);
  });

  test('is not found by an email address with a non-ASCII character whose lower case is an ASCII letter', async () => {
    const person = newPerson();
    // The Kelvin sign becomes a k in lower case.
    const alike = (email: string) => email.replace('k', '\u212A');
    const email = `k${person.email}`;
    const id = await registered('viewer', { ...person, email });
    provider.reset({ subject: 'another person', email: alike(email) });
    expect((await signIn()).answer.body['code']).toBe('identity_unknown');
    const typed = { email: alike(email), reason };
    const refused = await boss.post(`/v1/users/${id}/register-identity`, typed);
    expect([refused.status, refused.body['code']]).toEqual([422, 'invalid_email']);
  });

  test.each(['remove-identity', 'register-identity'])(
    'loses its sessions when an admin removes or replaces the account (%s)',
    async (how) => {
      const person = newPerson();
      const id = await linked('viewer', person);
      const { browser } = await signIn();
      const body = { reason, ...(how === 'register-identity' && { email: newPerson().email }) };
      expect((await boss.post(`/v1/users/${id}/${how}`, body)).status).toBe(200);
      expect((await browser.get('/v1/session')).status).toBe(401);
      expect((await signIn()).answer.body['code']).toBe('identity_unknown');
    },
  );

  test('is refused if the email address is invalid or registered for another user, and cannot be removed twice', async () => {
    const person = newPerson();
    const [id, other] = [await registered('viewer', person), (await admin.newUser('viewer')).id];
    const outcome = async (who: string, how: string, body: object) => {
      const answer = await boss.post(`/v1/users/${who}/${how}`, { ...body, reason });
      return [answer.status, answer.body['code']];
    };
    expect(await outcome(other, 'register-identity', { email: person.email })).toEqual([
      409,
      'email_taken',
    ]);
    expect(await outcome(other, 'register-identity', { email: 'jane' })).toEqual([
      422,
      'invalid_email',
    ]);
    expect(await outcome(other, 'remove-identity', {})).toEqual([409, 'identity_absent']);
    expect(await outcome(id, 'register-identity', { email: person.email })).toEqual([
      200,
      undefined,
    ]);
    expect(await outcome('usr_none', 'register-identity', { email: person.email })).toEqual([
      404,
      'user_not_found',
    ]);
  });

  test('cannot be used by the admin who registered it to approve that admin’s requests', async () => {
    const [id, other] = [await linked('admin'), await linked('admin')];
    const { browser } = await signIn();
    expect((await browser.get('/v1/session')).body['userId']).toBe(other);
    // The user's password was set by the command line, so only the account at the identity provider
    // can be the cause of the refusal.
    const name = `u-${randomText(8).toLowerCase()}`;
    const asked = await boss.post('/v1/users', { name, role: 'operator', reason });
    const path = `/v1/actions/${(asked.body['action'] as { id: string }).id}`;
    const refused = await approve(browser, path);
    expect([refused.status, refused.body['code']]).toEqual([409, 'account_in_doubt']);
    expect(refused.body['detail']).toContain('at the identity provider');
    expect(id).not.toBe(other);
  });
});

describe('two users of whom one may control the other’s account', () => {
  /** Makes the user an admin without the approvals that the API requires. */
  const promote = (id: string) =>
    admin.pool.query(`UPDATE admin_users SET role = 'admin' WHERE id = $1`, [id]);

  /**
   * Creates an admin who signed in with an account at the identity provider that `by` registered
   * while the user was a viewer.
   */
  const registeredBy = async (by: TestBrowser): Promise<User> => {
    const person = newPerson();
    const { id: userId } = await admin.newUser('viewer');
    const path = `/v1/users/${userId}/register-identity`;
    expect((await by.post(path, { email: person.email, reason })).status).toBe(200);
    provider.reset(person);
    const { browser } = await signIn();
    await promote(userId);
    return Object.assign(browser, { userId });
  };

  /**
   * Creates an admin whose one-time password was shown to `by`, and who has since changed the
   * password.
   */
  const createdBy = async (by: TestBrowser): Promise<User> => {
    const name = `u-${randomText(8).toLowerCase()}`;
    const { body } = await by.post('/v1/users', { name, role: 'viewer', reason });
    const { id: userId } = body['user'] as { id: string };
    const current = body['oneTimePassword'];
    const browser = admin.browser();
    await browser.post('/v1/session', { name, password: current });
    await browser.post('/v1/session/password', { current, next: randomText(20) });
    await promote(userId);
    return Object.assign(browser, { userId });
  };

  const asked = async (by: TestBrowser): Promise<string> => {
    const { id } = await admin.newUser('viewer');
    const { body } = await by.post(`/v1/users/${id}/role`, { role: 'operator', reason });
    return `/v1/actions/${(body['action'] as { id: string }).id}`;
  };

  const outcome = async (approver: TestBrowser, path: string): Promise<unknown> => {
    const { body } = await approve(approver, path);
    return body['code'] ?? body['status'];
  };

  /** Backdates the audit entries and the registrations of users by this many days. */
  const passDays = (days: number, ...users: readonly User[]) => {
    const ids = users.map(({ userId }) => `'${userId}'`).join();
    return admin.pool.query(
      `ALTER TABLE audit DISABLE TRIGGER USER;
       UPDATE audit SET at = at - interval '${days} days' WHERE subject_id IN (${ids});
       ALTER TABLE audit ENABLE TRIGGER USER;
       UPDATE admin_identities SET registered_at = registered_at - interval '${days} days'
        WHERE user_id IN (${ids})`,
    );
  };

  test.each(['remove-identity', 'register-identity'])(
    'cannot approve each other’s requests within seven days after the account is removed or replaced (%s)',
    async (how) => {
      const user = await registeredBy(boss);
      const path = await asked(user);
      if (how === 'remove-identity') {
        await boss.post(`/v1/users/${user.userId}/${how}`, { reason });
      } else {
        const { email } = newPerson();
        const { body } = await second.post(`/v1/users/${user.userId}/${how}`, { email, reason });
        const action = body['action'] as { id: string };
        expect(await outcome(boss, `/v1/actions/${action.id}`)).toBe('done');
      }
      expect((await boss.get(path)).body['status']).toBe('rejected');
      await admin.pool.query(`UPDATE admin_actions SET status = 'pending' WHERE id = $1`, [
        path.split('/').at(-1),
      ]);
      expect(await outcome(boss, path)).toBe('account_in_doubt');
      await passDays(8, user);
      expect(await outcome(boss, path)).toBe('done');
    },
  );

  test('cannot approve each other’s requests if one controls the other’s account through a third user', async () => {
    const between = await registeredBy(boss);
    const path = await asked(await registeredBy(between));
    expect(await outcome(boss, path)).toBe('account_in_doubt');
    expect(await outcome(second, path)).toBe('done');
  });

  test('cannot approve each other’s requests while one person’s registrations of both accounts are in effect', async () => {
    const [one, other] = [await registeredBy(boss), await registeredBy(boss)];
    await passDays(30, one, other);
    const path = await asked(one);
    expect(await outcome(other, path)).toBe('account_in_doubt');
    expect(await outcome(await registeredBy(second), path)).toBe('done');
  });

  test('cannot approve each other’s requests, even after one of them has registered another account at the identity provider, with the approval of a second admin', async () => {
    const user = await registeredBy(boss);
    const person = newPerson();
    const { body } = await user.post(`/v1/users/${user.userId}/register-identity`, {
      email: person.email,
      reason,
    });
    const path = `/v1/actions/${(body['action'] as { id: string }).id}`;
    expect(await outcome(boss, path)).toBe('account_in_doubt');
    expect(await outcome(second, path)).toBe('done');
    provider.reset(person);
    const { browser } = await signIn();
    await passDays(30, user);
    expect(await outcome(boss, await asked(browser))).toBe('account_in_doubt');
    // A registration by the user does not give another person control of the account.
    expect(await outcome(second, await asked(browser))).toBe('done');
  });

  test('cannot approve each other’s requests if one person knew both passwords, even after one user got an account at the identity provider', async () => {
    const [one, other] = [await createdBy(boss), await createdBy(boss)];
    await passDays(8, one, other);
    const path = await asked(one);
    const { email } = newPerson();
    const { body } = await second.post(`/v1/users/${other.userId}/register-identity`, {
      email,
      reason,
    });
    const third = await admin.signedIn('admin');
    await approve(third, `/v1/actions/${(body['action'] as { id: string }).id}`);
    expect(await outcome(other, path)).toBe('account_in_doubt');
  });
});

describe('the password of a user who signs in by the identity provider', () => {
  test('is shown to no person when the user is created, only after a reset', async () => {
    for (const role of ['viewer', 'operator'] as const) {
      const person = newPerson();
      const name = `u-${randomText(8).toLowerCase()}`;
      const made = await boss.post('/v1/users', { name, role, email: person.email, reason });
      expect([made.status, made.body['oneTimePassword']]).toEqual([201, null]);
      const action = made.body['action'] as { id: string } | null;
      if (action !== null) await approve(second, `/v1/actions/${action.id}`);
      provider.reset(person);
      const { answer } = await signIn();
      const id = String(answer.body['userId']);
      expect(await auditOf(id)).toContainEqual(
        expect.objectContaining({
          action: 'user.created',
          detail: expect.objectContaining({ passwordShown: false }) as unknown,
        }),
      );
      const { body } = await boss.post(`/v1/users/${id}/reset-password`, { reason });
      expect(body['oneTimePassword']).toMatch(/^\w{20}$/);
    }
  });

  test('does not suffice to set up the user’s first second factor once the account is linked', async () => {
    const { id, name, oneTimePassword: current } = await admin.newUser('viewer');
    const browser = admin.browser();
    await browser.post('/v1/session', { name, password: current });
    await browser.post('/v1/session/password', { current, next: randomText(20) });
    const person = newPerson();
    await boss.post(`/v1/users/${id}/register-identity`, { email: person.email, reason });
    provider.reset(person);
    const { browser: there } = await signIn();
    for (const [path, body] of [
      ['second-factor/begin', {}],
      ['second-factor/confirm', { code: '123456' }],
      ['security-keys/begin', {}],
      ['security-keys/confirm', { name: 'blue key', key: '{}' }],
    ] as const) {
      const { status, body: problem } = await browser.post(`/v1/session/${path}`, body);
      expect([path, status, problem['code']]).toEqual([path, 403, 'provider_sign_in_required']);
    }
    expect((await there.post('/v1/session/second-factor/begin')).status).toBe(200);
  });
});

test('without an identity provider in the settings, the console does not offer a sign-in by an identity provider, and refuses to begin such a sign-in', async () => {
  const { body } = await admin.browser().get(PATH);
  expect(body).toEqual({ label: 'Staff login' });
  const plain = await startAdminFixture();
  expect((await plain.browser().get(PATH)).body).toEqual({ label: null });
  const begun = await plain.browser().post(`${PATH}/begin`);
  expect([begun.status, begun.body['code']]).toEqual([404, 'identity_provider_absent']);
  await plain.stop();
});

test('an app that starts while the identity provider is down connects to the provider at a later sign-in', async () => {
  provider.isDown = true;
  const late = await startAdminFixture({
    identityProvider: { issuer: provider.issuer, ...CLIENT, label: 'Staff login' },
  });
  const refused = await late.browser().post(`${PATH}/begin`);
  expect([refused.status, refused.body['code']]).toEqual([503, 'identity_provider_unavailable']);
  provider.isDown = false;
  expect((await late.browser().post(`${PATH}/begin`)).status).toBe(200);
  await late.stop();
});

describe('the settings of the identity provider', () => {
  const all = {
    ADMIN_OIDC_ISSUER: 'https://login.example/realms/staff',
    ADMIN_OIDC_CLIENT_ID: 'console',
    ADMIN_OIDC_CLIENT_SECRET: 'a long secret',
    ADMIN_OIDC_LABEL: 'Staff login',
  };
  const read = (settings: Readonly<Record<string, string>>) => {
    const before = { ...process.env };
    Object.assign(process.env, settings);
    try {
      return identityProviderFromEnv();
    } finally {
      for (const name of Object.keys(settings)) delete process.env[name];
      Object.assign(process.env, before);
    }
  };

  test('are all read; the label is the provider’s host by default', () => {
    const { ADMIN_OIDC_LABEL: label, ...rest } = all;
    const config = {
      issuer: all.ADMIN_OIDC_ISSUER,
      clientId: 'console',
      clientSecret: 'a long secret',
    };
    expect(read(all)).toEqual({ ...config, label });
    expect(read(rest)).toEqual({ ...config, label: 'login.example' });
    expect(read({})).toBeNull();
  });

  test.each([
    [{ ADMIN_OIDC_LABEL: 'Staff' }, 'set ADMIN_OIDC_ISSUER as well'],
    [{ ADMIN_OIDC_ISSUER: 'https://login.example' }, 'set ADMIN_OIDC_CLIENT_ID and'],
    [{ ...all, ADMIN_OIDC_ISSUER: 'login.example' }, 'ADMIN_OIDC_ISSUER must be like'],
    [{ ...all, ADMIN_OIDC_ISSUER: 'https://login.example?a=b' }, 'ADMIN_OIDC_ISSUER must be like'],
    [
      { ...all, ADMIN_OIDC_ISSUER: 'http://login.example', NODE_ENV: 'production' },
      'ADMIN_OIDC_ISSUER must begin with https://',
    ],
    [
      { ...all, ADMIN_OIDC_CLIENT_SECRET: 'changeme', NODE_ENV: 'production' },
      'ADMIN_OIDC_CLIENT_SECRET is publicly known',
    ],
  ])('%j are refused', (settings, message) => {
    expect(() => read(settings)).toThrow(message);
  });
});
