import { type Harness, LIVE_KEY, startHarness } from '../../testing/harness.js';
import { TEST_CARDS } from '../banks/test-values.js';
import type { CardOutcome } from '../page-flow/page-flow.js';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());

const cardWith = (scenario: string) => {
  const found = TEST_CARDS.find((card) => card.scenario.startsWith(scenario));
  return { number: found?.value ?? '', expMonth: 12, expYear: 2090, cvc: '123', name: 'A. Payer' };
};
const SECURE = cardWith('Accepted, 3D Secure optional');
const EASY = cardWith('Accepted, 3D Secure not required');

const newIntent = async (more: object = {}, key?: string): Promise<string> => {
  const body = { amount: 1250, capture: false, ...more };
  const { status, body: intent } = await sandbox.call('POST', '/v2/payment_intents/', body, key);
  expect(status).toBe(200);
  return intent['id'] ?? '';
};

const intentOf = async (id: string) =>
  (await sandbox.call('GET', `/v2/payment_intents/${id}`)).body;
const paymentOf = async (id: string, key?: string) => {
  const answer = await sandbox.call('GET', `/v2/payment_intents/${id}/payments`, undefined, key);
  return (answer.body as unknown as Record<string, unknown>[])[0];
};
const capture = (id: string) => sandbox.call('POST', `/v2/payment_intents/${id}/capture`);
const cancel = (id: string) => sandbox.call('DELETE', `/v2/payment_intents/${id}`);
const advance = (by: string) => sandbox.call('POST', '/sandbox/clock', { advance: by });

const sessionIn = (outcome: CardOutcome): string =>
  outcome.next === 'secure_auth' ? outcome.authSessionId : '';

const authorized = async (more: object = {}): Promise<string> => {
  const id = await newIntent(more);
  expect(await sandbox.pageFlow.submitCard(id, EASY)).toEqual({ next: 'confirm' });
  return id;
};

/** Types of the events of an intent and its payments, in the order of creation. */
const eventsOf = async (id: string): Promise<string[]> => {
  const { body } = await sandbox.call('GET', '/v2/events?limit=100');
  const events = body['events'] as unknown as { type: string; data: Record<string, string> }[];
  const mine = events.filter(({ data }) => data['id'] === id || data['payment_intent'] === id);
  return mine.map((event) => event.type).reverse();
};

test('the field `response` contains the reason of an abandoned or expired attempt', async () => {
  const id = await newIntent();
  await sandbox.pageFlow.submitCard(id, SECURE);
  await sandbox.pageFlow.submitCard(id, SECURE);
  const { body } = await sandbox.call('GET', `/v2/payment_intents/${id}/payments`);
  expect(body).toMatchObject([
    { status: null, response: null },
    { status: 'failed', response: '17' },
  ]);
  await advance('PT6H');
  expect(await paymentOf(id)).toMatchObject({
    status: 'failed',
    response: '68',
    auth: { status: 'expired' },
  });
});

test('a card with 3-D Secure is authorized, then captured by the merchant', async () => {
  const id = await newIntent({ order_id: 'order-1' });
  const session = sessionIn(await sandbox.pageFlow.submitCard(id, SECURE));
  expect(await intentOf(id)).toMatchObject({ status: 'require_authentication' });
  expect(await paymentOf(id)).toMatchObject({
    status: null,
    response: null,
    auth: { status: 'requested', redirect_url: `http://sandbox.test/bank/${session}` },
  });
  expect(await sandbox.pageFlow.authSession(session)).toMatchObject({ status: 'attempted' });
  expect(await sandbox.pageFlow.decide(session, 'approve')).toEqual({
    next: 'confirm',
    intentId: id,
  });
  expect(await sandbox.pageFlow.confirm(id)).toMatchObject({ status: 'authorized' });
  const captured = await capture(id);
  expect(captured.status).toBe(200);
  expect(captured.body).toMatchObject({ id, status: 'to_capture' });
  const found = await sandbox.call('GET', '/v2/payments/?order_id=order-1');
  expect(found.body).toMatchObject({
    payments: [
      {
        amount: 1250,
        status: 'to_capture',
        response: '00',
        payment_intent: id,
        auth: { status: 'success' },
        card: { last4: SECURE.number.slice(-4) },
      },
    ],
    range: { start: 0, end: 0, limit: 10, count: 1, has_more: false },
  });
  expect(await eventsOf(id)).toEqual([
    'payment_intent.created',
    'payment.created',
    'payment_intent.updated',
    'payment.updated',
    'payment.authorized',
    'payment_intent.authorized',
    'payment.to_captured',
  ]);
});

test.each([
  ['Do not honor', '05', '05'],
  ['Insufficient funds', '51', '51'],
  ['Lost card', '41', '05'],
  ['3D Secure required', 'A1', 'A1'],
])('a payment by %s is refused, and the payer may retry', async (scenario, code, shownCode) => {
  const id = await newIntent();
  const outcome = await sandbox.pageFlow.submitCard(id, cardWith(scenario));
  expect(outcome).toMatchObject({ next: 'refused', code: shownCode });
  expect(await intentOf(id)).toMatchObject({ status: 'require_payment_method' });
  expect(await paymentOf(id)).toMatchObject({ status: 'refused', response: code });
  expect(await sandbox.pageFlow.view(id)).toMatchObject({ lastRefusal: { maskedCode: shownCode } });
  expect((await capture(id)).status).toBe(409);
  expect(await sandbox.pageFlow.submitCard(id, EASY)).toEqual({ next: 'confirm' });
  expect(await intentOf(id)).toMatchObject({ status: 'authorized' });
});

test('a payment that the payer refuses at the bank can be retried', async () => {
  const id = await newIntent();
  const session = sessionIn(await sandbox.pageFlow.submitCard(id, SECURE));
  expect(await sandbox.pageFlow.decide(session, 'refuse')).toMatchObject({ next: 'refused' });
  expect(await paymentOf(id)).toMatchObject({ status: 'refused', auth: { status: 'declined' } });
  await expect(sandbox.pageFlow.decide(session, 'approve')).rejects.toMatchObject({
    code: 'session_over',
  });
});

test('a payer who leaves the bank’s page can return to it or use another card', async () => {
  const id = await newIntent();
  const session = sessionIn(await sandbox.pageFlow.submitCard(id, SECURE));
  await sandbox.pageFlow.authSession(session);
  expect(await sandbox.pageFlow.leave(session)).toMatchObject({
    status: 'require_authentication',
    authSession: { id: session },
  });
  expect((await capture(id)).status).toBe(409);
  expect(await sandbox.pageFlow.submitCard(id, EASY)).toEqual({ next: 'confirm' });
  await expect(sandbox.pageFlow.decide(session, 'approve')).rejects.toMatchObject({
    code: 'session_over',
  });
  const { body } = await sandbox.call('GET', `/v2/payment_intents/${id}/payments`);
  expect(body).toMatchObject([{ status: 'authorized' }, { status: 'failed' }]);
});

test("a payment becomes to_capture automatically when the page confirms the payer's approval", async () => {
  const id = await authorized({ capture: true });
  expect((await capture(id)).status).toBe(409);
  expect(await sandbox.pageFlow.confirm(id)).toMatchObject({ status: 'to_capture' });
  expect(await sandbox.pageFlow.confirm(id)).toMatchObject({ status: 'to_capture' });
  const types = await eventsOf(id);
  expect(types.filter((type) => type === 'payment.succeeded')).toHaveLength(1);
  expect(types.filter((type) => type === 'payment.to_captured')).toHaveLength(1);
});

test('a payment whose flow was interrupted after 3-D Secure stays authorized, whether capture is true or false', async () => {
  const id = await authorized({ capture: true });
  await advance('PT15M1S');
  expect(await sandbox.pageFlow.confirm(id)).toMatchObject({ status: 'authorized' });
  const refused = await capture(id);
  expect(refused.status).toBe(409);
  expect(await intentOf(id)).toMatchObject({ status: 'authorized' });
});

test.each([true, false])(
  'the authorization is published when the browser confirms it, and never if the browser is lost; capture: %s',
  async (capturing) => {
    const authorizations = async (id: string): Promise<readonly string[]> =>
      (await eventsOf(id)).filter((type) => type.endsWith('.authorized'));
    const [lost, confirmed] = [
      await authorized({ capture: capturing }),
      await authorized({ capture: capturing }),
    ];
    expect(await authorizations(lost)).toEqual([]);
    await sandbox.pageFlow.confirm(confirmed);
    await sandbox.pageFlow.confirm(confirmed);
    expect(await authorizations(confirmed)).toEqual([
      'payment.authorized',
      'payment_intent.authorized',
    ]);
    await advance('PT15M1S');
    await sandbox.pageFlow.confirm(lost);
    expect(await intentOf(lost)).toMatchObject({ status: 'authorized' });
    expect(await authorizations(lost)).toEqual([]);
  },
);

test('a repeated capture or cancellation changes nothing and sends no event', async () => {
  const captured = await authorized();
  const answers = [await capture(captured), await capture(captured)];
  expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
  expect((await eventsOf(captured)).filter((type) => type.endsWith('captured'))).toHaveLength(1);

  const canceled = await authorized();
  const ends = [await cancel(canceled), await cancel(canceled)];
  expect(ends.map(({ status, body }) => [status, body['status']])).toEqual([
    [200, 'canceled'],
    [200, 'canceled'],
  ]);
  expect(await paymentOf(canceled)).toMatchObject({ status: 'canceled' });
  expect((await capture(canceled)).status).toBe(409);
  await expect(sandbox.pageFlow.submitCard(canceled, EASY)).rejects.toMatchObject({
    code: 'not_payable',
  });
});

test('clearing sends payments at 22:00 UTC and settles them at 06:00 UTC, without events', async () => {
  const id = await authorized();
  await capture(id);
  const before = await eventsOf(id);
  const { now } = (await sandbox.call('GET', '/sandbox/clock')).body as Record<string, string>;
  const at = new Date(now ?? '');
  const cutOff = new Date(at);
  cutOff.setUTCHours(22, 0, 0, 0);
  if (cutOff <= at) cutOff.setUTCDate(cutOff.getUTCDate() + 1);
  const seconds = Math.floor((cutOff.getTime() - at.getTime()) / 1_000);
  if (seconds > 5) await advance(`PT${seconds - 5}S`);
  expect(await intentOf(id)).toMatchObject({ status: 'to_capture' });
  await advance('PT10S');
  expect(await intentOf(id)).toMatchObject({ status: 'capture_sent' });
  expect((await cancel(id)).status).toBe(409);
  await advance('PT7H59M');
  expect(await intentOf(id)).toMatchObject({ status: 'capture_sent' });
  await advance('PT1M');
  expect(await intentOf(id)).toMatchObject({ status: 'captured' });
  expect(await paymentOf(id)).toMatchObject({ status: 'captured' });
  expect((await capture(id)).status).toBe(200);
  expect(await eventsOf(id)).toEqual(before);
});

test('an authorization expires after 7 days, a 3-D Secure session after 6 hours', async () => {
  const held = await authorized();
  const open = await newIntent();
  await sandbox.pageFlow.submitCard(open, SECURE);
  await advance('PT5H59M');
  expect(await intentOf(open)).toMatchObject({ status: 'require_authentication' });
  await advance('PT2M');
  expect(await intentOf(open)).toMatchObject({ status: 'require_payment_method' });
  expect(await paymentOf(open)).toMatchObject({ status: 'failed', auth: { status: 'expired' } });
  await advance('P6DT17H');
  expect(await intentOf(held)).toMatchObject({ status: 'authorized' });
  await advance('PT2H');
  expect(await intentOf(held)).toMatchObject({ status: 'unpaid' });
  expect(await paymentOf(held)).toMatchObject({ status: 'expired' });
  expect((await capture(held)).status).toBe(409);
  expect((await cancel(held)).status).toBe(409);
});

test.each([
  ['a test card', EASY.number, '14'],
  ['a card that is not a test value', '9999000000000996', '92'],
])('with a live key, a payment by %s is refused', async (_, number, response) => {
  const id = await newIntent({}, LIVE_KEY);
  await sandbox.pageFlow.submitCard(id, { ...EASY, number });
  expect(await paymentOf(id, LIVE_KEY)).toMatchObject({ status: 'refused', response });
});

test('for a card with optional 3-D Secure, the field `threeds` decides whether the payer authenticates', async () => {
  const none = await newIntent({ threeds: 'none' });
  expect(await sandbox.pageFlow.submitCard(none, SECURE)).toEqual({ next: 'confirm' });
  const required = await newIntent({ threeds: 'required' });
  expect(await sandbox.pageFlow.submitCard(required, EASY)).toMatchObject({ next: 'secure_auth' });
  const impossible = await newIntent({ threeds: 'required' });
  const notEnrolled = cardWith('Accepted, 3D Secure not enrolled');
  expect(await sandbox.pageFlow.submitCard(impossible, notEnrolled)).toMatchObject({ code: 'A1' });
});

test.each([
  ['number', { number: '9999000000000013' }],
  ['number', { number: '1234' }],
  ['expMonth', { expMonth: 13 }],
  ['expYear', { expYear: 2020 }],
  ['cvc', { cvc: '12' }],
])('an invalid %s entered on the page is rejected, and no attempt starts', async (field, typed) => {
  const id = await newIntent();
  await expect(sandbox.pageFlow.submitCard(id, { ...EASY, ...typed })).rejects.toMatchObject({
    code: 'invalid_card',
    details: { field },
  });
  expect(await paymentOf(id)).toBeUndefined();
});

test('entering the same number and expiry date twice creates one card, whose number is not stored', async () => {
  const ids = [await authorized(), await authorized()];
  const cards = await Promise.all(ids.map(async (id) => (await paymentOf(id))?.['card']));
  expect(cards[0]).toEqual(cards[1]);
  expect(JSON.stringify(cards)).not.toContain(EASY.number);
});

test('the intent names the card that the payer last used on the page', async () => {
  const id = await newIntent();
  const usedCards: unknown[] = [];
  for (const typed of [cardWith('Do not honor'), EASY]) {
    await sandbox.pageFlow.submitCard(id, typed);
    const card = (await paymentOf(id))?.['card'] as unknown as { readonly id: string };
    expect(await intentOf(id)).toMatchObject({ card: card.id });
    usedCards.push(card.id);
  }
  expect(usedCards[0]).not.toBe(usedCards[1]);
  const list = await sandbox.call(
    'GET',
    `/v2/payment_intents?card=${String(usedCards[1])}&limit=1`,
  );
  expect(list.body).toMatchObject({ payment_intents: [{ id }] });
});

test('a stored card that has expired is refused with the code 54, until it is renewed', async () => {
  const { body: clock } = await sandbox.call('GET', '/sandbox/clock');
  const [year, month] = String(clock['now']).split('-').map(Number);
  const card = { number: EASY.number, exp_month: month, exp_year: year };
  const { id: cardId } = (await sandbox.call('POST', '/v2/cards', card)).body;
  const pay = async () => {
    const id = await newIntent({ threeds: 'none' });
    const { body } = await sandbox.call('PATCH', `/v2/payment_intents/${id}`, { card: cardId });
    const { status, response } = (await paymentOf(id)) ?? {};
    return [body['status'], status, response];
  };
  expect(await pay()).toEqual(['authorized', 'authorized', '00']);
  await advance('P32D');
  expect(await pay()).toEqual(['require_payment_method', 'refused', '54']);
  await sandbox.call('PATCH', `/v2/cards/${String(cardId)}`, { exp_month: 12, exp_year: 2091 });
  expect(await pay()).toEqual(['authorized', 'authorized', '00']);
});
