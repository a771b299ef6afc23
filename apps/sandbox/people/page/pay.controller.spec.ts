import { type Harness, startHarness } from '../../testing/harness.js';

const CARD = {
  number: '9999000000000145',
  expMonth: 12,
  expYear: 2031,
  cvc: '123',
  name: 'Camille Martin',
};

describe('the hosted page', () => {
  let sandbox: Harness;

  beforeAll(async () => {
    sandbox = await startHarness();
  });
  afterAll(() => sandbox.stop());

  const newIntent = async (): Promise<string> => {
    const { body } = await sandbox.call('POST', '/v2/payment_intents/', { amount: 1250 });
    return String(body['id']);
  };

  const post = (path: string, body: string, headers: object = {}): Promise<Response> =>
    fetch(`${sandbox.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });

  test('may be framed by any site, runs only its own scripts and is not cached', async () => {
    const { headers, status } = await fetch(`${sandbox.url}/pay/${await newIntent()}`);
    expect(status).toBe(200);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toContain('frame-ancestors *;');
    expect(policy).not.toContain('unsafe');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('permissions-policy')).toContain('camera=()');
    expect(headers.get('x-frame-options')).toBeNull();
  });

  test('is the only page that may frame the bank’s page', async () => {
    const intentId = await newIntent();
    const card = JSON.stringify({ ...CARD, number: '9999000000000012' });
    const { authSessionId } = (await (await post(`/pay/${intentId}/card`, card)).json()) as {
      authSessionId: string;
    };
    const bankUrl = `${sandbox.url}/bank/${authSessionId}`;
    const alone = await fetch(bankUrl);
    expect(alone.headers.get('content-security-policy')).toContain("frame-ancestors 'self';");
    const elsewhere = await fetch(bankUrl, {
      headers: { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' },
    });
    expect(elsewhere.status).toBe(403);
    const above = encodeURIComponent("https://a.test; x 'none'");
    const injected = await fetch(`${bankUrl}?above=${above}`);
    expect(injected.headers.get('content-security-policy')).not.toContain('; x');
  });

  test('has, like every page, the payer’s language and the base styles, and forbids indexing', async () => {
    const intent = await newIntent();
    const paths = [
      `/pay/${intent}`,
      '/pay/pi_unknown',
      `/inbox/${intent}`,
      '/bank/unknown',
      '/subscription/unknown',
      '/sandbox/onboarding/inbox',
      '/user-area/test/payments',
      '/user-area/nowhere',
    ];
    for (const path of paths) {
      const page = await fetch(`${sandbox.url}${path}`, { headers: { accept: 'text/html' } });
      const text = await page.text();
      expect([path, text.trimStart().slice(0, 31)]).toEqual([
        path,
        '<!doctype html>\n<html lang="en"',
      ]);
      expect([path, text]).toEqual([
        path,
        expect.stringContaining('<meta name="robots" content="noindex">'),
      ]);
      expect(text).toContain('<link rel="stylesheet" href="/page-assets/base.css" />');
    }
  });

  test('shows in the payer’s language that a payment is unknown', async () => {
    const response = await fetch(`${sandbox.url}/pay/pi_unknown`, {
      headers: { 'accept-language': 'fr' },
    });
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('Paiement introuvable');
  });

  test('escapes HTML in the merchant’s input', async () => {
    const description = '</script><img src=x>';
    const { body } = await sandbox.call('POST', '/v2/payment_intents/', { amount: 1, description });
    const shown = await (await fetch(`${sandbox.url}/pay/${String(body['id'])}`)).text();
    expect(shown).toContain('&lt;img src=x&gt;');
    expect(shown).not.toContain('<img');
  });

  test('rejects bodies above 4 KiB, and requests from other sites', async () => {
    const path = `/pay/${await newIntent()}/card`;
    const foreign = await post(path, JSON.stringify(CARD), { 'sec-fetch-site': 'cross-site' });
    expect(foreign.status).toBe(403);
    const large = await post(path, JSON.stringify({ ...CARD, name: 'x'.repeat(5_000) }));
    expect(large.status).toBe(413);
  });

  test('rejects an invalid card, names the field, and never repeats the value', async () => {
    const path = `/pay/${await newIntent()}/card`;
    const wrong = await post(path, JSON.stringify({ ...CARD, number: '4111111111111112' }));
    expect(wrong.status).toBe(422);
    const answer = await wrong.text();
    expect(JSON.parse(answer)).toMatchObject({ error: 'invalid_card', field: 'number' });
    expect(answer).not.toContain('4111');
    expect((await post(path, '{"number":')).status).toBe(422);
    expect((await post(path, JSON.stringify({ ...CARD, more: 1 }))).status).toBe(422);
  });

  test.each([
    ['amount', { amount: 99_900 }],
    ['currency', { currency: 'usd' }],
  ])('makes no payment with another %s than it shows', async (_what, change) => {
    const intent = await newIntent();
    const card = JSON.stringify({ ...CARD, shown: { amount: 1250, currency: 'eur' } });
    expect((await post(`/pay/${intent}/card`, card)).status).toBe(200);
    await sandbox.call('PATCH', `/v2/payment_intents/${intent}`, change);
    const outdated = await post(`/pay/${intent}/card`, card);
    expect(outdated.status).toBe(409);
    expect(await outdated.json()).toEqual({ error: 'changed' });
    const { body } = await sandbox.call('GET', `/v2/payment_intents/${intent}/payments`);
    expect(body).toHaveLength(1);
  });

  test.each([[null], [1250], [{ amount: '1250', currency: 'eur' }], [{ amount: 1250 }]])(
    'rejects a request with a malformed shown amount: %j',
    async (shown) => {
      const path = `/pay/${await newIntent()}/card`;
      const answer = await post(path, JSON.stringify({ ...CARD, shown }));
      expect(answer.status).toBe(422);
      expect(await answer.json()).toEqual({ error: 'invalid_shown' });
    },
  );

  test('limits a payment to ten attempts within 15 minutes', async () => {
    const path = `/pay/${await newIntent()}/card`;
    const tries = Array.from({ length: 10 }, () => post(path, JSON.stringify(CARD)));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const eleventh = await post(path, JSON.stringify(CARD));
    expect(eleventh.status).toBe(429);
    expect(Number(eleventh.headers.get('retry-after'))).toBeGreaterThan(0);
    await sandbox.call('POST', '/sandbox/clock', { advance: 'PT15M' });
    expect((await post(path, JSON.stringify(CARD))).status).toBe(200);
  });
});
