import { DAY_MS, HOUR_MS } from '#kernel';
import type { Random } from '../../tools/chaos/random.js';
import { drawScript, type OrderPlan } from './script.js';

const HOURS_TO_CAPTURE = 24;

/**
 * The order's plan, changed so that payer, platform and merchant do not race. The order then has
 * one correct final state, which must be reached with any faults and with any schedule.
 */
const decided = (plan: OrderPlan, random: Random): OrderPlan => {
  const { capture, scenario } = plan;
  const delayMs = random.int(1, 2 * HOURS_TO_CAPTURE) * HOUR_MS;
  const isUndisturbed = scenario.returned === null && scenario.disputed === null;
  return {
    ...plan,
    lifetimeMs: 20 * DAY_MS,
    cancels: null,
    merchant: 'nothing',
    capture: capture.policy === 'delayed' ? { policy: 'delayed', delayMs } : capture,
    capturesAfterMs: random.int(1, HOURS_TO_CAPTURE) * HOUR_MS,
    refunds: isUndisturbed ? plan.refunds : [],
  };
};

export const drawDecidedScript = (random: Random): readonly OrderPlan[] =>
  drawScript(random).map((plan) => decided(plan, random));
