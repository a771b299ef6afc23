import { planRefund } from './refund-plan.js';
import { planOrders, plansOfRun, planWebhooks } from './scenario.js';

test('the plan of a chaos run is the same for the same seed, and differs for different seeds', () => {
  const planned = (seed: number) => {
    const fate = planWebhooks(seed);
    return [planOrders(seed, 20), Array.from({ length: 20 }, fate)];
  };
  expect(planned(7)).toEqual(planned(7));
  expect(planned(7)).not.toEqual(planned(8));
});

test('two hundred planned orders contain every kind of payer, capture and cancellation', () => {
  const plans = planOrders(1, 200);
  expect(new Set(plans.map(({ payer }) => payer)).size).toBe(11);
  expect(new Set(plans.map(({ cancels }) => cancels)).size).toBe(4);
  expect(new Set(plans.map(({ capture }) => capture.policy)).size).toBe(3);
  expect(new Set(plans.map(({ currency }) => currency)).size).toBe(2);
  expect(plans.some(({ sendsTwice }) => sendsTwice)).toBe(true);
  expect(plans.some(({ canceledAtProvider }) => canceledAtProvider)).toBe(true);
});

test('the refunds of sixty planned orders are whole, partial, repeated and queued', () => {
  const orders = planOrders(1, 60);
  const plans = orders.flatMap((order) => planRefund(1, order) ?? []);
  expect(plans).toEqual(orders.flatMap((order) => planRefund(1, order) ?? []));
  expect(plans.length).toBe(orders.filter(({ payer }) => payer !== 'disputes').length);
  const isWhole = ({ parts }: (typeof plans)[number]) => parts[0] === null;
  const isEqual = ({ parts: [first, second] }: (typeof plans)[number]) => first === second;
  expect(plans.some(isWhole)).toBe(true);
  expect(plans.some((plan) => !isWhole(plan) && plan.parts.length === 1)).toBe(true);
  expect(plans.some((plan) => plan.parts.length === 2 && isEqual(plan))).toBe(true);
  expect(plans.some((plan) => plan.parts.length === 2 && plan.parts[1] === null)).toBe(true);
  expect(plans.some(({ isEarly }) => isEarly)).toBe(true);
});

test.each([1, 2, 3])(
  'the plan of each run (seed %d) contains every way in which money moves',
  (seed) => {
    const plans = plansOfRun(seed, 60);
    const kept = plans.filter(
      ({ cancels, canceledAtProvider }) => cancels === 'never' && !canceledAtProvider,
    );
    const payers = kept.map(({ payer, currency }) => `${payer} ${currency}`);
    expect(payers).toEqual(
      expect.arrayContaining(['disputes eur', 'debit_fails eur', 'pays eur', 'pays gbp']),
    );
  },
);
