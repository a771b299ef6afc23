import { EMPTY_STEP, type Step } from '#log';
import type { ProviderRequest } from '#psp-hosted';
import { randomFrom } from '../../tools/chaos/random.js';
import { drawDecidedScript } from './decided-script.js';
import { drawRates, NO_FAULTS } from './faults.js';
import { endOf, whatIsAmiss } from './outcome.js';
import type { JobRow } from './ports/database.js';
import type { ProviderAnswer } from './provider/api.js';
import type { Lie } from './provider/lies.js';
import { runSeed } from './run-seed.js';
import { Simulation } from './simulation.js';

/*
 * The simulation was tested with bugs that were planted in the code. Each of these bugs made one of
 * the first 2,000 seeds fail: a lost intent is created again without a read and with a different
 * unique_id; an outdated read resets a payment; an order ends before its cancellation has ended; a
 * request with an unknown result is dropped when the read of the result fails; a poller schedules
 * no next poll. Two bugs were not found, because they do no harm at this provider: the omission of
 * the read before a capture, because the provider ignores a second capture; and a checkout deadline
 * that is not removed after it has run, because its second run has no effect.
 */

const hashOf = async (seed: number): Promise<string> => (await runSeed(seed)).traceHash;

test.each([1, 7, 42])('two runs of seed %d are identical', async (seed) => {
  const first = await hashOf(seed);
  expect(await hashOf(seed)).toBe(first);
  const traced = await runSeed(seed, true);
  expect(traced.traceHash).toBe(first);
  expect(traced.trace.length).toBeGreaterThan(50);
});

test('two different seeds lead to different runs', async () => {
  const hashes = await Promise.all([1, 2, 3, 4].map(hashOf));
  expect(new Set(hashes).size).toBe(4);
});

const endsOf = async (script: number, schedule: number, isFaulty: boolean) => {
  const simulation = new Simulation({
    seed: schedule,
    script: drawDecidedScript(randomFrom(script, 'script')),
    rates: isFaulty
      ? { ...drawRates(randomFrom(schedule, 'faults')), jump: 0, clock: 0 }
      : NO_FAULTS,
    keepsRequests: true,
  });
  expect(await simulation.run()).toEqual([]);
  return endOf(simulation.orderIds, simulation.database, simulation.provider);
};

test('a script without races leads to the same final state with every schedule and any faults', async () => {
  for (let script = 1; script <= 15; script += 1) {
    const quiet = await endsOf(script, script, false);
    for (const schedule of [script + 1_000, script + 2_000]) {
      expect({ script, schedule, ends: await endsOf(script, schedule, true) }).toEqual({
        script,
        schedule,
        ends: quiet,
      });
    }
  }
});

/**
 * Runs a simulation without faults, in which the provider's responses about the first order are
 * false.
 */
const lied = async (lie: Lie): Promise<Simulation> => {
  const script = drawDecidedScript(randomFrom(5, 'script')).map((plan) =>
    plan.ordinal === 1 ? { ...plan, lie } : plan,
  );
  const simulation = new Simulation({ seed: 1, script, rates: NO_FAULTS });
  expect(await simulation.run()).toEqual([]);
  return simulation;
};

const mismatchesIn = ({ database }: Simulation): readonly string[] =>
  database.events
    .filter(({ type }) => type === 'PaymentMismatchObserved')
    .map(({ data }) => (data as { readonly aspect: string }).aspect);

test.each([
  ['another_amount', ['amount']],
  ['another_currency', ['currency']],
  ['another_reference', ['intent']],
  ['forgotten', ['intent']],
] as const)(
  'false responses (%s) are recorded as a mismatch of one order, and every other order ends as usual',
  async (kind, aspects) => {
    const world = await lied({ kind, afterMs: 0, responses: Infinity });
    expect([...new Set(mismatchesIn(world))]).toEqual(aspects);
  },
);

describe('a simulation reports a violation when it contains', () => {
  const ended = async (): Promise<Simulation> => {
    const simulation = new Simulation({
      seed: 1,
      script: drawDecidedScript(randomFrom(5, 'script')),
      rates: NO_FAULTS,
    });
    expect(await simulation.run()).toEqual([]);
    return simulation;
  };
  const amissIn = ({ orderIds, database, provider }: Simulation): string =>
    whatIsAmiss(orderIds, database, provider).join('\n');

  test('an intent without a payment', async () => {
    const world = await ended();
    world.provider.create({
      accountId: 'acc_1',
      amount: 5,
      currency: 'eur',
      orderId: 'pay_x',
      uniqueId: 'pay_x',
    });
    expect(amissIn(world)).toContain('a stray intent');
  });

  test('a payment whose status differs from the provider’s', async () => {
    const world = await ended();
    const [intent] = world.provider.intents;
    if (intent) intent.status = 'authorized';
    expect(amissIn(world)).toContain('the intent at the provider corresponds to authorized');
  });

  test('an open saga, an unresolved provider request, or a reaction that waits for a retry', async () => {
    const world = await ended();
    const [call] = world.database.calls();
    if (call) call.state = 'stuck';
    const { sagas } = world.database;
    const waiting = { stimuli: [], attempts: 1, error: 'it broke' };
    for (const [key, saga] of sagas) sagas.set(key, { ...saga, done: false, waiting });
    expect(amissIn(world)).toContain('a provider request is still stuck');
    expect(amissIn(world)).toContain('is waiting: it broke');
    expect(amissIn(world)).toContain('is still open');
  });

  test('a second live intent for one order', async () => {
    const world = await ended();
    const [first] = world.provider.intents;
    const again = world.provider.create({
      accountId: 'acc_1',
      amount: 5,
      currency: 'eur',
      orderId: first?.orderId ?? null,
      uniqueId: 'other',
    });
    if (first) first.status = 'captured';
    again.status = 'authorized';
    world.safety.onProvider();
    expect(world.safety.violations.join()).toContain('two live intents');
  });

  test('a refund request that was executed twice, even if an earlier refund was never made', async () => {
    const world = await ended();
    const { id = '' } = world.provider.intents.find(({ orderId }) => orderId !== null) ?? {};
    const asked = { type: 'RefundRequested' };
    const state = () => ({ status: 'none' });
    Object.assign(world.database, { stream: () => Array(9).fill(asked), state });
    const request = { method: 'POST', pathTemplate: '/v2/payment_intents/{id}/refund', id };
    const made = (): void =>
      world.safety.onProvider(request as ProviderRequest, { status: 200 } as ProviderAnswer);
    made();
    expect(world.safety.violations).toEqual([]);
    made();
    expect(world.safety.violations.join()).toContain('made twice');
  });

  test('a refund that is sent again although the result of its first request is unknown', async () => {
    const world = await ended();
    const { id = '' } = world.provider.intents.find(({ orderId }) => orderId !== null) ?? {};
    Object.assign(world.database, { stream: () => [{ type: 'RefundRequested' }] });
    const pathTemplate = '/v2/payment_intents/{id}/refund';
    const request = { method: 'POST', pathTemplate, id } as ProviderRequest;
    world.safety.onSent(request);
    world.safety.onResult(request);
    world.safety.onSent(request);
    expect(world.safety.violations).toEqual([]);
    world.safety.onSent(request);
    expect(world.safety.violations.join()).toContain('although its result is unknown');
  });

  test('an action of an operator on a refund that the provider shows, or whose result was not lost', async () => {
    const world = await ended();
    const { database, safety, operators } = world;
    const { id = '' } = world.provider.intents.find(({ orderId }) => orderId !== null) ?? {};
    const pathTemplate = '/v2/payment_intents/{id}/refund';
    const request = { method: 'POST', pathTemplate, id } as ProviderRequest;
    Object.assign(database, { stream: () => [{ type: 'RefundRequested', event_id: 'e' }] });
    const paymentIs = (payment: object) => Object.assign(database, { state: () => payment });
    const captured = { status: 'captured', intentId: id };
    paymentIs(captured);
    const stuckJob = { kind: 'refund', key: 'e', note: 'it is not shown', hasLapsed: false };
    const actOn = (facts: Partial<JobRow> = {}): readonly string[] => {
      operators.actedOnRequest({ ...stuckJob, ...facts } as JobRow, 'ord_1');
      return safety.violations.splice(0);
    };
    const prefix = 'an operator had to act on a refund';
    expect(actOn()).toEqual([`${prefix} whose result was not lost`]);
    expect(actOn({ hasLapsed: true })).toEqual([]);
    safety.onSent(request);
    expect(actOn()).toEqual([]);
    paymentIs({ status: 'none' });
    safety.onProvider(request, { status: 200 } as ProviderAnswer);
    paymentIs(captured);
    expect(actOn()).toEqual([`${prefix} that the provider shows`]);
    expect(actOn({ note: 'GET /v2/payment_intents/{id}: timeout' })).toEqual([]);
  });

  test('more actions of operators on one refund than faults can cause', async () => {
    const { operators, safety } = await ended();
    const act = (): void =>
      operators.actedOnRequest({ kind: 'refund', key: 'e', note: '' } as JobRow, 'ord_1');
    for (let actions = 1; actions <= 12; actions += 1) act();
    expect(safety.violations).toEqual([]);
    act();
    expect(safety.violations.join()).toContain('operators acted more than 12 times (refund)');
  });

  test('a saga’s reaction that was committed twice for one event', async () => {
    const world = await ended();
    const recorded = world.database.events.find(({ metadata }) =>
      metadata.actor.startsWith('saga:'),
    );
    const step: Step = {
      ...EMPTY_STEP,
      appends: [
        {
          streamType: 'order',
          streamId: 'x',
          expectedVersion: 0,
          events: [
            {
              ordinal: 1,
              eventId: 'e',
              type: recorded?.type ?? '',
              schemaVersion: 1,
              data: {},
              metadata: recorded?.metadata ?? {
                correlationId: '',
                causationId: '',
                actor: '',
                traceparent: null,
              },
            },
          ],
        },
      ],
    };
    world.safety.onCommit(step);
    expect(world.safety.violations.join()).toContain('committed twice');
  });
});
