import { request as httpRequest } from 'node:http';
import { type Harness, LIVE_KEY, startHarness, TEST_KEY } from '../../testing/harness.js';
import { onboardMerchant } from '../../testing/merchants.js';

/**
 * A browser on the sandbox's own machine needs no key for the User Area; a browser on another
 * machine needs an API key of the account whose pages it opens. See
 * docs/provider/payments-completion.md#settled-after-real-clients.
 */

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());

interface Seen {
  readonly status: number;
  readonly location: string | null;
  readonly cookies: readonly string[];
  readonly text: string;
}

/**
 * Headers that make a request count as sent from another machine: the sandbox's public host name,
 * or the headers of a proxy.
 */
const AWAY = { host: 'sandbox.test' };
const PROXIED = { 'x-forwarded-for': '192.0.2.7' };

const ask = (
  path: string,
  headers: Readonly<Record<string, string>>,
  form?: Readonly<Record<string, string>>,
): Promise<Seen> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(sandbox.url);
    const sent = httpRequest(
      {
        hostname,
        port,
        path,
        method: form === undefined ? 'GET' : 'POST',
        headers: {
          ...headers,
          ...(form === undefined
            ? {}
            : {
                'content-type': 'application/x-www-form-urlencoded',
                'sec-fetch-site': 'same-origin',
              }),
        },
      },
      (answer) => {
        let text = '';
        answer
          .setEncoding('utf8')
          .on('data', (part: string) => {
            text += part;
          })
          .on('end', () => {
            resolve({
              status: answer.statusCode ?? 0,
              location: answer.headers.location ?? null,
              text,
              cookies: (answer.headers['set-cookie'] ?? []).map((one) => one.split(';')[0] ?? ''),
            });
          });
      },
    );
    sent.on('error', reject);
    const body = form === undefined ? '' : new URLSearchParams(form).toString();
    if (form !== undefined) sent.setHeader('content-length', Buffer.byteLength(body));
    sent.end(body);
  });

/** The cookies of a browser that has signed in with the key. */
const signIn = async (key: string): Promise<Seen & { readonly cookie: string }> => {
  const page = await ask('/user-area/sign-in', AWAY);
  const token = /name="token" value="(\w+)"/.exec(page.text)?.[1] ?? '';
  const cookie = page.cookies.join('; ');
  const seen = await ask('/user-area/sign-in', { ...AWAY, cookie }, { token, key });
  return { ...seen, cookie: [cookie, ...seen.cookies].join('; ') };
};

test('the User Area requires no key on this machine, and its pages say so', async () => {
  const { status, text } = await ask('/user-area/test/payments', {
    host: new URL(sandbox.url).host,
  });
  expect([status, text]).toEqual([
    200,
    expect.stringContaining('No key is required on this machine.'),
  ]);
});

test.each([
  ['under another name', AWAY],
  ['through a proxy', PROXIED],
])(
  'a request from another machine (%s) is redirected to the sign-in and changes nothing',
  async (_, headers) => {
    for (const path of ['/user-area', '/user-area/test/payments', '/user-area/live/clock']) {
      expect(await ask(path, headers)).toMatchObject({
        status: 303,
        location: '/user-area/sign-in',
      });
    }
    const token = 'a'.repeat(32);
    const form = { token, step: 'day' };
    const asked = { ...headers, cookie: `area_form=${token}` };
    expect((await ask('/user-area/test/clock/advance', asked, form)).status).toBe(401);
  },
);

test('a key opens only the pages of its account and mode', async () => {
  const { status, location, cookie } = await signIn(TEST_KEY);
  expect([status, location]).toEqual([303, '/user-area/test/payments']);
  const from = { ...AWAY, cookie };
  const seen = await ask('/user-area/test/payments', from);
  expect([seen.status, seen.text.includes('No key is required')]).toEqual([200, false]);
  expect((await ask('/user-area/test/clock', from)).status).toBe(200);
  expect((await ask('/user-area/live/payments', from)).status).toBe(303);
  expect(
    (
      await ask('/user-area/live/payments', {
        ...AWAY,
        cookie: (await signIn(LIVE_KEY)).cookie,
      })
    ).status,
  ).toBe(200);
});

test('a merchant’s key opens the merchant’s pages but no page of the sandbox’s default account', async () => {
  const { account, keys } = await onboardMerchant(sandbox);
  const { location, cookie } = await signIn(keys.test);
  expect(location).toBe(`/user-area/test-${account}/payments`);
  const statusOf = async (path: string) =>
    (await ask(`/user-area/${path}`, { ...AWAY, cookie })).status;
  expect(await statusOf(`test-${account}/payments`)).toBe(200);
  for (const path of [
    'test/payments',
    `test-${account}/clock`,
    `test-${account}/faults`,
    `test-${account}/accounts`,
  ]) {
    expect([path, await statusOf(path)]).toEqual([path, 303]);
  }
});

test.each(['', 'stest_unknown', `${TEST_KEY}:`, 'a b'])(
  'sign-in with the invalid key %p is rejected',
  async (key) => {
    const { status, text, cookie } = await signIn(key);
    expect([status, text]).toEqual([401, expect.stringContaining('This key is unknown')]);
    expect((await ask('/user-area/test/payments', { ...AWAY, cookie })).status).toBe(303);
  },
);
