import { readPayment } from '#psp';
import { HostedAdapter } from './hosted-adapter.js';
import type { ProviderRequest } from './provider-request.js';

const intent = (status: string) => ({
  id: 'pi_1',
  status,
  payment: 'paym_1',
  amount: 900,
  currency: 'eur',
  url: 'https://p',
  created_at: 1,
});
const attempt = (status: string) => ({
  id: 'paym_1',
  status,
  amount: 900,
  currency: 'eur',
  method: 'sepa',
  created: 1,
});

const read = (ofIntent: string, ofAttempt: string, details: object = {}) => {
  const answers: Readonly<Record<string, unknown>> = {
    '/v2/payment_intents/{id}': intent(ofIntent),
    '/v2/payment_intents/{id}/payments': [{ ...attempt(ofAttempt), ...details }],
  };
  const { payments } = new HostedAdapter({
    send: async <T>(
      _key: string,
      { pathTemplate }: ProviderRequest,
      decode: (value: unknown) => T,
    ) => decode(answers[pathTemplate] ?? []),
  }).client('stest_spec');
  return readPayment(payments, 'pi_1');
};

test.each([
  ['processing', 'to_capture', 'processing', null],
  ['processing', 'capture_sent', 'capture_sent', []],
  ['processing', 'captured', 'capture_sent', []],
  ['capture_sent', 'capture_sent', 'capture_sent', []],
  ['captured', 'captured', 'captured', []],
  ['require_authentication', 'refused', 'open', null],
  ['on_hold', 'authorized', 'unrecognized on_hold', null],
  ['constructor', 'authorized', 'unrecognized constructor', null],
])(
  'an intent with the status %s whose latest attempt is %s has our status %s',
  async (ofIntent, ofAttempt, status, refunds) => {
    const seen = await read(ofIntent, ofAttempt);
    expect([seen.intent.status, seen.refunds]).toEqual([status, refunds]);
  },
);

const CARD = { id: 'card_1', brand: 'visa', last4: '0012', country: 'FR', name: 'Jane Canary' };
const shownCard = { method: 'card', brand: 'visa', last4: '0012', country: 'FR' };

test.each([
  [{ method: 'card', card: CARD }, shownCard],
  [
    { method: 'card', card: CARD, auth: { status: 'success' } },
    { ...shownCard, authentication: 'succeeded' },
  ],
  [
    { method: 'card', card: CARD, auth: { status: 'declined' } },
    { ...shownCard, authentication: 'declined' },
  ],
  [{ method: 'card', card: CARD, auth: { status: 'attempted' } }, shownCard],
  [{ method: 'card', card: CARD, auth: { status: 'constructor' } }, shownCard],
  [
    { method: 'sepa', sepa: { id: 'sepa_1', last4: 'X189' } },
    { method: 'sepa', last4: 'X189' },
  ],
  [{ method: 'card' }, undefined],
])('an attempt with %j has the method details %j', async (details, shown) => {
  const { attempts } = await read('authorized', 'authorized', details);
  expect(attempts?.[0]?.methodDetails).toEqual(shown);
});

test('an authorization is valid for seven days after the attempt was created', async () => {
  const facts = await read('authorized', 'authorized', { method: 'card', created: 1_767_225_600 });
  expect(facts).toMatchObject({ attempts: [{ authorizedUntil: '2026-01-08T00:00:00.000Z' }] });
});

test('an attempt has its amount and currency, which may differ from those of the intent', async () => {
  const facts = await read('authorized', 'authorized', { amount: 700, currency: 'usd' });
  expect(facts).toMatchObject({
    intent: { amountMinor: 900, currency: 'eur' },
    attempts: [{ money: { amountMinor: 700, currency: 'usd' } }],
  });
});
