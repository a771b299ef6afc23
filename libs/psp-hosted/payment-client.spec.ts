import { type IntentStatus, type ShownIntent, wholeCapture } from '#psp';
import { json, MisbehavingServer } from './misbehaving-server.fixture.js';
import { PaymentClient } from './payment-client.js';
import { PayoutClient } from './payout-client.js';
import { ProviderTransport } from './provider-transport.js';

const INTENT = {
  id: 'pi_abcdefghijklmnopqrstuvwx',
  status: 'require_payment_method',
  amount: 1_000,
  currency: 'eur',
  capture: false,
  url: 'https://pay.example/pi_1',
  created_at: 1_772_366_400,
  order_id: 'pay_1',
  unique_id: 'pay_1',
  payment: null,
};
const PAYMENT = {
  id: 'paym_abcdefghijklmnopqrstuvwx',
  status: null,
  amount: 1_000,
  currency: 'eur',
  created: 1_772_366_400,
};
const REFUND = {
  id: 'refd_abcdefghijklmnopqrstuvwx',
  amount: 400,
  currency: 'eur',
  payment: PAYMENT.id,
  created: 1_772_366_400,
  status: 'to_refund',
};
const DISPUTE = {
  id: 'dspt_abcdefghijklmnopqrstuvwx',
  amount: 600,
  currency: 'eur',
  payment: PAYMENT.id,
  created: 1_772_366_400,
  response: '4837',
  fee: 1_500,
  type: 'chargeback',
  status: 'open',
};
const ENDPOINT = {
  id: 'we_abcdefghijklmnopqrstuvwx',
  url: 'https://x.example/',
  enabled: true,
  secret: 'ab'.repeat(32),
};

const shown = (status: IntentStatus): ShownIntent => ({
  intentId: INTENT.id,
  reference: 'pay_1',
  pageUrl: INTENT.url,
  status,
  amountMinor: 1_000,
  currency: 'eur',
  hasAttempt: true,
});

let server: MisbehavingServer;
let transport: ProviderTransport;
let client: PaymentClient;

beforeAll(async () => {
  server = await MisbehavingServer.start();
  transport = new ProviderTransport(server.url);
  client = new PaymentClient(transport, 'stest_key');
});
afterAll(async () => {
  await transport.close();
  await server.stop();
});

const list = (plural: string, items: readonly unknown[], hasMore = false): object => ({
  [plural]: items,
  range: { start: 0, end: 0, limit: 100, count: items.length, has_more: hasMore },
});

const asked = (): readonly string[] => server.requests.map(({ method, url }) => `${method} ${url}`);

describe('the client sends the specified request', () => {
  test('to create an intent', async () => {
    server.always(json(200, INTENT));
    const intent = await client.createIntent({
      reference: 'pay_1',
      amountMinor: 1_000,
      currency: 'eur',
      methods: ['card', 'sepa'],
      description: null,
      returnUrl: 'https://shop.example/back',
    });
    expect(intent).toEqual({
      intentId: INTENT.id,
      status: 'open',
      amountMinor: 1_000,
      currency: 'eur',
      hasAttempt: false,
      pageUrl: INTENT.url,
      reference: 'pay_1',
    });
    expect(asked()).toEqual(['POST /v2/payment_intents/']);
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({
      amount: 1_000,
      currency: 'eur',
      capture: false,
      order_id: 'pay_1',
      unique_id: 'pay_1',
      methods_allowed: 'card,sepa',
      return_url: 'https://shop.example/back',
    });
    expect(server.requests[0]?.headers['content-type']).toBe('application/json');
  });

  test('to make a refund', async () => {
    server.always(json(200, REFUND));
    expect(await client.refundIntent(INTENT.id, 400)).toEqual({
      refundId: REFUND.id,
      attemptId: REFUND.payment,
      amountMinor: 400,
      currency: 'eur',
      status: 'to_refund',
      createdAt: '2026-03-01T12:00:00.000Z',
    });
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({ amount: 400 });
    expect(asked()).toEqual([`POST /v2/payment_intents/${INTENT.id}/refund`]);
  });

  test('to debit a mandate', async () => {
    server.always(json(200, INTENT));
    await client.debitMandate(INTENT.id, 'sepa_abcdefghijklmnopqrstuvwx');
    expect(asked()).toEqual([`PATCH /v2/payment_intents/${INTENT.id}`]);
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({
      sepa: 'sepa_abcdefghijklmnopqrstuvwx',
    });
  });

  test('to read, capture and cancel an intent', async () => {
    server.always(json(200, INTENT));
    await client.getIntent(INTENT.id);
    await client.captureIntent(INTENT.id, wholeCapture('cap_1'));
    await client.cancelIntent(INTENT.id);
    expect(asked()).toEqual([
      `GET /v2/payment_intents/${INTENT.id}`,
      `POST /v2/payment_intents/${INTENT.id}/capture`,
      `DELETE /v2/payment_intents/${INTENT.id}`,
    ]);
    expect(server.requests.map(({ body }) => body)).toEqual(['', '', '']);
  });

  test('to read the attempts, then the disputes, then the refunds of an intent', async () => {
    server.always(json(500, {}));
    server.first(json(200, list('payments', [PAYMENT])), json(200, [DISPUTE]), json(200, [REFUND]));
    const seen = await client.details(shown('captured'));
    expect(seen.attempts).toMatchObject([{ attemptId: PAYMENT.id, status: null }]);
    expect(seen.disputes).toMatchObject([
      { disputeId: DISPUTE.id, feeMinor: 1_500, status: 'open' },
    ]);
    expect(seen.refunds).toMatchObject([{ refundId: REFUND.id, amountMinor: 400 }]);
    expect(asked()).toEqual(
      ['payments', 'disputes', 'refunds'].map(
        (what) => `GET /v2/payment_intents/${INTENT.id}/${what}?start=0&limit=100`,
      ),
    );
  });

  describe.each([
    ['payments', { payment_intent: 'pi_other' }],
    ['disputes', { payment: 'paym_other' }],
    ['refunds', { payment: 'paym_other' }],
  ] as const)('to read the %s of an intent', (what, other) => {
    test('and fails if the list shows an object of another intent', async () => {
      const lists = { payments: [PAYMENT], disputes: [DISPUTE], refunds: [REFUND] };
      const shownLists = { ...lists, [what]: lists[what].map((one) => ({ ...one, ...other })) };
      server.always(json(500, {}));
      server.first(
        json(200, shownLists.payments),
        json(200, shownLists.disputes),
        json(200, shownLists.refunds),
      );
      await expect(client.details(shown('captured'))).rejects.toMatchObject({
        kind: 'unavailable',
        reason: 'unreadable_answer',
      });
    });
  });

  test('to read one payment', async () => {
    server.always(json(200, PAYMENT));
    await expect(
      new PayoutClient(transport, 'stest_key').getPayment(PAYMENT.id),
    ).resolves.toMatchObject({ attemptId: PAYMENT.id, status: null });
    expect(asked()).toEqual([`GET /v2/payments/${PAYMENT.id}`]);
  });

  test('to create and list webhook endpoints', async () => {
    server.always(json(200, ENDPOINT));
    await expect(client.createWebhookEndpoint('https://x.example/')).resolves.toEqual(ENDPOINT);
    expect(server.requests[0]).toMatchObject({ url: '/v2/webhooks/', method: 'POST' });
    server.always(json(200, list('webhook_endpoints', [ENDPOINT])));
    await expect(client.listWebhookEndpoints()).resolves.toEqual([ENDPOINT]);
    expect(asked()).toEqual(['GET /v2/webhooks/?start=0&limit=100']);
  });
});

describe('finding an intent by our reference', () => {
  test('sends only the reference as a filter', async () => {
    server.always(json(200, list('payment_intents', [INTENT])));
    await expect(client.findIntents('a&b=c')).resolves.toEqual([]);
    expect(asked()).toEqual(['GET /v2/payment_intents/?order_id=a%26b%3Dc&start=0&limit=100']);
  });

  test('ignores an intent with a different reference', async () => {
    const other = { ...INTENT, id: 'pi_other', unique_id: 'pay_2' };
    server.always(json(200, list('payment_intents', [other, INTENT])));
    const found = await client.findIntents('pay_1');
    expect(found.map(({ intentId }) => intentId)).toEqual([INTENT.id]);
  });

  test('reads all pages of the list, even after a short page, and returns each intent once', async () => {
    const older = { ...INTENT, id: 'pi_older' };
    server.always(json(500, {}));
    server.first(
      json(200, list('payment_intents', [INTENT], true)),
      json(200, list('payment_intents', [INTENT, older])),
    );
    const found = await client.findIntents('pay_1');
    expect(found.map(({ intentId }) => intentId)).toEqual([INTENT.id, 'pi_older']);
    expect(asked()[1]).toContain('start=1&');
  });

  test('fails if the list never ends, instead of returning a part of the list', async () => {
    const endless = { kind: 'unavailable', reason: 'unreadable_answer' };
    server.always(json(200, list('payment_intents', [], true)));
    await expect(client.findIntents('pay_1')).rejects.toMatchObject(endless);
    server.always(json(200, list('payment_intents', [INTENT], true)));
    await expect(client.findIntents('pay_1')).rejects.toMatchObject(endless);
    expect(server.requests).toHaveLength(50);
  });
});

test.each(['', 'pi_', '../ping', 'pi_a/capture', 'pi_a?x=1', 'paym_a'])(
  'the invalid id %j is never sent as part of a path',
  async (id) => {
    server.always(json(200, INTENT));
    const refused = { name: 'AssertionFailed' };
    await expect((async () => client.getIntent(id))()).rejects.toMatchObject(refused);
    await expect(
      (async () => client.details({ ...shown('open'), intentId: id }))(),
    ).rejects.toMatchObject(refused);
    expect(server.requests).toHaveLength(0);
  },
);
