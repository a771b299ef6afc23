import type { Facts } from '../facts.js';
import { ACKNOWLEDGED_CHECKS } from './acknowledged.js';
import { type Check, storyOf, type Verdict } from './check.js';
import { COMMIT_CHECKS } from './commits.js';
import { EFFECT_CHECKS } from './effects.js';
import { ENDING_CHECKS } from './endings.js';
import { FALSIFIED_CHECKS } from './falsified-webhooks.js';
import { FULFILMENT_CHECKS } from './fulfilment.js';
import { KILL_CHECKS } from './kills.js';
import { LEDGER_CHECKS } from './ledger.js';
import { MONEY_CHECKS } from './money.js';
import { OBSERVATION_CHECKS } from './observations.js';
import { PLATFORM_WEBHOOK_CHECKS } from './platform-webhooks.js';
import { PROMISE_CHECKS } from './promises.js';
import { PROVIDER_WEBHOOK_CHECKS } from './provider-webhooks.js';
import { PUBLISHING_CHECKS } from './publishing.js';
import { REPAIR_CHECKS } from './repairs.js';
import { VARIETY_CHECKS } from './variety.js';

const CHECKS: readonly Check[] = [
  ...PROMISE_CHECKS,
  ...ACKNOWLEDGED_CHECKS,
  ...MONEY_CHECKS,
  ...EFFECT_CHECKS,
  ...COMMIT_CHECKS,
  ...KILL_CHECKS,
  ...PUBLISHING_CHECKS,
  ...FULFILMENT_CHECKS,
  ...PLATFORM_WEBHOOK_CHECKS,
  ...LEDGER_CHECKS,
  ...VARIETY_CHECKS,
  ...ENDING_CHECKS,
  ...OBSERVATION_CHECKS,
  ...REPAIR_CHECKS,
  ...PROVIDER_WEBHOOK_CHECKS,
  ...FALSIFIED_CHECKS,
].toSorted((a, b) => a.invariant - b.invariant);

export interface CheckedResult extends Verdict {
  readonly invariant: number;
  readonly name: string;
}

const runOn = (facts: Facts): ((check: Check) => CheckedResult) => {
  const story = storyOf(facts);
  return ({ invariant, name, verify }) => ({ invariant, name, ...verify(story) });
};

/** Runs every check on the same facts, in the order of the invariants. */
export const checkAll = (facts: Facts): readonly CheckedResult[] => CHECKS.map(runOn(facts));

/** Runs the first check whose name begins so. */
export const checkNamed = (facts: Facts, begins: string): CheckedResult | undefined =>
  CHECKS.filter(({ name }) => name.startsWith(begins))
    .slice(0, 1)
    .map(runOn(facts))[0];
