import { faultsOf, kindOfViolation, shrink } from './shrink.js';
import { scriptOf, type SimulationCase } from './run-seed.js';

/** The first seed with three orders and crashes. */
const SEED = ((): number => {
  for (let seed = 1; ; seed += 1) {
    if (scriptOf({ seed }).length === 3 && faultsOf({ seed }).includes('crash')) return seed;
  }
})();

test('a failing simulation is reduced to the orders and faults without which it does not fail', async () => {
  const needs = (one: SimulationCase): Promise<boolean> => {
    const orders = scriptOf(one).map(({ ordinal }) => ordinal);
    return Promise.resolve(orders.includes(2) && faultsOf(one).includes('crash'));
  };
  const shrunk = await shrink({ seed: SEED }, needs);
  expect(scriptOf(shrunk).map(({ ordinal }) => ordinal)).toEqual([2]);
  expect(faultsOf(shrunk)).toEqual(['crash']);
});

test('another schedule is tried if a smaller simulation does not fail with the same schedule', async () => {
  const needs = ({ schedule = SEED }: SimulationCase): Promise<boolean> =>
    Promise.resolve(schedule === 7);
  const shrunk = await shrink({ seed: SEED }, needs);
  expect(shrunk.schedule).toBe(7);
  expect(scriptOf(shrunk)).toHaveLength(1);
  expect(faultsOf(shrunk)).toEqual([]);
});

test('two violations that differ only in ids and amounts are of the same kind', () => {
  const kinds = ['pay_a1 has 5 too much', 'pay_b2 has 70 too much'].map(kindOfViolation);
  expect(new Set(kinds).size).toBe(1);
  expect(kindOfViolation('an order has 5 too much')).not.toBe(kinds[0]);
});
