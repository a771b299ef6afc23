import type { Facts } from '../facts.js';
import type { RepairFacts } from '../repairs.js';
import { REPAIR_CHECKS } from './repairs.js';

const REPAIRS: RepairFacts = { waiting: [], resolved: 2, shown: 0, requestedAgain: 2 };

/** The violations that the check reports about a run with these repairs. */
const reported = (repairs: RepairFacts): readonly string[] => {
  const facts = { repairs, acknowledged: null, accepted: [], troubles: [] } as Partial<Facts>;
  const story = { facts: facts as Facts, orders: [], payments: [] };
  return REPAIR_CHECKS.flatMap(({ verify }) => verify(story).broken.map(({ why }) => why));
};

test('refunds that an operator resolves because the provider has not made them are accepted', () => {
  expect(reported(REPAIRS)).toEqual([]);
});

test('a refund that an operator had to resolve although the provider has made it is reported', () => {
  expect(reported({ ...REPAIRS, shown: 1, requestedAgain: 1 })).toEqual([
    'the provider had made 1 of the refunds that an operator resolved',
  ]);
});
