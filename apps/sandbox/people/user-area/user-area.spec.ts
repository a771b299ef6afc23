import { request as httpRequest } from 'node:http';
import { type Harness, startHarness, TEST_KEY } from '../../testing/harness.js';
import { nextCutOff } from '../../money/bank-days.js';
import {
  capturedPayment,
  cardLike,
  idOf,
  moveTo,
  nowOf,
  pay,
  refund,
} from '../../testing/money.js';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const send = (method: string, path: string, { headers = {}, body = '' }: Sent = {}) =>
  fetch(`${sandbox.url}/user-area${path}`, {
    method,
    redirect: 'manual',
    headers,
    ...(method === 'GET' ? {} : { body }),
  });

/** A browser's cookie for a page, and the token of its forms. */
const visit = async () => {
  const page = await send('GET', '/test/clock');
  const [cookie = ''] = (page.headers.get('set-cookie') ?? '').split(';');
  const token = /name="token" value="(\w+)"/.exec(await page.text())?.[1] ?? '';
  return { cookie, token };
};

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const clock = async (): Promise<number> =>
  Date.parse(String((await sandbox.call('GET', '/sandbox/clock')).body['now']));

/**
 * Submits the form that advances the clock by a day; returns by how many hours the clock advanced.
 */
const advanceWith = async (headers: Sent['headers'], token: string): Promise<number> => {
  const before = await clock();
  const answer = await send('POST', '/test/clock/advance', {
    headers: { ...FORM, ...headers },
    body: `token=${token}&step=day`,
  });
  expect(answer.status).toBe(303);
  return Math.round(((await clock()) - before) / 3_600_000);
};

test('a form of the User Area that contains the token is accepted', async () => {
  const { cookie, token } = await visit();
  expect(cookie).toMatch(/^area_form=\w{32}$/);
  expect(await advanceWith({ cookie, 'sec-fetch-site': 'same-origin' }, token)).toBe(24);
  expect(await advanceWith({ cookie, origin: sandbox.url }, token)).toBe(24);
});

test.each([
  ['a wrong token', { 'sec-fetch-site': 'same-origin' }, 'x'.repeat(32)],
  ['no token', { 'sec-fetch-site': 'same-origin' }, ''],
  ['no header that identifies the site', {}, null],
  ['another site’s origin', { origin: 'https://elsewhere.test' }, null],
  ['an opaque origin', { origin: 'null' }, null],
])('a form of the User Area with %s is rejected', async (_, headers, other) => {
  const { cookie, token } = await visit();
  expect(await advanceWith({ cookie, ...headers }, other ?? token)).toBe(0);
});

test('a form from another site is rejected before its body is read', async () => {
  const { cookie, token } = await visit();
  for (const site of ['cross-site', 'same-site', 'none']) {
    const answer = await send('POST', '/test/clock/advance', {
      headers: { ...FORM, cookie, 'sec-fetch-site': site },
      body: `token=${token}&step=day`,
    });
    expect(answer.status).toBe(403);
  }
});

test('a form with the token but without the browser’s cookie is rejected', async () => {
  const { token } = await visit();
  expect(await advanceWith({ 'sec-fetch-site': 'same-origin' }, token)).toBe(0);
});

test('a request with an unknown host name is rejected with 403', async () => {
  const { hostname, port } = new URL(sandbox.url);
  const statusUnder = (host: string) =>
    new Promise<number>((resolve, reject) => {
      const asked = httpRequest(
        { hostname, port, path: '/user-area/test/payments', headers: { host } },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        },
      );
      asked.on('error', reject).end();
    });
  expect(await statusUnder('evil.test')).toBe(403);
  // Under a public host name the User Area redirects to its sign-in, which requires an API key.
  expect(await statusUnder('sandbox.test')).toBe(303);
});

test('no site may frame the User Area, which runs only its own scripts and submits forms only to its own origin', async () => {
  const page = await send('GET', '/test/payments');
  const policy = page.headers.get('content-security-policy') ?? '';
  for (const rule of [
    "default-src 'none'",
    "script-src 'self'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ])
    expect(policy).toContain(rule);
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(page.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict/);
});

test('HTML in the input of merchants and payers is escaped', async () => {
  const nasty = '"><script>alert(1)</script>';
  await sandbox.call('POST', '/v2/payment_intents', { amount: 5, description: nasty });
  const list = await (await send('GET', '/test/intents')).text();
  expect(list).toContain('&quot;&gt;&lt;script&gt;alert(1)');
  expect(list).not.toContain('<script>alert');
  const search = await (await send('GET', `/test/payments?q=${encodeURIComponent(nasty)}`)).text();
  expect(search).not.toContain('<script>alert');
});

test.each([
  '/test/payments/paym_aaaaaaaaaaaaaaaaaaaaaaaa',
  '/test/payments/anything',
  '/test/intents/pi_1',
  '/test/payouts/pout_aaaaaaaaaaaaaaaaaaaaaaaa',
  '/test/webhooks/we_aaaaaaaaaaaaaaaaaaaaaaaa',
  '/test/events/evt_aaaaaaaaaaaaaaaaaaaaaaaa',
  '/somewhere/payments',
  '/somewhere',
])('the unknown path %s shows a 404 page', async (path) => {
  const page = await send('GET', path);
  expect(page.status).toBe(404);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
});

test.each([
  '?q=%00',
  '?q=a&q=b',
  '?start=-1',
  '?start=99999999999',
  '?from=2026-13-45',
  '?status=nope',
  '?q=%27%3B--',
  '?q=4242',
  '?q=pout_aaaaaaaaaaaaaaaaaaaaaaaa',
  '?q=evt_aaaaaaaaaaaaaaaaaaaaaaaa',
  '?status=interrupted&method=card&from=2026-01-01&to=2026-12-31&q=someone%40example.test',
])('the list of payments returns a page for the unusual query %s', async (query) => {
  expect((await send('GET', `/test/payments${query}`)).status).toBe(200);
});

describe('the list of payments', () => {
  /** The orders of the payments that a query finds, newest payment first. */
  const ordersFor = async (query: Readonly<Record<string, string>>): Promise<string[]> => {
    const address = `/test/payments?${new URLSearchParams(query).toString()}`;
    const page = await (await send('GET', address)).text();
    return [...page.matchAll(/data-label="Order"\s*>\s*([^<]+?)\s*</g)].map(
      ([, order = '']) => order,
    );
  };
  const references: Record<string, string> = {};

  beforeAll(async () => {
    const { body: customer } = await sandbox.call('POST', '/v2/customers', {
      email: 'Jo.Payer@example.test',
      name: 'Jo Payer',
      external_id: 'crm-9',
    });
    const id = await capturedPayment(sandbox, {
      order_id: 'found-1',
      unique_id: 'unique-1',
      customer: customer['id'],
    });
    const { body: payment } = await sandbox.call('GET', `/v2/payments/${id}`);
    const { body: refund } = await sandbox.call('POST', '/v2/refunds', { payment: id, amount: 5 });
    const { card, payout } = payment as unknown as { card: { id: string }; payout: string };
    Object.assign(references, {
      payment: id,
      order: 'found-1',
      unique: 'unique-1',
      customer: String(customer['id']),
      email: 'jo.payer@EXAMPLE.test',
      name: 'jo payer',
      external: 'crm-9',
      card: card.id,
      payout,
      refund: String(refund['id']),
    });
    await pay(sandbox, { order_id: 'other-1', capture: false });
  });

  test.each([
    'payment',
    'order',
    'unique',
    'customer',
    'email',
    'name',
    'external',
    'payout',
    'refund',
  ])('finds a payment by one of its references: %s', async (kind) => {
    expect(await ordersFor({ q: references[kind] ?? '' })).toEqual(['found-1']);
  });

  test('finds payments by the id and by the last digits of the card', async () => {
    expect(await ordersFor({ q: references['card'] ?? '' })).toEqual(['other-1', 'found-1']);
    expect(await ordersFor({ q: '0079' })).toEqual(['other-1', 'found-1']);
    expect(await ordersFor({ q: '0078' })).toEqual([]);
  });

  test('filters by status, method and day, newest first', async () => {
    expect(await ordersFor({})).toEqual(['other-1', 'found-1']);
    expect(await ordersFor({ status: 'captured' })).toEqual(['found-1']);
    expect(await ordersFor({ status: 'authorized' })).toEqual(['other-1']);
    expect(await ordersFor({ status: 'interrupted' })).toEqual([]);
    expect(await ordersFor({ method: 'sepa' })).toEqual([]);
    const { body: clock } = await sandbox.call('GET', '/sandbox/clock');
    const today = String(clock['now']).slice(0, 10);
    expect(await ordersFor({ from: today, to: today })).toEqual(['other-1']);
  });

  test('redirects a search for the id of a payment intent to the page of the intent', async () => {
    const { body } = await sandbox.call('POST', '/v2/payment_intents', { amount: 5 });
    const answer = await send('GET', `/test/payments?q=${String(body['id'])}`);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(`/user-area/test/intents/${String(body['id'])}`);
  });
});

describe('in the User Area, manually', () => {
  const press = async (path: string, fields: Readonly<Record<string, string>> = {}) => {
    const { cookie, token } = await visit();
    const answer = await send('POST', path, {
      headers: { ...FORM, cookie, 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ token, ...fields }).toString(),
    });
    expect(answer.status).toBe(303);
  };
  const pageOf = async (payment: string): Promise<string> =>
    (await send('GET', `/test/payments/${payment}`)).text();
  const statusOf = async (path: string): Promise<string> =>
    String((await sandbox.call('GET', `/v2/${path}`)).body['status']);

  test('an open refund fails, and the payer’s bank does not honor a sent refund', async () => {
    const payment = await capturedPayment(sandbox);
    const unsent = idOf((await refund(sandbox, payment, 100)).body);
    const page = await pageOf(payment);
    expect(page).toContain(`/refunds/${unsent}/fail"`);
    expect(page).not.toContain(`/refunds/${unsent}/dishonor"`);
    await press(`/test/refunds/${unsent}/fail`);
    expect(await statusOf(`refunds/${unsent}`)).toBe('failed');
    const sent = idOf((await refund(sandbox, payment, 100)).body);
    await moveTo(sandbox, nextCutOff(await nowOf(sandbox)));
    expect(await pageOf(payment)).toContain(`/refunds/${sent}/dishonor"`);
    await press(`/test/refunds/${sent}/dishonor`);
    expect(await statusOf(`refunds/${sent}`)).toBe('not_honored');
    expect(await pageOf(payment)).not.toContain('/refunds/');
    expect(await refund(sandbox, payment)).toMatchObject({ body: { amount: 10_000 } });
  });

  test('the bank requests evidence for a dispute', async () => {
    const payment = await capturedPayment(sandbox);
    await press(`/test/payments/${payment}/dispute`, { code: '45' });
    const { body } = await sandbox.call('GET', '/v2/disputes?limit=1');
    const [dispute] = body['disputes'] as unknown as readonly [{ id: string }];
    expect(await pageOf(payment)).toContain(`/disputes/${dispute.id}/request_evidence"`);
    await press(`/test/disputes/${dispute.id}/request_evidence`);
    expect(await statusOf(`disputes/${dispute.id}`)).toBe('evidence_pending');
  });
});

describe('a rejected action shows the reason', () => {
  /** Submits an action and reads, in the given language, the page to which it redirects. */
  const saidOf = async (
    path: string,
    fields: Readonly<Record<string, string>>,
    language: string,
  ): Promise<string> => {
    const { cookie, token } = await visit();
    const headers = { cookie, 'accept-language': language };
    const sent = await send('POST', path, {
      headers: { ...FORM, ...headers, 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ token, ...fields }).toString(),
    });
    const notice = sent.headers.getSetCookie().find((one) => one.startsWith('area_notice='));
    const page = await send('GET', '/test/clock', {
      headers: { cookie: `${cookie}; ${notice?.split(';', 1)[0]}`, 'accept-language': language },
    });
    return /data-tone="bad"[^]*?<p>([^]*?)<\/p>/.exec(await page.text())?.[1] ?? '';
  };

  test('in English and in French', async () => {
    const captured = await capturedPayment(sandbox);
    const held = String((await pay(sandbox, { capture: false }))['id']);
    const refused = String((await pay(sandbox, { card: cardLike('Insufficient funds') }))['id']);
    const refunded = idOf((await refund(sandbox, captured, 100)).body);
    const none = `paym_${'a'.repeat(24)}`;
    const cases: readonly (readonly [string, Record<string, string>, string, string])[] = [
      [
        `payments/${refused}/capture`,
        {},
        'only an authorized payment can be captured',
        '« Refusé »',
      ],
      [`payments/${captured}/cancel`, {}, 'can no longer be canceled', 'trop tard pour l’annuler'],
      [`payments/${captured}/refund`, { amount: '900000' }, 'left to refund', 'à rembourser'],
      [`payments/${captured}/dispute`, { code: 'x' }, 'a dispute code', 'motif de contestation'],
      [`payments/${held}/refund`, { amount: '1' }, 'instead of refunding it', 'annulez-le'],
      [
        `payments/${held}/dispute`,
        { code: '45' },
        'only a captured payment',
        'seul un paiement capturé',
      ],
      [`payments/${none}/cancel`, {}, 'not found', 'introuvable'],
      [`refunds/${refunded}/dishonor`, {}, 'cannot fail in this status', 'ne peut plus échouer'],
      [`refunds/refd_${'a'.repeat(24)}/fail`, {}, 'not found', 'introuvable'],
    ];
    for (const [path, fields, english, french] of cases) {
      expect(await saidOf(`/test/${path}`, fields, 'en')).toContain(english);
      const inFrench = await saidOf(`/test/${path}`, fields, 'fr');
      expect(inFrench).toContain(french);
      expect(inFrench).toMatch(/^Impossible : /);
      expect(inFrench).not.toMatch(/Payment|Input|captured/);
    }
  });
});

describe('a merchant whose browser runs no script', () => {
  /** The text of HTML, without its tags. */
  const textOf = (markup: string): string => markup.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  const pageAt = async (path: string, language = 'en'): Promise<string> =>
    (await send('GET', path, { headers: { 'accept-language': language } })).text();
  const titleOf = (page: string): string =>
    textOf(/<header class="title">[^]*?<\/header>/.exec(page)?.[0] ?? '');
  const noticeOf = (page: string): string =>
    textOf(/class="notice"[^]*?<p>([^]*?)<\/p>/.exec(page)?.[1] ?? '');

  /** The values that a browser sends for the fields of an unchanged form. */
  const defaultsOf = (form: string): Record<string, string> => {
    const inputs = form.matchAll(/<input[^>]*name="(\w+)"[^>]*value="([^"]*)"/g);
    const selects = form.matchAll(/<select[^>]*name="(\w+)"[^>]*>\s*<option value="([^"]*)"/g);
    return Object.fromEntries([...inputs, ...selects].map(([, name, value = '']) => [name, value]));
  };

  /**
   * The form of a page that has this button and this field; the returned function changes fields,
   * presses the button and reads the next page.
   */
  const formOn = async (path: string, button: string, field = 'token') => {
    const page = await send('GET', path);
    const [cookie = ''] = (page.headers.get('set-cookie') ?? '').split(';');
    const forms = (await page.text()).matchAll(/<form[^>]*action="\/user-area(.*?)"[^]*?<\/form>/g);
    const found = [...forms].find(
      ([form]) => textOf(form).includes(button) && form.includes(`name="${field}"`),
    );
    if (found === undefined) throw new Error(`${path} has no form with the button ${button}`);
    const [form, action = ''] = found;
    const referer = `${sandbox.url}/user-area${path}`;
    return async (changes: Readonly<Record<string, string>> = {}): Promise<string> => {
      const fields = defaultsOf(form);
      expect(Object.keys(fields)).toEqual(expect.arrayContaining(Object.keys(changes)));
      const sent = await send('POST', action, {
        headers: { ...FORM, cookie, referer, 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({ ...fields, ...changes }).toString(),
      });
      expect(sent.status).toBe(303);
      const notice = sent.headers.getSetCookie().find((one) => one.startsWith('area_notice='));
      const next = (sent.headers.get('location') ?? '').replace('/user-area', '');
      const shown = await send('GET', next, {
        headers: { cookie: `${cookie}; ${notice?.split(';', 1)[0]}` },
      });
      return shown.text();
    };
  };

  const newIntent = async (more: object = {}): Promise<string> => {
    const body = { amount: 4_250, currency: 'eur', ...more };
    return String((await sandbox.call('POST', '/v2/payment_intents/', body)).body['id']);
  };
  const newestPayment = async (): Promise<string> => {
    const { body } = await sandbox.call('GET', '/v2/payments?limit=1');
    return (body['payments'] as unknown as readonly [{ readonly id: string }])[0].id;
  };
  const card = (number: string) => ({ number, expMonth: 12, expYear: 2_090, cvc: '123' });

  test.each([
    ['en', 'Refunded -€12.50', 'Net, before VAT €29.63'],
    ['fr', 'Remboursé -12,50 €', 'Net, avant TVA 29,63 €'],
  ])(
    'sees on the page of a payment what remains for the merchant: %s',
    async (language, refunded, net) => {
      const id = await capturedPayment(sandbox, { amount: 4_250 });
      await sandbox.call('POST', '/v2/refunds', { payment: id, amount: 1_250 });
      const page = await pageAt(`/test/payments/${id}`, language);
      const balance = textOf(/id="balance"[^]*?<\/table>/.exec(page)?.[0] ?? '');
      // 42.50 minus the refund, and minus the fee of 0.7 % plus 7 cents.
      expect(balance).toContain(refunded);
      expect(balance).toContain(net);
    },
  );

  test.each([
    ['en', 'Insufficient funds', 'Left the bank’s page'],
    ['fr', 'Provision insuffisante', 'A quitté la page de la banque'],
  ])(
    'sees on the page of a payment why the bank declined, and that the payer left the bank’s page: %s',
    async (language, reason, left) => {
      const { pageFlow } = sandbox;
      const intent = await newIntent();
      const shown = async () => pageAt(`/test/payments/${await newestPayment()}`, language);
      await pageFlow.submitCard(intent, card('9999000000000145'));
      expect(titleOf(await shown())).toContain(` 51 ${reason}`);
      const outcome = await pageFlow.submitCard(intent, card('9999000000000012'));
      const session = outcome.next === 'secure_auth' ? outcome.authSessionId : '';
      await pageFlow.authSession(session);
      expect(await shown()).not.toContain(left);
      await pageFlow.leave(session);
      const page = await shown();
      expect(page).toContain(left);
      expect(titleOf(page)).toContain('3-D Secure');
    },
  );

  test('cancels an authorized payment, and then sees why its capture is refused', async () => {
    const intent = await newIntent({ capture: false });
    await sandbox.pageFlow.submitCard(intent, card('9999000000000079'));
    const path = `/test/payments/${await newestPayment()}`;
    const capture = await formOn(path, 'Capture €42.50');
    const cancel = await formOn(path, 'Cancel the payment');
    expect(titleOf(await cancel())).toContain('Canceled');
    const { body } = await sandbox.call('GET', `/v2/payment_intents/${intent}`);
    expect(body['status']).toBe('canceled');
    expect(noticeOf(await capture())).toContain('Not possible: Payment is canceled');
  });

  test('marks a payout as failed, and the next payout contains the failed payout’s lines', async () => {
    await capturedPayment(sandbox);
    const payouts = await pageAt('/test/payouts');
    expect(textOf(payouts)).not.toContain('For the next payout');
    const path = /class="row-link" href="\/user-area([^"]*)"/.exec(payouts)?.[1] ?? '';
    const fail = await formOn(path, 'Fail the payout');
    expect(titleOf(await fail())).toContain('Failed');
    await sandbox.call('POST', '/sandbox/clock', { advance: 'PT1S' });
    expect(textOf(await pageAt('/test/payouts'))).toContain('For the next payout');
  });

  test('creates and removes a fault of the sandbox', async () => {
    const ofRequests = await formOn('/test/faults', '', 'route');
    await ofRequests({ route: 'POST /v2/customers', kind: 'status_429' });
    expect((await sandbox.call('POST', '/v2/customers', { email: 'a@b.test' })).status).toBe(429);
    const ofWebhooks = await formOn('/test/faults', '', 'event');
    expect(await ofWebhooks({ event: 'payment.*' })).toMatch(/<tbody>[^]*payment\.\*[^]*<\/tbody>/);
    const clear = await formOn('/test/faults', 'Clear all');
    await clear();
    expect((await sandbox.call('GET', '/sandbox/faults')).body).toEqual({ faults: [] });
  });

  test('finds separate pages of test mode and live mode, which link to each other', async () => {
    const otherMode = (page: string): string =>
      /class="mode"\s+href="\/user-area([^"]*)"\s+data-live="(?:yes|no)"\s+>/.exec(page)?.[1] ?? '';
    expect(otherMode(await pageAt('/test/payments'))).toBe('/live/payments');
    const live = await pageAt('/live/payments');
    expect(live).toMatch(/<html[^>]*data-live="yes"/);
    expect(textOf(live)).toContain('No payment yet');
    expect(otherMode(live)).toBe('/test/payments');
  });
});

test('test payments are shown in test mode only', async () => {
  const { body } = await sandbox.call('POST', '/v2/payment_intents', { amount: 7_777 });
  const id = String(body['id']);
  expect((await send('GET', `/test/intents/${id}`)).status).toBe(200);
  expect((await send('GET', `/live/intents/${id}`)).status).toBe(404);
});

describe('the User Area without the control routes', () => {
  let closed: Harness;
  beforeAll(async () => {
    closed = await startHarness({ control: false });
  });
  afterAll(() => closed.stop());

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${closed.url}/user-area${path}`, { redirect: 'manual', ...init });

  const signedIn = async (): Promise<string> => {
    const page = await ask('/sign-in');
    const [form = ''] = (page.headers.get('set-cookie') ?? '').split(';');
    const text = await page.text();
    expect(text).not.toContain('the clock and the faults');
    const token = /name="token" value="(\w+)"/.exec(text)?.[1] ?? '';
    const entered = await ask('/sign-in', {
      method: 'POST',
      headers: { ...FORM, cookie: form, 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ token, key: TEST_KEY }).toString(),
    });
    return [form, ...entered.headers.getSetCookie().map((one) => one.split(';')[0])].join('; ');
  };

  test('requires a key on this machine too', async () => {
    for (const path of ['', '/test/payments', '/test/clock']) {
      const answer = await ask(path);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/user-area/sign-in']);
    }
  });

  test('lets a merchant act on payments, and has no clock, no faults and no messages', async () => {
    const cookie = await signedIn();
    const payment = idOf(await pay(closed, { capture: false }));
    const page = await (await ask(`/test/payments/${payment}`, { headers: { cookie } })).text();
    expect(page).toContain(`/payments/${payment}/capture"`);
    expect(page).not.toMatch(/No key is required|href="[^"]*\/(?:clock|faults|messages)"/);
    for (const path of ['clock', 'faults', 'messages']) {
      expect((await ask(`/test/${path}`, { headers: { cookie } })).status).toBe(404);
    }
    const token = /name="token" value="(\w+)"/.exec(page)?.[1] ?? '';
    const captured = await ask(`/test/payments/${payment}/capture`, {
      method: 'POST',
      headers: { ...FORM, cookie, 'sec-fetch-site': 'same-origin' },
      body: `token=${token}`,
    });
    expect(captured.status).toBe(303);
    const { body } = await closed.call('GET', `/v2/payments/${payment}`);
    expect(body).toMatchObject({ status: 'to_capture' });
  });
});
