import fc from 'fast-check';
import { fold } from '#kernel';
import type { ObservedPayout, PayoutCommand } from './payout-command.js';
import { payoutDecider } from './payout-decider.js';
import type { PayoutEvent } from './payout-event.js';
import { account, at, lines, readOf } from './payout.fixture.js';

/**
 * Reads of a payout may be recorded late, twice or never. Whatever the order, the last read must
 * decide the state.
 */
const stories: Readonly<Record<string, readonly ObservedPayout[]>> = {
  paid: ['pending', 'to_pay', 'sent', 'paid'].map((status) => readOf(status)),
  'failed before it was sent': ['pending', 'to_pay', 'failed'].map((status) => readOf(status)),
  returned: ['pending', 'to_pay', 'sent', 'failed'].map((status) => readOf(status)),
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

describe.each(Object.entries(stories))('the state of a payout (%s)', (_name, story) => {
  const last = story.at(-1) as ObservedPayout;

  test('is decided by the newest read, without a mismatch, in whatever order older reads were recorded before it', () => {
    const expected = perform(story.map(observe)).state;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...story), { maxLength: 8 }), (earlier) => {
        const { state, history } = perform([...earlier, last].map(observe));
        expect(state).toEqual(expected);
        expect(history.some(({ type }) => type === 'PayoutMismatchObserved')).toBe(false);
      }),
    );
  });

  test('is not changed when an older read is recorded after a newer read', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...story), { maxLength: 8 }), (late) => {
        const before = perform([observe(last)]).history;
        expect(perform([last, ...late].map(observe)).history).toEqual(before);
      }),
    );
  });

  test('is decided by the newest read, even if lines and reconciliations of the payout are recorded between the older reads', () => {
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

test('a payout that the bank returned after it was paid is failed, in whatever order older reads were recorded', () => {
  const older = ['pending', 'to_pay', 'sent', 'paid', 'failed'].map((status) => readOf(status));
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...older), { maxLength: 8 }), (earlier) => {
      const { state } = perform([...earlier, readOf('failed')].map(observe));
      expect(state.status).toBe('failed');
    }),
  );
});
