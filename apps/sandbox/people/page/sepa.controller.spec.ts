import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { CardInput } from '../../collection/cards/card-input.js';
import { basic, type Harness, LIVE_KEY, startHarness, TEST_KEY } from '../../testing/harness.js';
import { cardLike, idOf } from '../../testing/money.js';

const ACCOUNT = {
  name: 'Camille Martin',
  iban: 'FR7600000000000000000000194',
  phone: '+33639980012',
};

describe('direct debits on the hosted page', () => {
  let sandbox: Harness;

  beforeAll(async () => {
    sandbox = await startHarness();
  });
  afterAll(() => sandbox.stop());

  const newIntent = async (more: object = {}, key?: string): Promise<string> => {
    const asked = { amount: 990, ...more };
    const { body } = await sandbox.call('POST', '/v2/payment_intents', asked, key);
    return String(body['id']);
  };

  const post = (path: string, body: unknown, headers: object = {}): Promise<Response> =>
    fetch(`${sandbox.url}/pay/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  test.each([
    ['a mistyped IBAN', { ...ACCOUNT, iban: 'FR7600000000000000000000195' }, 'iban'],
    ['an invalid telephone number', { ...ACCOUNT, phone: '12' }, 'phone'],
    ['no name', { ...ACCOUNT, name: ' ' }, 'name'],
    ['a card number as the name', { ...ACCOUNT, name: '9999000000000012' }, 'name'],
    ['a name that is too long', { ...ACCOUNT, name: 'x'.repeat(65) }, 'name'],
    ['an unknown key', { ...ACCOUNT, more: '1' }, 'body'],
    ['a null body', null, 'body'],
  ])(
    'are rejected with %s; the response names the field and never repeats the value',
    async (_what, body, field) => {
      const intent = await newIntent();
      const answer = await post(`${intent}/sepa`, body);
      expect(answer.status).toBe(422);
      const text = await answer.text();
      expect(JSON.parse(text)).toEqual({ error: 'invalid_account', field });
      expect(text).not.toContain('7600');
    },
  );

  test('are accepted only from the payment page itself', async () => {
    const foreign = await post(`${await newIntent()}/sepa`, ACCOUNT, {
      'sec-fetch-site': 'cross-site',
    });
    expect(foreign.status).toBe(403);
  });

  test('are rejected when the payment does not allow direct debits', async () => {
    const card = await newIntent({ methods_allowed: 'card' });
    expect((await post(`${card}/sepa`, ACCOUNT)).status).toBe(409);
    const canceled = await newIntent();
    await sandbox.call('DELETE', `/v2/payment_intents/${canceled}`);
    expect((await post(`${canceled}/sepa`, ACCOUNT)).status).toBe(409);
    expect((await post(`pi_${'a'.repeat(24)}/sepa`, ACCOUNT)).status).toBe(404);
    expect((await post(`${await newIntent()}/sign`, { code: '0000' })).status).toBe(409);
    expect((await post(`${await newIntent()}/code`, {})).status).toBe(409);
  });

  test('are limited to ten signing codes for a payment within 15 minutes', async () => {
    const intent = await newIntent();
    expect((await post(`${intent}/sepa`, ACCOUNT)).status).toBe(200);
    for (let sent = 1; sent < 10; sent += 1) {
      expect((await post(`${intent}/code`, {})).status).toBe(200);
    }
    const eleventh = await post(`${intent}/code`, {});
    expect(eleventh.status).toBe(429);
    expect(Number(eleventh.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('allow five wrong codes, even when more codes are sent concurrently', async () => {
    const intent = await newIntent();
    await post(`${intent}/sepa`, ACCOUNT);
    const tries = Array.from({ length: 8 }, () => post(`${intent}/sign`, { code: 'none' }));
    const results = await Promise.all(
      tries.map(async (one) => ((await (await one).json()) as { result: string }).result),
    );
    expect(results.filter((result) => result === 'wrong')).toHaveLength(4);
    expect(results.filter((result) => result === 'spent')).toHaveLength(4);
  });

  const codeOf = async (intent: string): Promise<string> => {
    const { body } = await sandbox.call('GET', `/sandbox/messages?payment_intent=${intent}`);
    const { messages } = body as unknown as { messages: readonly [{ body: string }] };
    return messages[0].body.slice(0, 4);
  };

  describe('require a signing code, which', () => {
    const inboxOf = async (intent: string): Promise<readonly (string | null)[]> => {
      const path = `/sandbox/messages?payment_intent=${intent}`;
      const { messages } = (await sandbox.call('GET', path)).body as unknown as {
        messages: readonly { body: string | null }[];
      };
      return messages.map(({ body }) => body);
    };
    /** The rows of an intent's signing codes in the database. */
    const atRest = async (intent: string): Promise<readonly object[]> => {
      const client = new pg.Client({ connectionString: sandbox.database.url });
      await client.connect();
      const { rows } = await client.query(
        `SELECT c.code_hash, c.status, m.body FROM signing_codes c
         JOIN messages m ON m.id = c.message_id WHERE m.intent_id = $1 ORDER BY c.seq`,
        [intent],
      );
      await client.end();
      return rows as object[];
    };
    const asked = async (): Promise<string> => {
      const intent = await newIntent();
      expect((await post(`${intent}/sepa`, ACCOUNT)).status).toBe(200);
      return intent;
    };

    test('can be read in the inbox while it is valid, and is erased after its use', async () => {
      const intent = await asked();
      const code = await codeOf(intent);
      expect(await inboxOf(intent)).toEqual([expect.stringContaining(code)]);
      expect(await atRest(intent)).toEqual([
        expect.objectContaining({ code_hash: expect.stringMatching(/^[0-9a-f]{64}$/) }),
      ]);
      expect((await post(`${intent}/sign`, { code })).status).toBe(200);
      expect(await inboxOf(intent)).toEqual([null]);
      expect(await atRest(intent)).toEqual([{ code_hash: null, status: 'used', body: null }]);
      const page = await (await fetch(`${sandbox.url}/inbox/${intent}`)).text();
      expect(page).toContain('The code was used or has expired.');
      expect(page).not.toContain(`>${code} is`);
    });

    test('is erased after five wrong attempts, and when a new code replaces it', async () => {
      const intent = await asked();
      for (let tries = 0; tries < 5; tries += 1) await post(`${intent}/sign`, { code: 'none' });
      expect(await inboxOf(intent)).toEqual([null]);
      await post(`${intent}/code`, {});
      await post(`${intent}/code`, {});
      expect(await inboxOf(intent)).toEqual([expect.stringMatching(/^\d{4}/), null, null]);
      expect(await atRest(intent)).toMatchObject([
        { status: 'spent', code_hash: null },
        { status: 'replaced', code_hash: null },
        { status: 'open' },
      ]);
    });

    test('becomes invalid when the payer enters another bank account, and when the merchant deletes the mandate', async () => {
      const intent = await asked();
      await post(`${intent}/sepa`, ACCOUNT);
      const { body } = await sandbox.call('GET', '/v2/mandates?limit=1');
      const {
        mandates: [mandate],
      } = body as unknown as { mandates: readonly [{ id: string }] };
      expect((await sandbox.call('DELETE', `/v2/mandates/${mandate.id}`)).status).toBe(200);
      expect(await inboxOf(intent)).toEqual([null, null]);
      const ended = { status: 'withdrawn', code_hash: null, body: null };
      expect(await atRest(intent)).toEqual([ended, ended]);
    });

    test('becomes invalid when the merchant cancels the payment', async () => {
      const intent = await asked();
      await sandbox.call('DELETE', `/v2/payment_intents/${intent}`);
      expect(await atRest(intent)).toEqual([{ code_hash: null, status: 'withdrawn', body: null }]);
    });

    const withdrawn = { code_hash: null, status: 'withdrawn', body: null };
    const typed = (number: string): CardInput => ({
      number,
      expMonth: 12,
      expYear: 2031,
      cvc: '123',
    });

    test('becomes invalid when the payer pays by card: immediately, or after the approval at the bank', async () => {
      const atOnce = await asked();
      await sandbox.pageFlow.submitCard(atOnce, typed('9999000000000079'));
      expect(await atRest(atOnce)).toEqual([withdrawn]);
      const atBank = await asked();
      const outcome = await sandbox.pageFlow.submitCard(atBank, typed('9999000000000012'));
      // The payer is at the bank with a card, and may still return and sign the mandate.
      expect(await atRest(atBank)).toMatchObject([{ status: 'open' }]);
      const session = outcome.next === 'secure_auth' ? outcome.authSessionId : 'none';
      await sandbox.pageFlow.decide(session, 'approve');
      expect(await atRest(atBank)).toEqual([withdrawn]);
    });

    test('becomes invalid when the merchant charges a stored card for the payment', async () => {
      const intent = await asked();
      const card = cardLike('Accepted, 3D Secure not required');
      const made = await sandbox.call('POST', '/v2/cards', card);
      const body = { card: idOf(made.body) };
      const { status } = await sandbox.call('PATCH', `/v2/payment_intents/${intent}`, body);
      expect(status).toBe(200);
      expect(await atRest(intent)).toEqual([withdrawn]);
    });

    test('becomes invalid when the payment no longer allows direct debits', async () => {
      const intent = await asked();
      await sandbox.call('PATCH', `/v2/payment_intents/${intent}`, { methods_allowed: 'card' });
      expect(await atRest(intent)).toEqual([withdrawn]);
    });

    test('is erased after ten minutes on the sandbox’s clock, and can no longer sign', async () => {
      const intent = await asked();
      const code = await codeOf(intent);
      await sandbox.call('POST', '/sandbox/clock', { advance: 'PT9M' });
      expect(await inboxOf(intent)).toEqual([expect.stringContaining(code)]);
      await sandbox.call('POST', '/sandbox/clock', { advance: 'PT2M' });
      expect(await inboxOf(intent)).toEqual([null]);
      const late = await post(`${intent}/sign`, { code });
      expect(await late.json()).toMatchObject({ result: 'expired' });
      expect(await atRest(intent)).toEqual([{ code_hash: null, status: 'expired', body: null }]);
    });
  });

  test('are started once when the right code is sent twice concurrently', async () => {
    const intent = await newIntent();
    await post(`${intent}/sepa`, ACCOUNT);
    const code = await codeOf(intent);
    const answers = await Promise.all([
      post(`${intent}/sign`, { code }),
      post(`${intent}/sign`, { code }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { body } = await sandbox.call('GET', `/v2/payment_intents/${intent}/payments`);
    expect(body).toMatchObject([{ method: 'sepa', status: 'to_capture', response: '00' }]);
  });

  test('are not started under a mandate that the merchant deletes while the payer signs', async () => {
    const intent = await newIntent();
    await post(`${intent}/sepa`, ACCOUNT);
    const client = new pg.Client({ connectionString: sandbox.database.url });
    await client.connect();
    // Locks the mandate as DELETE does before its commit.
    await client.query('BEGIN');
    await client.query(
      `UPDATE mandates SET status = 'deleted', deleted_at = created_at WHERE intent_id = $1`,
      [intent],
    );
    const signing = post(`${intent}/sign`, { code: await codeOf(intent) });
    await sleep(300);
    await client.query('COMMIT');
    expect((await signing).status).toBe(409);
    const { rows } = await client.query('SELECT status FROM mandates WHERE intent_id = $1', [
      intent,
    ]);
    await client.end();
    expect(rows).toEqual([{ status: 'deleted' }]);
    const { body } = await sandbox.call('GET', `/v2/payment_intents/${intent}/payments`);
    expect(body).toEqual([]);
  });

  test('are rejected when the amount has changed since the code was sent', async () => {
    const intent = await newIntent();
    await post(`${intent}/sepa`, ACCOUNT);
    const code = await codeOf(intent);
    await sandbox.call('PATCH', `/v2/payment_intents/${intent}`, { amount: 99_900 });
    expect(await (await post(`${intent}/sign`, { code })).json()).toEqual({ result: 'expired' });
    const path = `/v2/payment_intents/${intent}/payments`;
    expect((await sandbox.call('GET', path)).body).toEqual([]);
    await post(`${intent}/code`, {});
    expect((await post(`${intent}/sign`, { code: await codeOf(intent) })).status).toBe(200);
    expect((await sandbox.call('GET', path)).body).toMatchObject([{ amount: 99_900 }]);
  });

  test('are not requested, signed or sent a code by a page that shows another amount', async () => {
    const intent = await newIntent();
    const shown = { amount: 990, currency: 'eur' };
    expect((await post(`${intent}/sepa`, { ...ACCOUNT, shown })).status).toBe(200);
    const code = await codeOf(intent);
    await sandbox.call('PATCH', `/v2/payment_intents/${intent}`, { amount: 99_900 });
    const outdated = await Promise.all([
      post(`${intent}/sepa`, { ...ACCOUNT, shown }),
      post(`${intent}/code`, { shown }),
      post(`${intent}/sign`, { code, shown }),
    ]);
    expect(outdated.map(({ status }) => status)).toEqual([409, 409, 409]);
    const { body } = await sandbox.call('GET', `/sandbox/messages?payment_intent=${intent}`);
    expect(body).toMatchObject({ messages: [{ body: null }] });
  });

  test('have a signing code whose message names the amount that the code signs, even if the amount changes meanwhile', async () => {
    const intent = await newIntent();
    const client = new pg.Client({ connectionString: sandbox.database.url });
    await client.connect();
    // Locks the payment as PATCH does before its commit.
    await client.query('BEGIN');
    await client.query('UPDATE payment_intents SET amount = 99900 WHERE id = $1', [intent]);
    const asking = post(`${intent}/sepa`, ACCOUNT);
    await sleep(300);
    await client.query('COMMIT');
    await client.end();
    expect((await asking).status).toBe(200);
    const { body } = await sandbox.call('GET', `/sandbox/messages?payment_intent=${intent}`);
    expect(body).toMatchObject({ messages: [{ body: expect.stringContaining('€999.00') }] });
  });

  test('return the URL of the signed document only in the responses to the bank account and the signature', async () => {
    const intent = await newIntent();
    const entered = (await (await post(`${intent}/sepa`, ACCOUNT)).json()) as {
      readonly documentPath: string;
    };
    expect((await fetch(`${sandbox.url}${entered.documentPath}`)).status).toBe(404);
    const signed = await post(`${intent}/sign`, { code: await codeOf(intent) });
    const { documentPath } = (await signed.json()) as { readonly documentPath: string };
    expect(entered.documentPath).toBe(documentPath);
    expect((await fetch(`${sandbox.url}${documentPath}`)).status).toBe(200);
    for (const path of ['', '/state']) {
      const later = await fetch(`${sandbox.url}/pay/${intent}${path}`);
      expect(await later.text()).not.toContain('/mandates/');
    }
  });

  test('keep the signed document when the bank account, or the payment after a refused debit, is changed', async () => {
    const intent = await newIntent({ description: 'Linden honey' });
    // The mandate is signed, but the debit is refused, so the payment can still be changed.
    await post(`${intent}/sepa`, { ...ACCOUNT, iban: 'GB33BUKB20201555555555' });
    const signed = await post(`${intent}/sign`, { code: await codeOf(intent) });
    expect(await signed.json()).toMatchObject({ result: 'refused' });
    const { body } = await sandbox.call('GET', '/v2/mandates?limit=1');
    const {
      mandates: [mandate],
    } = body as unknown as { mandates: readonly [{ id: string; sepa: string }] };
    const document = async (): Promise<Buffer> => {
      const response = await fetch(`${sandbox.url}/v2/mandates/${mandate.id}.pdf`, {
        headers: { authorization: basic(TEST_KEY) },
      });
      expect(response.status).toBe(200);
      return Buffer.from(await response.arrayBuffer());
    };
    const before = await document();
    const change = { amount: 99_900, description: 'Garden tea' };
    const changed = await sandbox.call('PATCH', `/v2/payment_intents/${intent}`, change);
    expect(changed.status).toBe(200);
    await sandbox.call('PATCH', `/v2/sepa/${mandate.sepa}`, { name: 'Another Person' });
    expect(await document()).toEqual(before);
  });

  test('end a 3-D Secure session that the payer left open for a card payment', async () => {
    const intent = await newIntent();
    await sandbox.pageFlow.submitCard(intent, {
      number: '9999000000000012',
      expMonth: 12,
      expYear: 2031,
      cvc: '123',
    });
    await post(`${intent}/sepa`, ACCOUNT);
    await post(`${intent}/sign`, { code: await codeOf(intent) });
    const { body } = await sandbox.call('GET', `/v2/payment_intents/${intent}/payments`);
    expect(body).toMatchObject([
      { method: 'sepa', status: 'to_capture' },
      { method: 'card', status: 'failed', auth: { status: 'failed' } },
    ]);
    const read = await sandbox.call('GET', `/v2/payment_intents/${intent}`);
    expect(read.body).toMatchObject({ status: 'processing' });
  });

  test('show their text messages in an inbox for test payments, never for live payments', async () => {
    const [test1, live1] = [await newIntent(), await newIntent({}, LIVE_KEY)];
    await post(`${test1}/sepa`, ACCOUNT);
    await post(`${live1}/sepa`, ACCOUNT);
    const inbox = async (intent: string): Promise<unknown> =>
      (await fetch(`${sandbox.url}/inbox/${intent}/messages`)).json();
    expect(await inbox(test1)).toEqual([
      expect.objectContaining({ body: expect.stringMatching(/^\d{4} is your code/) }),
    ]);
    expect(await inbox(live1)).toEqual([]);
    const all = await sandbox.call('GET', '/sandbox/messages');
    const { messages } = all.body as unknown as { messages: readonly object[] };
    expect(messages.slice(0, 2)).toMatchObject([
      { live: true, recipient: ACCOUNT.phone, payment_intent: live1 },
      { live: false, recipient: ACCOUNT.phone, payment_intent: test1 },
    ]);
  });
});
