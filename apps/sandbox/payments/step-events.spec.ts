import { TEST_CARDS, TEST_IBANS } from '../test-values.js';
import { type Harness, startHarness } from '../testing/harness.js';
import { clearToday, eventTypesOf, idOf, moveToNoon, sessionOf, type Told } from '../testing/money.js';
import { type IntentMove, intentMachine, type PaymentMove, paymentMachine } from './states.js';
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
const act = async (method: string, path: string, body?: object): Promise<Told> => {
  const answer = await sandbox.call(method, `/v2/${path}`, body);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body;
};
const card = async (like: (one: (typeof TEST_CARDS)[number]) => boolean): Promise<string> => {
  const number = TEST_CARDS.find(like)?.value;
  return idOf(await act('POST', 'cards', { number, exp_month: 12, exp_year: 2090, cvc: '123' }));
};
/** Tries to pay with a card: at the bank, approved at once, or refused. */
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
const decide = async (id: string, decision: 'approve' | 'refuse'): Promise<void> => {
  const { payment } = await act('GET', `payment_intents/${id}`);
  const session = sessionOf(await act('GET', `payments/${String(payment)}`));
  await sandbox.pageFlow.decide(session, decision);
};
const advance = (duration: string) => sandbox.call('POST', '/sandbox/clock', { advance: duration });

/** All events of an intent and of its payments, in their order. */
const toldOf = async (id: string): Promise<string[]> => {
  const payments = (await act('GET', `payment_intents/${id}/payments`)) as unknown as Told[];
  return eventTypesOf(sandbox, id, ...payments.map(idOf));
};

interface Step {
  readonly before: () => Promise<string>;
  readonly run: (id: string) => Promise<unknown>;
  readonly told: readonly string[];
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

/** Every move of an intent, and what is told of it. PATCH with a card tells of the card, too. */
const STEPS: Readonly<Record<IntentMove, Step>> = {
  ask_authentication: {
    before: create, run: (id) => tryCard(id, 'bank'),
    told: ['payment_intent.updated', 'payment.created'],
  },
  ask_authorization: {
    before: create, run: (id) => tryCard(id, 'refused'),
    told: ['payment_intent.updated', 'payment.created', 'payment.refused'],
  },
  approve: {
    before: atBank, run: (id) => decide(id, 'approve'),
    told: ['payment.authorized', 'payment_intent.authorized'],
  },
  refuse: { before: atBank, run: (id) => decide(id, 'refuse'), told: ['payment.refused'] },
  give_up: {
    before: atBank, run: (id) => act('PATCH', `payment_intents/${id}`, { amount: 901 }),
    told: ['payment.updated', 'payment_intent.updated'],
  },
  time_out: {
    before: atBank, run: () => advance('PT6H1M'),
    told: ['payment.updated', 'payment_intent.updated'],
  },
  capture: {
    before: authorized,
    run: async (id) => {
      await Promise.all([capture(id), capture(id)]);
      await capture(id);
    },
    told: ['payment.to_captured'],
  },
  debit: {
    before: () => create({ methods_allowed: 'sepa' }), run: (id) => debit(id, 'Accepted'),
    told: [
      'payment_intent.updated', 'payment.created', 'payment.to_captured', 'payment.succeeded',
    ],
  },
  cancel: {
    before: authorized,
    run: async (id) => {
      await Promise.all([cancel(id), cancel(id)]);
      await cancel(id);
    },
    told: ['payment.updated', 'payment_intent.updated'],
  },
  cut_off: { before: captured, run: () => advance('PT12H'), told: [] },
  clear: { before: captured, run: () => clearToday(sandbox), told: [] },
  return: { before: debited('Refused'), run: () => advance('P6D'), told: ['payment.refused'] },
  expire: {
    before: authorized, run: () => advance('P7DT1M'),
    told: ['payment.updated', 'payment_intent.updated'],
  },
};

test.each(Object.entries(STEPS))('%s is told by its events, and by no others', async (_, step) => {
  const id = await step.before();
  const before = await toldOf(id);
  await step.run(id);
  expect((await toldOf(id)).slice(before.length)).toEqual(step.told);
});

test('an intent without an attempt is cancelled by one event', async () => {
  const id = await create();
  await cancel(id);
  expect(await toldOf(id)).toEqual(['payment_intent.created', 'payment_intent.updated']);
});

/** Which of its payment's moves goes along with an intent's move. */
const TOGETHER: Readonly<Record<IntentMove, PaymentMove | null>> = {
  ask_authentication: null, ask_authorization: null, give_up: 'fail', time_out: 'fail',
  refuse: 'refuse', approve: 'approve', debit: 'debit', capture: 'capture', cut_off: 'cut_off',
  clear: 'clear', return: 'return', expire: 'expire', cancel: 'cancel',
};

test.each(Object.entries(TOGETHER) as [IntentMove, PaymentMove | null][])(
  'payment_intent.updated tells %s only where no other event names it',
  (move, payment) => {
    const named = payment === null ? null : PAYMENT_EVENTS[payment];
    if (INTENT_EVENTS[move] === 'payment_intent.updated') {
      expect([null, 'payment.updated']).toContain(named);
    }
    // Named by what follows in the same call: a new attempt, or a change.
    if (named === 'payment.updated' && move !== 'give_up') {
      expect(INTENT_EVENTS[move]).toBe('payment_intent.updated');
    }
  },
);

test('every move that the tables of states allow has its row', () => {
  const moves = ({ table }: { readonly table: object }) =>
    new Set(Object.values(table).flatMap((row: object) => Object.keys(row)));
  expect([...moves(intentMachine)].sort()).toEqual(Object.keys(INTENT_EVENTS).sort());
  expect([...moves(paymentMachine)].sort()).toEqual(Object.keys(PAYMENT_EVENTS).sort());
});
