import { type Answer, type Harness, LIVE_KEY, startHarness } from '../../testing/harness.js';
import { TEST_IBANS } from '../banks/test-values.js';

let sandbox: Harness;

beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());

const post = async (path: string, body: object, key?: string): Promise<Answer['body']> => {
  const answer = await sandbox.call('POST', path, body, key);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body;
};

const newSepa = async (iban: string, key?: string): Promise<string> =>
  String((await post('/v2/sepa', { name: 'Camille Martin', iban }, key))['id']);

const withMandate = async (iban: string, key?: string): Promise<string> => {
  const sepa = await newSepa(iban, key);
  await post('/v2/mandates', { sepa, signed_at: 1_750_000_000 }, key);
  return sepa;
};

const newIntent = async (more: object = {}, key?: string): Promise<string> =>
  String((await post('/v2/payment_intents', { amount: 4_250, ...more }, key))['id']);

/** Debits a bank account with a signed mandate, without the payer. */
const debit = (intent: string, sepa: string, key?: string): Promise<Answer> =>
  sandbox.call('PATCH', `/v2/payment_intents/${intent}`, { sepa }, key);

const readStatuses = async (intent: string, key?: string) => {
  const { body } = await sandbox.call('GET', `/v2/payment_intents/${intent}`, undefined, key);
  const path = `/v2/payments/${String(body['payment'])}`;
  const payment = (await sandbox.call('GET', path, undefined, key)).body;
  return { status: body['status'], payment: payment['status'], response: payment['response'] };
};

const moveTo = async (instant: string): Promise<void> => {
  const clock = (await (await fetch(`${sandbox.url}/sandbox/clock`)).json()) as { now: string };
  const ms = Date.parse(instant) - Date.parse(clock.now);
  const { status } = await sandbox.call('POST', '/sandbox/clock', {
    advance: `PT${Math.ceil(ms / 1_000)}S`,
  });
  expect(status).toBe(200);
};

const ibanOf = (result: string, response: string): string =>
  TEST_IBANS.find((iban) => iban.result === result && iban.response === response)?.value ?? '';

const weekdayOf = (date: Date): number => date.getUTCDay();

/** Noon of the next `weekday` after today on the sandbox's clock; 0 is Sunday. */
const nextNoon = async (weekday: number): Promise<Date> => {
  const { now } = (await (await fetch(`${sandbox.url}/sandbox/clock`)).json()) as { now: string };
  const day = new Date(`${now.slice(0, 10)}T12:00:00Z`);
  do day.setUTCDate(day.getUTCDate() + 1);
  while (weekdayOf(day) !== weekday);
  return day;
};

const later = (from: Date, days: number, time: string): string => {
  const day = new Date(from);
  day.setUTCDate(day.getUTCDate() + days);
  return `${day.toISOString().slice(0, 10)}T${time}Z`;
};

describe('a direct debit', () => {
  test('is sent at the cut-off and captured two bank days later at 06:00', async () => {
    const monday = await nextNoon(1);
    await moveTo(monday.toISOString());
    const intent = await newIntent({ capture: false });
    const begun = await debit(intent, await withMandate(ibanOf('Accepted', '00')));
    expect(begun).toMatchObject({ status: 200, body: { status: 'processing' } });
    expect(await readStatuses(intent)).toEqual({
      status: 'processing',
      payment: 'to_capture',
      response: '00',
    });
    await moveTo(later(monday, 0, '22:00:01'));
    expect(await readStatuses(intent)).toMatchObject({
      status: 'processing',
      payment: 'capture_sent',
    });
    await moveTo(later(monday, 2, '05:59:30'));
    expect(await readStatuses(intent)).toMatchObject({
      status: 'processing',
      payment: 'capture_sent',
    });
    await moveTo(later(monday, 2, '06:00:01'));
    expect(await readStatuses(intent)).toEqual({
      status: 'captured',
      payment: 'captured',
      response: '00',
    });
  });

  test('is captured two bank days later, not counting the weekend', async () => {
    const friday = await nextNoon(5);
    await moveTo(friday.toISOString());
    const intent = await newIntent();
    await debit(intent, await withMandate(ibanOf('Accepted', '00')));
    await moveTo(later(friday, 4, '05:59:30'));
    expect(await readStatuses(intent)).toMatchObject({ status: 'processing' });
    await moveTo(later(friday, 4, '06:00:01'));
    expect(await readStatuses(intent)).toMatchObject({ status: 'captured' });
  });

  test('of a test account that refuses debits is returned with the reason code of that test account', async () => {
    const refused = TEST_IBANS.filter(({ result }) => result === 'Refused');
    const monday = await nextNoon(1);
    await moveTo(monday.toISOString());
    const intents = await Promise.all(
      refused.map(async ({ value, response }) => {
        const intent = await newIntent();
        await debit(intent, await withMandate(value));
        return { intent, response };
      }),
    );
    await moveTo(later(monday, 2, '05:59:30'));
    for (const { intent } of intents) {
      expect(await readStatuses(intent)).toMatchObject({ status: 'processing', response: '00' });
    }
    await moveTo(later(monday, 2, '06:00:01'));
    for (const { intent, response } of intents) {
      expect(await readStatuses(intent)).toEqual({
        status: 'unpaid',
        payment: 'refused',
        response,
      });
    }
  });

  test('can be canceled until the cut-off but not after it', async () => {
    const monday = await nextNoon(1);
    await moveTo(monday.toISOString());
    const sepa = await withMandate(ibanOf('Accepted', '00'));
    const [early, late] = [await newIntent(), await newIntent()];
    await debit(early, sepa);
    await debit(late, sepa);
    expect((await sandbox.call('DELETE', `/v2/payment_intents/${early}`)).status).toBe(200);
    expect(await readStatuses(early)).toMatchObject({ status: 'canceled', payment: 'canceled' });
    await moveTo(later(monday, 0, '22:00:01'));
    expect((await sandbox.call('DELETE', `/v2/payment_intents/${late}`)).status).toBe(409);
  });
});

describe('a mandate', () => {
  test('can be debited repeatedly without the payer once it is signed', async () => {
    const sepa = await withMandate(ibanOf('Accepted', '00'));
    for (const amount of [100, 200]) {
      const intent = await newIntent({ amount });
      expect(await debit(intent, sepa)).toMatchObject({
        status: 200,
        body: { status: 'processing', sepa },
      });
    }
  });

  test('cannot be debited while it is unsigned or after its deletion', async () => {
    const sepa = await newSepa(ibanOf('Accepted', '00'));
    const intent = await newIntent();
    const none = await debit(intent, sepa);
    expect(none).toMatchObject({
      status: 409,
      body: { error: `SEPA account \`${sepa}\` has no signed mandate` },
    });
    const mandate = await post('/v2/mandates', { sepa, rum: 'NOT-SIGNED-YET' });
    expect((await debit(intent, sepa)).status).toBe(409);
    const path = `/v2/mandates/${String(mandate['id'])}`;
    await sandbox.call('PATCH', path, { signed_at: 1_750_000_000 });
    await sandbox.call('DELETE', path);
    expect((await debit(intent, sepa)).status).toBe(409);
    expect(await readStatuses(intent)).toMatchObject({ status: 'require_payment_method' });
  });

  test('cannot be debited for a payment that does not allow direct debits', async () => {
    const sepa = await withMandate(ibanOf('Accepted', '00'));
    expect((await debit(await newIntent({ methods_allowed: 'card' }), sepa)).status).toBe(409);
    expect((await debit(await newIntent({ currency: 'usd' }), sepa)).status).toBe(409);
  });

  test('is debited once when two attempts to pay the same intent are concurrent', async () => {
    const sepa = await withMandate(ibanOf('Accepted', '00'));
    const intent = await newIntent();
    const answers = await Promise.all([debit(intent, sepa), debit(intent, sepa)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { body } = await sandbox.call('GET', `/v2/payment_intents/${intent}/payments`);
    expect(body).toHaveLength(1);
  });
});

describe('a debit is refused immediately for', () => {
  test.each([
    ['a test IBAN under a live key', 'FR7600000000000000000000194', LIVE_KEY, '14'],
    ['any other IBAN under a live key', 'GB33BUKB20201555555555', LIVE_KEY, '92'],
    ['any other IBAN under a test key', 'GB33BUKB20201555555555', undefined, '14'],
  ])('%s', async (_what, iban, key, response) => {
    const intent = await newIntent({}, key);
    await debit(intent, await withMandate(iban, key), key);
    expect(await readStatuses(intent, key)).toEqual({
      status: 'require_payment_method',
      payment: 'refused',
      response,
    });
  });
});
