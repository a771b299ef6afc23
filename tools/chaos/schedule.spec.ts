import { KILL_POINTS } from './kill-points.js';
import { APPS, fingerprintOf, planSchedule, type KillPlan } from './schedule.js';

const APART = { shape: 'apart', servers: true, phase: 'refunds' } as const;
const ONE = { shape: 'one', servers: false, phase: 'refunds' } as const;

const nameOf = (plan: KillPlan): string => {
  if ('point' in plan) return plan.point;
  return 'victim' in plan ? plan.victim : 'suspended';
};

test('the same seed leads to the same schedule, and another seed to another schedule', () => {
  const schedule = planSchedule(7, 100, APART);
  expect(planSchedule(7, 100, APART)).toEqual(schedule);
  expect(fingerprintOf([planSchedule(7, 100, APART)])).toBe(fingerprintOf([schedule]));
  expect(fingerprintOf([planSchedule(8, 100, APART)])).not.toBe(fingerprintOf([schedule]));
});

test('the phases of a run have different kills, and differ from the phases of the next seed', () => {
  const orders = { ...APART, phase: 'orders' } as const;
  const namesOf = ({ kills }: ReturnType<typeof planSchedule>) => JSON.stringify(kills);
  const refunds = namesOf(planSchedule(7, 100, APART));
  expect(namesOf(planSchedule(7, 100, orders))).not.toBe(refunds);
  expect(namesOf(planSchedule(8, 100, orders))).not.toBe(refunds);
});

test.each([24, 60, 1_000])(
  'a schedule of %d steps kills each app, at each point, before it kills anything twice',
  (steps) => {
    for (const shape of ['one', 'apart'] as const) {
      const { kills } = planSchedule(3, steps, { ...APART, shape });
      const all = [...APPS[shape], ...KILL_POINTS];
      const first = kills.apps.slice(0, all.length).map(nameOf);
      expect(first.toSorted()).toEqual(all.toSorted());
      const servers = ['postgres', 'kafka', 'session'];
      expect(kills.suspensions.length).toBeGreaterThan(0);
      expect(kills.servers.slice(0, 3).map(nameOf).toSorted()).toEqual(servers.toSorted());
    }
  },
);

test('a short schedule kills only some of the apps, each of these once before any of them twice', () => {
  const { kills } = planSchedule(3, 19, ONE);
  const first = kills.apps.slice(0, 5).map(nameOf);
  expect(new Set(first).size).toBe(5);
  expect(new Set(kills.apps.map(nameOf)).size).toBe(5);
});

test('the kills of a schedule are in the order of its steps, none after the last step', () => {
  const { kills, faults } = planSchedule(5, 60, APART);
  for (const plans of [...Object.values(kills), faults]) {
    const steps = plans.map(({ atStep }) => atStep);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(steps.every((step) => step >= 1 && step <= 60)).toBe(true);
  }
});

test('a schedule without servers kills no server', () => {
  expect(planSchedule(5, 60, ONE).kills.servers).toEqual([]);
});
