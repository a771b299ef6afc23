import fc from 'fast-check';
import { fold } from '#kernel';
import type { ObservedPayout, PayoutCommand } from './payout-command.js';
import { payoutDecider } from './payout-decider.js';
import type { PayoutEvent } from './payout-event.js';
import { account, at, lines, look } from './payout.fixture.js';

/**
 * One door for what the provider shows of a payout: each look is as old as its reading, and any of
 * them may come late, twice or never. Whatever the order, the last look decides the state.
 */
const stories: Readonly<Record<string, readonly ObservedPayout[]>> = {
  'one that is paid': ['pending', 'to_pay', 'sent', 'paid'].map((status) => look(status)),
  'one that fails before it is sent': ['pending', 'to_pay', 'failed'].map((status) => look(status)),
  'one that comes back': ['pending', 'to_pay', 'sent', 'failed'].map((status) => look(status)),
};

const observe = (observation: ObservedPayout): PayoutCommand => ({
  type: 'ObservePayout',
  account,
  observation,
  at,
});

const perform = (commands: readonly PayoutCommand[]) => {
  const history = commands.reduce<readonly PayoutEvent[]>(
    (events, command) => [...events, ...payoutDecider.decide(fold(payoutDecider, events), command)],
    [],
  );
  return { history, state: fold(payoutDecider, history) };
};

describe.each(Object.entries(stories))('%s', (_name, story) => {
  const last = story.at(-1) as ObservedPayout;

  test('any order and repetition of earlier looks ends in the one state, without a contradiction', () => {
    const expected = perform(story.map(observe)).state;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...story), { maxLength: 8 }), (earlier) => {
        const { state, history } = perform([...earlier, last].map(observe));
        expect(state).toEqual(expected);
        expect(history.some(({ type }) => type === 'PayoutMismatchObserved')).toBe(false);
      }),
    );
  });

  test('looks after the last one change nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...story), { maxLength: 8 }), (late) => {
        const before = perform([observe(last)]).history;
        expect(perform([last, ...late].map(observe)).history).toEqual(before);
      }),
    );
  });

  test('lines and reconciliations in between do not change where it ends', () => {
    const between: readonly PayoutCommand[] = [
      { type: 'NoteLines', lines, at },
      {
        type: 'NoteReconciliation',
        matched: 3,
        at,
        exceptions: { unknown: 0, amount: 0, currency: 0, duplicate: 0, fee: 0 },
      },
    ];
    const happening = fc.constantFrom(...between, ...story.map(observe));
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 12 }), (happenings) => {
        const first = story[0] as ObservedPayout;
        const { state } = perform([observe(first), ...happenings, observe(last)]);
        expect(state.status).toBe(last.status);
      }),
    );
  });
});
