import fc from 'fast-check';
import {
  decodeDispute,
  decodeList,
  decodePayment,
  decodePaymentIntent,
  decodeRefund,
  decodeWebhookEndpoint,
} from './payment-wire.js';
import { decodePayout } from './payout-wire.js';
import { hintOf } from './webhook-wire.js';
import { MalformedWire } from './wire-decode.js';

const INTENT = {
  id: 'pi_abcdefghijklmnopqrstuvwx',
  status: 'authorized',
  amount: 1_000,
  url: 'https://pay.example/pi_1',
  created_at: 1_772_366_400,
};
const PAYMENT = {
  id: 'paym_abcdefghijklmnopqrstuvwx',
  amount: 1_000,
  currency: 'eur',
  created: 1_772_366_400,
};
const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

describe('a payment intent', () => {
  test('is decoded even if all fields that may be null are missing', () => {
    expect(decodePaymentIntent(INTENT)).toMatchObject({ ...INTENT, order_id: null, payment: null });
  });

  test('keeps an unknown status, and drops unknown fields', () => {
    const intent = decodePaymentIntent({ ...INTENT, status: 'dreaming', color: 'blue' });
    expect(intent.status).toBe('dreaming');
    expect(intent).not.toHaveProperty('color');
  });

  test.each([
    ['id', 'paym_1'],
    ['id', 'pi_'],
    ['id', 'pi_a/b'],
    ['id', 7],
    ['status', null],
    ['status', ''],
    ['amount', '1000'],
    ['amount', 10.5],
    ['amount', -1],
    ['amount', 2 ** 53],
    ['amount', null],
    ['created_at', '2026-03-01'],
    ['url', undefined],
    ['payment', {}],
    ['order_id', 5],
  ])('with %s = %j is malformed, and the error does not quote the value', (name, value) => {
    const decode = (): unknown => decodePaymentIntent({ ...INTENT, [name]: value });
    expect(decode).toThrow(MalformedWire);
    expect(decode).toThrow(new RegExp(`^${name} must be `));
  });
});

describe('a payment', () => {
  test('has the status null until the bank has responded', () => {
    expect(decodePayment(PAYMENT).status).toBeNull();
  });

  test('contains the mandate and the details of the method, but no personal data of the payer', () => {
    const payment = decodePayment({
      ...PAYMENT,
      card: {
        id: 'card_1',
        brand: 'visa',
        last4: '0001',
        country: 'FR',
        number: '4970105181818183',
        exp_month: 12,
        exp_year: 2030,
        created: 1,
        deleted: false,
        name: 'Jane Canary',
        zip_code: '75001',
      },
      sepa: { id: 'sepa_1', last4: '0189', name: 'Jane Canary', mandate: 'RUM1' },
      customer: { id: 'cust_1', email: 'jane@canary.example', mobile: '+33612345678' },
      auth: { status: 'requested', redirect_url: 'https://bank.example/', return_url: null },
    });
    expect(payment).toMatchObject({
      card: { brand: 'visa', last4: '0001', country: 'FR' },
      sepa: { id: 'sepa_1', last4: '0189' },
      auth: { status: 'requested' },
    });
    expect(JSON.stringify(payment)).not.toMatch(/canary|336|75001|2030|RUM1|49701|bank\.example/i);
  });

  test.each([
    ['last4', '4970105181818183'],
    ['last4', 'Jane'],
    ['last4', 12],
    ['brand', '4970105181818183'],
    ['country', 'France'],
  ])('drops the card detail %s with the malformed value %j', (name, value) => {
    const { card } = decodePayment({ ...PAYMENT, card: { id: 'card_1', [name]: value } });
    expect(card).toEqual({ brand: null, last4: null, country: null });
  });
});

test.each([
  ['a refund', decodeRefund, { ...PAYMENT, id: 'refd_1', payment: PAYMENT.id, status: 'refunded' }],
  [
    'a dispute',
    decodeDispute,
    {
      ...PAYMENT,
      id: 'dspt_1',
      payment: PAYMENT.id,
      status: 'open',
      response: '45',
      type: 'a',
      fee: 0,
    },
  ],
  ['a payment', decodePayment, PAYMENT],
] as const)(
  '%s that was created in milliseconds instead of seconds is malformed',
  (_, decode, wire) => {
    expect(decode(wire)).toMatchObject({ created: PAYMENT.created });
    for (const created of [PAYMENT.created * 1_000, Number.MAX_SAFE_INTEGER, 4_102_444_800]) {
      expect(() => decode({ ...wire, created })).toThrow(MalformedWire);
    }
  },
);

describe('a payout', () => {
  const none = { amount: 0, count: 0, fees: 0 };
  const totals = { method: { card: none, sepa: none } };
  const payout = {
    id: 'pout_1',
    reference: 'A',
    currency: 'eur',
    amount: 1_000,
    fees: 0,
    fees_vat: 0,
    status: 'paid',
    date: '2026-02-28',
    date_bank: '2028-02-29',
    payments: totals,
    refunds: totals,
    disputes: totals,
  };

  test('contains the days on which it was made and arrived', () =>
    expect(decodePayout(payout)).toMatchObject({ date: '2026-02-28', date_bank: '2028-02-29' }));

  test.each(['0000-00-00', '0000-01-01', '2026-02-29', '2026-02-30', '2026-13-01', '2026-1-1', ''])(
    'with the day %j, which is in no calendar, is malformed',
    (day) => {
      for (const name of ['date', 'date_bank']) {
        expect(() => decodePayout({ ...payout, [name]: day })).toThrow(`${name} must be a day`);
      }
    },
  );
});

test('a webhook endpoint without a usable secret is malformed', () => {
  const endpoint = { id: 'we_1', url: 'https://x.example', enabled: true };
  for (const secret of [undefined, '', 'abc', 'zz']) {
    expect(() => decodeWebhookEndpoint({ ...endpoint, secret })).toThrow(MalformedWire);
  }
});

test('a list is malformed if it lacks the field named after its objects, or its range', () => {
  const decode = decodeList('payments', decodePayment);
  expect(decode({ payments: [PAYMENT], range: { has_more: true } }).hasMore).toBe(true);
  for (const value of [{}, { payments: [] }, { range: {} }, { payments: {}, range: {} }, null]) {
    expect(() => decode(value)).toThrow(MalformedWire);
  }
});

describe('a webhook body', () => {
  test('contains the id of the intent that it is about', () => {
    const of = (type: string, data: object): unknown => hintOf(bytes({ id: 'evt_1', type, data }));
    expect(of('payment_intent.authorized', INTENT)).toEqual({
      eventId: 'evt_1',
      type: 'payment_intent.authorized',
      intentId: INTENT.id,
      reference: null,
      status: INTENT.status,
    });
    expect(of('payment.refused', { ...PAYMENT, payment_intent: INTENT.id })).toMatchObject({
      intentId: INTENT.id,
    });
    expect(of('customer.created', { id: 'cust_1' })).toMatchObject({ intentId: null });
  });

  test.each(['', '{', '[]', 'null', '{"id":"evt_1"}', '{"id":"evt_1","type":"a.b","data":[]}'])(
    'with the content %j is not an event',
    (text) => {
      expect(hintOf(Buffer.from(text))).toBeNull();
    },
  );
});

test('any JSON value is either decoded or rejected as malformed', () => {
  const decoders = [
    decodePaymentIntent,
    decodePayment,
    decodeWebhookEndpoint,
    decodeList('payments', decodePayment),
    (value: unknown) => hintOf(bytes(value)),
  ];
  const near = fc.record(
    {
      id: fc.constantFrom('pi_1', 'paym_1', 1),
      status: fc.jsonValue(),
      amount: fc.jsonValue(),
      card: fc.jsonValue(),
      range: fc.jsonValue(),
      payments: fc.array(fc.jsonValue()),
      data: fc.jsonValue(),
      type: fc.string(),
      secret: fc.string(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), near), (value) => {
      for (const decode of decoders) {
        try {
          decode(value);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedWire);
        }
      }
    }),
  );
});
