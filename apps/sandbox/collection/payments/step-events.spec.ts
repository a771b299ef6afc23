import { type Harness, startHarness } from '../../testing/harness.js';
import { clearToday, idOf, moveToNoon, sessionOf, type ApiObject } from '../../testing/money.js';
import { TEST_CARDS, TEST_IBANS } from '../banks/test-values.js';
import { type IntentMove, intentMachine, paymentMachine } from './states.js';
import { INTENT_EVENTS, PAYMENT_EVENTS } from './step-events.js';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
  await moveToNoon(sandbox, 1);
});
afterAll(() => sandbox.stop());

const create = async (more: object = {}): Promise<string> => {
  const body = { amount: 900, capture: false, ...more };
  return idOf((await sandbox.call('POST', '/v2/payment_intents', body)).body);
};
const act = async (method: string, path: string, body?: object): Promise<ApiObject> => {
  const answer = await sandbox.call(method, `/v2/${path}`, body);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body;
};
const card = async (like: (one: (typeof TEST_CARDS)[number]) => boolean): Promise<string> => {
  const number = TEST_CARDS.find(like)?.value;
  return idOf(await act('POST', 'cards', { number, exp_month: 12, exp_year: 2090, cvc: '123' }));
};
/**
 * Three kinds of card payment attempts: redirected to the bank, approved immediately, or refused.
 */
const ways = {
  bank: () => card(({ threeds }) => threeds === 'optional'),
  easy: () => card(({ threeds, result }) => threeds === 'not_required' && result === 'Accepted'),
  refused: () => card(({ response }) => response === '51'),
};
const tryCard = async (id: string, way: keyof typeof ways): Promise<void> => {
  await act('PATCH', `payment_intents/${id}`, { card: await ways[way](), threeds: null });
};
const debit = async (id: string, result: 'Accepted' | 'Refused'): Promise<void> => {
  const iban = TEST_IBANS.find((one) => one.result === result)?.value;
  const sepa = idOf(await act('POST', 'sepa', { name: 'A. Payer', iban }));
  await act('POST', 'mandates', { sepa, signed_at: 1_700_000_000 });
  await act('PATCH', `payment_intents/${id}`, { sepa });
};
const sessionOfIntent = async (id: string): Promise<string> => {
  const { payment } = await act('GET', `payment_intents/${id}`);
  return sessionOf(await act('GET', `payments/${String(payment)}`));
};
const decide = async (id: string, decision: 'approve' | 'refuse'): Promise<void> => {
  await sandbox.pageFlow.decide(await sessionOfIntent(id), decision);
};
const advance = (duration: string) => sandbox.call('POST', '/sandbox/clock', { advance: duration });

interface Event {
  readonly type: string;
  readonly data: ApiObject;
}

/** All events of an intent and of its payments, in order. */
const eventsOf = async (id: string): Promise<readonly Event[]> => {
  const payments = (await act('GET', `payment_intents/${id}/payments`)) as unknown as ApiObject[];
  const events = (await act('GET', 'events?limit=100'))['events'] as readonly Event[];
  const ids = [id, ...payments.map(idOf)];
  return events.filter(({ data }) => ids.includes(idOf(data))).reverse();
};
const eventTypesOf = async (id: string): Promise<string[]> =>
  (await eventsOf(id)).map(({ type }) => type);

interface Step {
  readonly before: () => Promise<string>;
  readonly run: (id: string) => Promise<unknown>;
  readonly events: readonly string[];
}

const authorized = async (): Promise<string> => {
  const id = await create();
  await tryCard(id, 'easy');
  return id;
};
const atBank = async (): Promise<string> => {
  const id = await create();
  await tryCard(id, 'bank');
  return id;
};
const debited = (result: 'Accepted' | 'Refused') => async (): Promise<string> => {
  const id = await create({ methods_allowed: 'sepa' });
  await debit(id, result);
  return id;
};
const capture = (id: string) => act('POST', `payment_intents/${id}/capture`);
const cancel = (id: string) => act('DELETE', `payment_intents/${id}`);
const captured = async (): Promise<string> => {
  const id = await authorized();
  await capture(id);
  return id;
};

/**
 * For every transition of an intent: how the test causes the transition, and the events that it
 * sends. A PATCH with a card also sends the card's event.
 */
const STEPS: Readonly<Record<IntentMove, Step>> = {
  request_authentication: {
    before: create,
    run: (id) => tryCard(id, 'bank'),
    events: ['payment.created', 'payment_intent.updated'],
  },
  request_authorization: {
    before: create,
    run: (id) => tryCard(id, 'refused'),
    events: ['payment.created', 'payment.refused', 'payment_intent.updated'],
  },
  approve: {
    before: atBank,
    run: async (id) => {
      await decide(id, 'approve');
      await sandbox.pageFlow.confirm(id);
    },
    events: ['payment.authorized', 'payment_intent.authorized'],
  },
  refuse: {
    before: atBank,
    run: (id) => decide(id, 'refuse'),
    events: ['payment.refused', 'payment_intent.updated'],
  },
  give_up: {
    before: atBank,
    run: (id) => act('PATCH', `payment_intents/${id}`, { amount: 901 }),
    events: ['payment.updated', 'payment_intent.updated'],
  },
  time_out: {
    before: atBank,
    run: () => advance('PT6H1M'),
    events: ['payment.updated', 'payment_intent.updated'],
  },
  capture: {
    before: authorized,
    run: async (id) => {
      await Promise.all([capture(id), capture(id)]);
      await capture(id);
    },
    events: ['payment.to_captured'],
  },
  debit: {
    before: () => create({ methods_allowed: 'sepa' }),
    run: (id) => debit(id, 'Accepted'),
    events: [
      'payment.created',
      'payment.to_captured',
      'payment.succeeded',
      'payment_intent.updated',
    ],
  },
  cancel: {
    before: authorized,
    run: async (id) => {
      await Promise.all([cancel(id), cancel(id)]);
      await cancel(id);
    },
    events: ['payment.updated', 'payment_intent.updated'],
  },
  cut_off: { before: captured, run: () => advance('PT12H'), events: [] },
  clear: { before: captured, run: () => clearToday(sandbox), events: [] },
  return: {
    before: debited('Refused'),
    run: () => advance('P6D'),
    events: ['payment.refused', 'payment_intent.updated'],
  },
  expire: {
    before: authorized,
    run: () => advance('P7DT1M'),
    events: ['payment.updated', 'payment_intent.updated'],
  },
};

test.each(Object.entries(STEPS))(
  'the intent transition %s sends exactly its specified events',
  async (_, step) => {
    const id = await step.before();
    const before = await eventTypesOf(id);
    await step.run(id);
    const sent = (await eventsOf(id)).slice(before.length);
    expect(sent.map(({ type }) => type)).toEqual(step.events);
    const updated = sent.filter(({ type }) => type === 'payment_intent.updated');
    for (const { data } of updated) expect(data).toEqual(await act('GET', `payment_intents/${id}`));
  },
);

test('canceling an intent without an attempt sends one event', async () => {
  const id = await create();
  await cancel(id);
  expect(await eventTypesOf(id)).toEqual(['payment_intent.created', 'payment_intent.updated']);
});

test('when a payment is captured immediately, its events contain the final state', async () => {
  const id = await create({ capture: true });
  await tryCard(id, 'easy');
  const sent = (await eventsOf(id)).filter(({ type }) => type === 'payment_intent.updated');
  expect(sent.map(({ data }) => data)).toEqual([await act('GET', `payment_intents/${id}`)]);
});

test('a PATCH with a card that the bank approves immediately sends one authorized and one updated event of the intent', async () => {
  const id = await authorized();
  const sent = (await eventsOf(id)).slice(1);
  expect(sent.map(({ type }) => type)).toEqual([
    'payment.created',
    'payment.authorized',
    'payment_intent.authorized',
    'payment_intent.updated',
  ]);
  expect(sent[2]?.data).toMatchObject({ status: 'authorized' });
  expect(sent[3]?.data).toEqual(await act('GET', `payment_intents/${id}`));
});

test('replacing the card while the payer is at the bank sends one event of the intent, with its final state', async () => {
  const id = await atBank();
  const before = (await eventTypesOf(id)).length;
  await tryCard(id, 'refused');
  const sent = (await eventsOf(id)).slice(before);
  expect(sent.map(({ type }) => type)).toEqual([
    'payment.updated',
    'payment.created',
    'payment.refused',
    'payment_intent.updated',
  ]);
  expect(sent.at(-1)?.data).toEqual(await act('GET', `payment_intents/${id}`));
});

test('the payer’s arrival at the bank and the end of the 3-D Secure session send one event each', async () => {
  const id = await atBank();
  const session = await sessionOfIntent(id);
  await sandbox.pageFlow.authSession(session);
  await sandbox.pageFlow.authSession(session);
  const [arrived] = (await eventsOf(id)).slice(-1);
  expect(arrived).toMatchObject({
    type: 'payment.updated',
    data: { auth: { status: 'attempted' } },
  });
  expect((await eventTypesOf(id)).slice(-2)).toEqual(['payment_intent.updated', 'payment.updated']);
  await decide(id, 'approve');
  expect((await eventTypesOf(id)).at(-1)).toBe('payment.updated');
  await sandbox.pageFlow.confirm(id);
  expect((await eventTypesOf(id)).slice(-3)).toEqual([
    'payment.updated',
    'payment.authorized',
    'payment_intent.authorized',
  ]);
});

/**
 * The transitions for which the intent itself sends no event. `capture` sends only an event of the
 * payment. `cut_off` and `clear` send none. `request_authorization` and `give_up` are followed, in
 * the same call, by a transition that sends an event.
 */
const WITHOUT_EVENT: readonly IntentMove[] = [
  'capture',
  'cut_off',
  'clear',
  'request_authorization',
  'give_up',
];

test('every transition of an intent sends an intent event, except capture, cut_off, clear, request_authorization and give_up', () => {
  const silent = Object.entries(INTENT_EVENTS).filter(([, event]) => event === null);
  expect(silent.map(([move]) => move).sort()).toEqual([...WITHOUT_EVENT].sort());
});

test('every transition of intents and payments has an entry in the tables of events', () => {
  const moves = ({ table }: { readonly table: object }) =>
    new Set(Object.values(table).flatMap((row: object) => Object.keys(row)));
  expect([...moves(intentMachine)].sort()).toEqual(Object.keys(INTENT_EVENTS).sort());
  expect([...moves(paymentMachine)].sort()).toEqual(Object.keys(PAYMENT_EVENTS).sort());
});
