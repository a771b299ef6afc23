import type { JobRunner } from '#jobs';
import type { TinyProvider } from '../tiny-provider.fixture.js';
import type { WorkerBench } from '../worker.fixture.js';
import { EffectsBench } from './calls.fixture.js';

const MANDATE = 'sepa_abcdefghijklmnopqrstuvwx';

let effects: EffectsBench;
let bench: WorkerBench;
let provider: TinyProvider;
let runner: JobRunner;

beforeAll(async () => {
  effects = await EffectsBench.open();
  ({ bench, provider } = effects);
  runner = effects.newRunner();
});
beforeEach(() => effects.reset());
afterAll(() => effects.close());

/** Creates a payment by mandate with an intent, so that the payment's next call is the debit. */
const wanted = async (): Promise<string> => {
  const id = await bench.requestIntent(MANDATE);
  for (const job of await runner.claim(1)) await runner.run(job);
  expect((await bench.story(id)).slice(1)).toEqual(['IntentCreated', 'DebitRequested']);
  provider.asked.length = 0;
  return id;
};

const runAll = () => effects.runAll(runner);

const retryLater = async (): Promise<void> => {
  bench.clock.advance(60_000);
  await runAll();
};

test('the worker debits a mandate once, after a read of the intent', async () => {
  const id = await wanted();
  await runAll();
  expect(provider.asked).toEqual(['get', 'debit', 'attempts']);
  expect(await bench.payment(id)).toMatchObject({ status: 'processing', unknown: [] });
  const [accepted] = await bench.rows<{ data: object }>(
    `SELECT data FROM events WHERE stream_id = $1 AND type = 'DirectDebitAccepted'`,
    id,
  );
  expect(accepted?.data).toMatchObject({ mandateId: MANDATE });
});

test.each(['reset', 'html'] as const)(
  'a debit whose response was lost (%s) is found by a read, and not sent again',
  async (fault) => {
    const id = await wanted();
    provider.failNext('debit', fault);
    await runAll();
    expect(await bench.payment(id)).toMatchObject({ status: 'open', unknown: ['debit_mandate'] });
    await retryLater();
    expect(provider.count('debit')).toBe(1);
    expect(await bench.payment(id)).toMatchObject({ status: 'processing', unknown: [] });
  },
);

test('a debit is sent although the provider did not find the new intent at first', async () => {
  const id = await wanted();
  provider.failNext('get', '404');
  await runAll();
  expect(provider.count('debit')).toBe(0);
  expect((await effects.jobs(id)).at(-1)).toMatchObject({ state: 'waiting', tries: 1 });
  await retryLater();
  expect(provider.count('debit')).toBe(1);
  expect(await bench.payment(id)).toMatchObject({ status: 'processing', unknown: [] });
});

test('a debit that was made is recorded although its attempts are not found at first', async () => {
  const id = await wanted();
  provider.failNext('attempts', '404');
  await runAll();
  await retryLater();
  expect(provider.count('debit')).toBe(1);
  expect(await bench.payment(id)).toMatchObject({ status: 'processing', unknown: [] });
  expect((await effects.jobs(id)).at(-1)).toMatchObject({ state: 'done' });
});

test('a debit whose intent stays missing needs an operator after some minutes', async () => {
  const id = await wanted();
  provider.intents.clear();
  await runAll();
  for (let run = 0; run < 10; run += 1) await retryLater();
  expect((await effects.jobs(id)).at(-1)).toMatchObject({ state: 'stuck', tries: 8 });
  expect(provider.count('debit')).toBe(0);
});

test('a debit whose request was lost is sent again after a read has shown that no debit was made', async () => {
  const id = await wanted();
  provider.failNext('debit', 'reset_before');
  await runAll();
  await retryLater();
  expect(provider.asked.filter((verb) => verb !== 'attempts')).toEqual([
    'get',
    'debit',
    'get',
    'debit',
  ]);
  expect(await bench.payment(id)).toMatchObject({ status: 'processing' });
});

test.each(['409', 'refuse422'] as const)(
  'the worker records a refused debit (%s)',
  async (fault) => {
    const id = await wanted();
    provider.failNext('debit', fault);
    await runAll();
    expect(await bench.payment(id)).toMatchObject({ status: 'open', debit: 'rejected' });
    expect((await bench.story(id)).at(-1)).toBe('DebitRejected');
  },
);

test('when the provider refuses a second debit call (409), the worker records the debit that the first call has made', async () => {
  const id = await wanted();
  const intentId = provider.intentOf(id)?.id ?? '';
  provider.before = (verb) => {
    if (verb === 'debit') provider.debit(intentId, MANDATE);
  };
  await runAll();
  expect(await bench.payment(id)).toMatchObject({ status: 'processing' });
});

test('a payment that is being canceled is not debited', async () => {
  const id = await wanted();
  await bench.command(id, {
    type: 'RequestCancel',
    reason: 'cancellation',
    at: bench.clock.now(),
  });
  await runAll();
  expect(provider.count('debit')).toBe(0);
  expect(await bench.payment(id)).toMatchObject({ status: 'canceled' });
});
