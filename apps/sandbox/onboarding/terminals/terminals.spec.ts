import { type Harness, startHarness } from '../../testing/harness.js';
import { misfits } from '../testing/answers.js';
import { type CompanyReply, createCompany, fullCompany, SHIPPING } from '../testing/company.js';
import { ask, OTHER, type PartnerReply } from '../testing/partner.js';
import { advance, linkToken, pageCall } from '../testing/registration.js';
import { terminalAnswer, terminalsAnswer } from './terminal-wire.js';
import type { TerminalView } from './terminal-wire.js';

let sandbox: Harness;
let made: CompanyReply;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());

const setStatus = (status: string): Promise<PartnerReply> =>
  ask(sandbox, 'PATCH', `/company-status?company=${made.company.id}`, { status });

beforeEach(async () => {
  made = await createCompany(sandbox);
  await setStatus('validated');
});

const place = (): string => `company=${made.company.id}&account=${made.company.accounts[0]?.id}`;
const order = (name = 'Counter'): Promise<PartnerReply> =>
  ask(sandbox, 'POST', `/payment-terminal?${place()}&name=${encodeURIComponent(name)}`);
const cancel = (id: string): Promise<PartnerReply> =>
  ask(sandbox, 'POST', `/cancel-payment-terminal-order?${place()}&payment-terminal=${id}`);
const list = async (): Promise<readonly TerminalView[]> => {
  const { status, body } = await ask(sandbox, 'GET', `/payment-terminal?${place()}`);
  expect(status).toBe(200);
  expect(misfits(terminalsAnswer, body)).toEqual([]);
  return body;
};
const ordered = async (): Promise<TerminalView> => {
  const { status, body } = await order();
  expect([status, misfits(terminalAnswer, body)]).toEqual([200, []]);
  return body;
};

test('a new order for a payment terminal is pending, and listed for its account', async () => {
  const terminal = await ordered();
  expect(terminal).toEqual({
    id: expect.stringMatching(/^term_/),
    name: 'Counter',
    status: 'pendingOrder',
  });
  expect(await list()).toEqual([terminal]);
});

test('an order for a payment terminal advances with time: in progress, shipped with tracking, delivered, activated', async () => {
  await ordered();
  const seen: unknown[] = [];
  for (let day = 1; day <= 5; day += 1) {
    await advance(sandbox, 'P1D');
    const [terminal] = await list();
    seen.push([terminal?.status, terminal?.['carrier-name'] !== undefined]);
    expect(terminal?.['tracking-url'] !== undefined).toBe(terminal?.['carrier-name'] !== undefined);
  }
  expect(seen).toEqual([
    ['orderInProgress', false],
    ['shipped', true],
    ['delivred', true],
    ['activated', true],
    ['activated', true],
  ]);
});

test('one move of the clock completes all steps of an order for a payment terminal', async () => {
  await Promise.all([ordered(), ordered(), ordered()]);
  await advance(sandbox, 'P30D');
  expect((await list()).map(({ status }) => status)).toEqual(Array(3).fill('activated'));
});

test('a pending order for a payment terminal can be canceled once, and then no longer changes with time', async () => {
  const { id } = await ordered();
  expect(await cancel(id)).toMatchObject({ status: 200, body: { id, status: 'orderCancelled' } });
  expect(await cancel(id)).toMatchObject({ status: 409, body: { type: 'not-allowed' } });
  await advance(sandbox, 'P5D');
  expect((await list())[0]?.status).toBe('orderCancelled');
});

test('an order for a payment terminal cannot be canceled once it is in progress', async () => {
  const { id } = await ordered();
  await advance(sandbox, 'P1D');
  expect((await cancel(id)).status).toBe(409);
});

test('a cancellation of an order for a payment terminal, concurrent with a timed status change, is either executed or rejected', async () => {
  const { id } = await ordered();
  const [answer] = await Promise.all([cancel(id), advance(sandbox, 'P1D')]);
  const status = (await list())[0]?.status;
  expect(status).toBe(answer.status === 200 ? 'orderCancelled' : 'orderInProgress');
});

test.each(['notComplete', 'pendingActivation', 'pendingDeactivation', 'deactivate'])(
  'a company in the status %s cannot order a payment terminal',
  async (status) => {
    await setStatus(status);
    expect(await order()).toMatchObject({ status: 409, body: { type: 'not-allowed' } });
  },
);

test('an available company can order a payment terminal, but not without a shipping address', async () => {
  await setStatus('available');
  expect((await order()).status).toBe(200);
  const path = `/company?id=${made.company.id}`;
  await ask(sandbox, 'PATCH', path, { 'shipping-address': null });
  expect(await order()).toMatchObject({ status: 409, body: { type: 'not-allowed' } });
  const more = { ...SHIPPING, line2: 'Bât. B', 'contact-name': 'Camille', phone: '+33612345678' };
  expect((await ask(sandbox, 'PATCH', path, { 'shipping-address': more })).status).toBe(200);
  expect((await order()).status).toBe(200);
});

test.each(['business-name', 'line1', 'zip-code', 'city', 'country'])(
  'a company whose shipping address has no %s cannot order a payment terminal',
  async (field) => {
    const path = `/company?id=${made.company.id}`;
    await ask(sandbox, 'PATCH', path, { 'shipping-address': { [field]: null } });
    expect(await order()).toMatchObject({
      status: 409,
      body: { type: 'not-allowed', message: expect.stringContaining(field) },
    });
  },
);

test('a missing parameter returns 422; an account or terminal that is unknown or belongs to another partner returns 404', async () => {
  expect(await ask(sandbox, 'POST', `/payment-terminal?${place()}`)).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'name' }] },
  });
  const foreign = `company=${made.company.id}&account=acct_${'a'.repeat(24)}`;
  expect((await ask(sandbox, 'POST', `/payment-terminal?${foreign}&name=x`)).status).toBe(404);
  expect((await ask(sandbox, 'GET', `/payment-terminal?${foreign}`)).status).toBe(404);
  expect((await cancel(`term_${'a'.repeat(24)}`)).status).toBe(404);
  const path = `/payment-terminal?${place()}`;
  expect((await ask(sandbox, 'GET', path, undefined, OTHER)).status).toBe(404);
  const { id } = await ordered();
  made = await createCompany(sandbox, fullCompany());
  expect((await cancel(id)).status).toBe(404);
});

test.each<[string, string, readonly string[], string]>([
  ['lost by the carrier', 'P2D', ['lose'], 'posLostByCarrier'],
  ['to be returned', 'P4D', ['recall'], 'pendingPosReturn'],
  ['returned', 'P4D', ['recall', 'return'], 'posReturned'],
  ['kept by the merchant', 'P4D', ['recall', 'keep'], 'poskeptByMerchant'],
  ['deactivated', 'P4D', ['deactivate'], 'deactivated'],
])(
  'the merchant’s actions in the User Area mark a payment terminal as %s',
  async (_, after, moves, status) => {
    const { id } = await ordered();
    const token = await linkToken(sandbox, made.company.id);
    const move = (name: string) => pageCall(sandbox, `${token}/terminals/${id}`, { move: name });
    expect((await move('lose')).outcome).toBe('refused');
    await advance(sandbox, after);
    for (const name of moves) expect((await move(name)).outcome).toBe('moved');
    expect((await list())[0]?.status).toBe(status);
    await advance(sandbox, 'P5D');
    expect((await list())[0]?.status).toBe(status);
  },
);
