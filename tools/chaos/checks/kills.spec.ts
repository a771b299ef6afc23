import { targetOf } from '../deeds.js';
import type { Facts, TroubleFacts } from '../facts.js';
import { planSchedule, REFUND } from '../schedule.js';
import type { Story } from './check.js';
import { KILL_CHECKS } from './kills.js';

const schedule = planSchedule(1, 24, { shape: 'apart', servers: true, phase: 'refunds' });

/** A phase of a run in which all planned kills and faults happened. */
const PHASE: TroubleFacts = {
  schedule,
  kills: Object.values(schedule.kills)
    .flat()
    .map((plan) => ({ plan, isDone: true })),
  faults: schedule.faults.map((plan) => ({ plan, hits: plan.count })),
};

/** The violations that the checks of kills and faults report about a long run with these phases. */
const reported = (...troubles: readonly TroubleFacts[]): readonly string[] => {
  const facts: Partial<Facts> = {
    troubles,
    accepted: Array.from({ length: 60 }, (_, index) => ({
      key: String(index),
      reference: String(index),
      orderIds: [],
      canceledAtProvider: false,
      refusedCaptures: [],
    })),
    commits: {
      counts: [],
      unchecked: [],
      queued: 0,
      overlaps: [],
      rows: { claims: 1, named: 1, moves: 1, unfenced: [] },
    },
    refundsRequested: [],
  };
  const story: Story = { facts: facts as Facts, orders: [], payments: [] };
  return KILL_CHECKS.flatMap(({ verify }) => verify(story).broken.map(({ why }) => why));
};

/** The phase `PHASE`, but these targets were neither killed nor suspended. */
const without = (...targets: readonly string[]): TroubleFacts => ({
  ...PHASE,
  kills: PHASE.kills.map((deed) =>
    targets.includes(targetOf(deed.plan)) ? { ...deed, isDone: false } : deed,
  ),
});

test('a run in which everything planned has happened is accepted', () => {
  expect(reported(PHASE, PHASE)).toEqual([]);
});

test('a run is accepted if a single kill point was missed in only one of its two phases', () => {
  expect(reported(PHASE, without('before request'))).toEqual([]);
});

test('a kill point that was missed in both phases is reported', () => {
  const phase = without('before request');
  expect(reported(phase, phase)).toContain('no app was killed before request');
});

test('two kill points that were missed in the same phase are reported', () => {
  expect(reported(PHASE, without('before request', 'after response'))).toContain(
    'in one phase, no app was killed before request, after response',
  );
});

test.each(['suspended', 'postgres', 'kafka', 'session'])(
  'a target that a phase should have killed or suspended, but did not, is reported: %s',
  (target) => {
    expect(reported(PHASE, without(target))).toContain(
      `in one phase, this was planned but not done: ${target}`,
    );
  },
);

test('a service that only one of two phases has interrupted is accepted', () => {
  expect(reported(PHASE, without('fulfilment'))).toEqual([]);
});

test('a service that no phase has interrupted is reported', () => {
  const phase = without('fulfilment');
  expect(reported(phase, phase)).toEqual(['no kill interrupted the service fulfilment']);
});

test('a phase in which few faults hit a request is reported', () => {
  const faults = PHASE.faults.map((deed, index) => (index < 3 ? deed : { ...deed, hits: 0 }));
  expect(reported(PHASE, { ...PHASE, faults })).toContainEqual(
    expect.stringMatching(/^only \d+ of \d+ faults hit a request$/),
  );
});

test('a run in which no refund lost its response is reported', () => {
  const faults = PHASE.faults.map((deed) =>
    deed.plan.route === REFUND ? { ...deed, hits: 0 } : deed,
  );
  const phase = { ...PHASE, faults };
  expect(reported(phase, phase)).toContain('no refund lost its response');
});
