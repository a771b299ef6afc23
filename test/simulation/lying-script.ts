import { HOUR_MS, MINUTE_MS } from '#kernel';
import type { Random } from '../../tools/chaos/random.js';
import { LIE_KINDS, type Lie } from './provider/lies.js';
import type { OrderPlan } from './script.js';

/** The probability that a simulation contains false responses of the provider. */
const LYING = 0.5;

const drawLie = (random: Random, { refunds }: OrderPlan): Lie => {
  const drawn = random.pick(LIE_KINDS);
  // The response to a refund can be false only if there is a refund.
  const kind = drawn === 'another_refund' && refunds.length === 0 ? 'another_amount' : drawn;
  const afterMs = random.pick([0, 0, random.int(1, 60) * MINUTE_MS, random.int(1, 60) * HOUR_MS]);
  switch (kind) {
    // A response with another id cannot be recorded, so the worker repeats the read every minute.
    // The number of false responses is limited, because these reads would otherwise never end.
    case 'another_id':
    case 'another_refund':
      return { kind, afterMs, responses: random.int(1, 3) };
    case 'another_reference':
    case 'another_amount':
    case 'another_currency':
      return { kind, afterMs, responses: random.pick([1, 3, Infinity]) };
    case 'forgotten':
      return { kind, afterMs, responses: Infinity };
  }
};

/** Plans false responses of the provider about one order, in some of the simulations. */
export const withLie = (script: readonly OrderPlan[], random: Random): readonly OrderPlan[] => {
  if (!random.chance(LYING)) return script;
  const about = random.int(1, script.length);
  return script.map((plan) =>
    plan.ordinal === about ? { ...plan, lie: drawLie(random, plan) } : plan,
  );
};
