import { json, MisbehavingServer } from './misbehaving-server.js';
import { PaymentClient } from './payment-client.js';
import { ProviderTransport } from './provider-transport.js';

const INTENT = {
  id: 'pi_abcdefghijklmnopqrstuvwx', status: 'require_payment_method', amount: 1_000,
  currency: 'eur', capture: false, url: 'https://pay.example/pi_1', created_at: 1_772_366_400,
  order_id: 'pay_1', unique_id: 'pay_1', payment: null,
};
const PAYMENT = {
  id: 'paym_abcdefghijklmnopqrstuvwx', status: null, amount: 1_000, currency: 'eur',
  created: 1_772_366_400,
};
const REFUND = {
  id: 'refd_abcdefghijklmnopqrstuvwx', amount: 400, currency: 'eur', payment: PAYMENT.id,
  created: 1_772_366_400, status: 'to_refund',
};
const DISPUTE = {
  id: 'dspt_abcdefghijklmnopqrstuvwx', amount: 600, currency: 'eur', payment: PAYMENT.id,
  created: 1_772_366_400, response: '4837', fee: 1_500, type: 'chargeback', status: 'open',
};
const ENDPOINT = {
  id: 'we_abcdefghijklmnopqrstuvwx', url: 'https://x.example/', enabled: true,
  secret: 'ab'.repeat(32),
};

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

describe('each verb asks what the specification says', () => {
  test('create', async () => {
    server.always(json(200, INTENT));
    const intent = await client.createIntent({
      amount: 1_000, currency: 'eur', capture: false, order_id: 'pay_1', unique_id: 'pay_1',
      methods_allowed: ['card', 'sepa'], return_url: 'https://shop.example/back',
    });
    expect(intent).toMatchObject({ id: INTENT.id, status: 'require_payment_method' });
    expect(asked()).toEqual(['POST /v2/payment_intents/']);
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({
      amount: 1_000, currency: 'eur', capture: false, order_id: 'pay_1', unique_id: 'pay_1',
      methods_allowed: 'card,sepa', return_url: 'https://shop.example/back',
    });
    expect(server.requests[0]?.headers['content-type']).toBe('application/json');
  });

  test('refund, its list and the disputes', async () => {
    server.always(json(200, REFUND));
    expect(await client.refundIntent(INTENT.id, 400)).toEqual({ ...REFUND, payout: null });
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({ amount: 400 });
    const path = `/v2/payment_intents/${INTENT.id}`;
    expect(asked()).toEqual([`POST ${path}/refund`]);
    server.always(json(200, [REFUND]));
    expect(await client.listIntentRefunds(INTENT.id)).toHaveLength(1);
    expect(asked()).toEqual([`GET ${path}/refunds?start=0&limit=100`]);
    server.always(json(200, [DISPUTE]));
    expect(await client.listIntentDisputes(INTENT.id)).toEqual([{ ...DISPUTE, payout: null }]);
    expect(asked()).toEqual([`GET ${path}/disputes?start=0&limit=100`]);
  });

  test('debit a mandate', async () => {
    server.always(json(200, INTENT));
    await client.debitMandate(INTENT.id, 'sepa_abcdefghijklmnopqrstuvwx');
    expect(asked()).toEqual([`PATCH /v2/payment_intents/${INTENT.id}`]);
    expect(JSON.parse(server.requests[0]?.body ?? ''))
      .toEqual({ sepa: 'sepa_abcdefghijklmnopqrstuvwx' });
  });

  test('read, capture, cancel', async () => {
    server.always(json(200, INTENT));
    await client.getIntent(INTENT.id);
    await client.captureIntent(INTENT.id);
    await client.cancelIntent(INTENT.id);
    expect(asked()).toEqual([
      `GET /v2/payment_intents/${INTENT.id}`,
      `POST /v2/payment_intents/${INTENT.id}/capture`,
      `DELETE /v2/payment_intents/${INTENT.id}`,
    ]);
    expect(server.requests.map(({ body }) => body)).toEqual(['', '', '']);
  });

  test('payments', async () => {
    server.always(json(200, PAYMENT));
    await expect(client.getPayment(PAYMENT.id)).resolves.toMatchObject({ status: null });
    expect(asked()).toEqual([`GET /v2/payments/${PAYMENT.id}`]);
    server.always(json(200, [PAYMENT]));
    await expect(client.listIntentPayments(INTENT.id)).resolves.toHaveLength(1);
    server.always(json(200, list('payments', [PAYMENT])));
    await expect(client.listIntentPayments(INTENT.id)).resolves.toHaveLength(1);
    expect(asked()).toEqual([`GET /v2/payment_intents/${INTENT.id}/payments?start=0&limit=100`]);
  });

  test('webhook endpoints', async () => {
    server.always(json(200, ENDPOINT));
    await expect(client.createWebhookEndpoint('https://x.example/')).resolves.toEqual(ENDPOINT);
    expect(server.requests[0]).toMatchObject({ url: '/v2/webhooks/', method: 'POST' });
    server.always(json(200, list('webhook_endpoints', [ENDPOINT])));
    await expect(client.listWebhookEndpoints()).resolves.toEqual([ENDPOINT]);
    expect(asked()).toEqual(['GET /v2/webhooks/?start=0&limit=100']);
  });
});

describe('finding an intent by our reference', () => {
  test('asks for the reference alone', async () => {
    server.always(json(200, list('payment_intents', [INTENT])));
    await expect(client.findIntentsByOrderId('a&b=c')).resolves.toEqual([]);
    expect(asked()).toEqual(['GET /v2/payment_intents/?order_id=a%26b%3Dc&start=0&limit=100']);
  });

  test('does not take another order’s intent for this one', async () => {
    const other = { ...INTENT, id: 'pi_other', order_id: 'pay_2' };
    server.always(json(200, list('payment_intents', [other, INTENT])));
    const found = await client.findIntentsByOrderId('pay_1');
    expect(found.map(({ id }) => id)).toEqual([INTENT.id]);
  });

  test('reads to the end of the list, pages of any length, each once', async () => {
    const older = { ...INTENT, id: 'pi_older' };
    server.always(json(500, {}));
    server.first(
      json(200, list('payment_intents', [INTENT], true)),
      json(200, list('payment_intents', [INTENT, older])),
    );
    const found = await client.findIntentsByOrderId('pay_1');
    expect(found.map(({ id }) => id)).toEqual([INTENT.id, 'pi_older']);
    expect(asked()[1]).toContain('start=1&');
  });

  test('a list without an end is unreadable, not cut', async () => {
    const endless = { kind: 'unavailable', reason: 'unreadable_answer' };
    server.always(json(200, list('payment_intents', [], true)));
    await expect(client.findIntentsByOrderId('pay_1')).rejects.toMatchObject(endless);
    server.always(json(200, list('payment_intents', [INTENT], true)));
    await expect(client.findIntentsByOrderId('pay_1')).rejects.toMatchObject(endless);
    expect(server.requests).toHaveLength(50);
  });
});

test.each(['', 'pi_', '../ping', 'pi_a/capture', 'pi_a?x=1', 'paym_a'])(
  'the id %j never gets into a path',
  async (id) => {
    server.always(json(200, INTENT));
    const refused = { name: 'AssertionFailed' };
    await expect((async () => client.getIntent(id))()).rejects.toMatchObject(refused);
    await expect((async () => client.listIntentPayments(id))()).rejects.toMatchObject(refused);
    expect(server.requests).toHaveLength(0);
  },
);
