import type { Facts } from '../facts.js';
import { type Check, storyOf, type Verdict } from './check.js';
import { EFFECT_CHECKS } from './effects.js';
import { ENDING_CHECKS } from './endings.js';
import { FULFILMENT_CHECKS } from './fulfilment.js';
import { MONEY_CHECKS } from './money.js';
import { PROMISE_CHECKS } from './promises.js';
import { TELLING_CHECKS } from './telling.js';

const CHECKS: readonly Check[] = [
  ...PROMISE_CHECKS,
  ...MONEY_CHECKS,
  ...EFFECT_CHECKS,
  ...TELLING_CHECKS,
  ...FULFILMENT_CHECKS,
  ...ENDING_CHECKS,
].toSorted((a, b) => a.invariant - b.invariant);

export interface CheckedResult extends Verdict {
  readonly invariant: number;
  readonly name: string;
}

/** Every check on the same facts, by the number of what must hold. */
export const checkAll = (facts: Facts): readonly CheckedResult[] => {
  const story = storyOf(facts);
  return CHECKS.map(({ invariant, name, look }) => ({ invariant, name, ...look(story) }));
};
