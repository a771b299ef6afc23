import fc from 'fast-check';
import { type Capture, isLive } from './capture.js';
import type { Observation } from './observation.js';
import {
  attempt,
  look,
  observeAll,
  perform,
  requested,
  sequences,
  start,
  stateOf,
  withAnswers,
} from './one-door.fixture.js';
import type { PaymentCommand } from './payment-command.js';
import type { PaymentEvent } from './payment-event.js';
import { exists, type Payment } from './payment.js';
import { moneyBackStories } from './money-back-stories.fixture.js';

/**
 * One door for provider facts: a call's answer, a webhook and a poll are looks at the provider,
 * each as old as its reading, and any of them may come late, twice or never. Whatever the order,
 * the last look decides the state.
 */

const refused = attempt(1, 'refused', 'card', '51');
const card = (status: string | null) => [refused, attempt(2, status)];
const debit = (status: string, response = '00') => [attempt(1, status, 'sepa', response)];

/** What the provider showed over time, for each way that a payment can go. */
const stories: Record<string, readonly Observation[]> = {
  ...moneyBackStories,
  'paid after a refusal': [
    look('open'),
    look('open', refused),
    look('open', ...card(null)),
    look('authorized', ...card('authorized')),
    look('to_capture', ...card('to_capture')),
    look('capture_sent', ...card('capture_sent')),
    look('captured', ...card('captured')),
  ],
  'canceled while the payer hesitates': [
    look('open'),
    look('open', refused),
    look('canceled', refused),
  ],
  'authorized, then released': [
    look('open'),
    look('authorized', ...card('authorized')),
    look('canceled', ...card('canceled')),
  ],
  'captured, then cancelled before the cut-off': [
    look('open', refused),
    look('authorized', ...card('authorized')),
    look('to_capture', ...card('to_capture')),
    look('canceled', ...card('canceled')),
  ],
  'authorized and left to expire': [
    look('open', refused),
    look('authorized', ...card('authorized')),
    look('unpaid', ...card('expired')),
  ],
  'a direct debit that is collected': [
    look('open'),
    look('processing', ...debit('to_capture')),
    look('capture_sent', ...debit('capture_sent')),
    look('captured', ...debit('captured')),
  ],
  'a direct debit that comes back': [
    look('open'),
    look('processing', ...debit('to_capture')),
    look('capture_sent', ...debit('capture_sent')),
    look('unpaid', ...debit('refused', 'AM04')),
  ],
};

describe.each(Object.entries(stories))('%s', (_name, story) => {
  const last = story.at(-1) as Observation;
  const { state: expected } = observeAll(story);

  test('every order of up to four earlier looks, of all kinds, ends in the one state', () => {
    let runs = 0;
    for (const earlier of sequences(withAnswers(story), 4)) {
      const { events, state } = observeAll([...earlier, last]);
      if (events.some(({ type }) => type === 'ProviderMismatchObserved')) {
        throw new Error(`a truthful provider never contradicts itself: ${JSON.stringify(earlier)}`);
      }
      runs += 1;
      // Deep comparison of 30,000 states is cheap as text: evolve builds fields in one order.
      if (JSON.stringify(sorted(state)) !== JSON.stringify(sorted(expected))) {
        expect({ earlier, state: sorted(state) }).toEqual({ earlier, state: sorted(expected) });
      }
    }
    expect(runs).toBeGreaterThan(500);
  });

  test('looks after the last one, however old, change nothing', () => {
    for (const late of withAnswers(story)) {
      expect(sorted(observeAll([last, late]).state)).toEqual(sorted(expected));
    }
  });

  test('requests of ours in between do not change where it ends', () => {
    const commands: readonly PaymentCommand[] = [
      { type: 'RequestCapture', captureId: 'cap_asked', by: 'policy', at: start },
      { type: 'RequestCancel', reason: 'cancellation', at: start },
      { type: 'RequestCancel', reason: 'expiry', at: start },
      { type: 'NoteUnknownOutcome', call: 'create_intent', at: start },
      { type: 'NoteUnknownOutcome', call: 'capture', at: start },
      { type: 'NoteUnknownOutcome', call: 'cancel', at: start },
      { type: 'NoteUnknownOutcome', call: 'refund', at: start },
      { type: 'WarnOfExpiry', at: start },
    ];
    const looks: readonly PaymentCommand[] = withAnswers(story).map((observation) => ({
      type: 'ObservePayment',
      paymentId: 'pay_1',
      observation,
      at: start,
    }));
    const happening = fc.constantFrom(...commands, ...looks);
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 20 }), (happenings) => {
        const history = happenings.reduce<readonly PaymentEvent[]>(perform, [requested]);
        const end = perform(history, {
          type: 'ObservePayment',
          paymentId: 'pay_1',
          observation: last,
          at: start,
        });
        const { unknown: _unknown, ...state } = sorted(stateOf(end));
        const { unknown: _none, ...rest } = sorted(expected);
        expect(unnamed(state)).toEqual(unnamed(rest));
      }),
      { numRuns: 500 },
    );
  });
});

/** A capture that took nothing is known only to who read in time: it is no part of where it ends. */
const taking = (payment: Payment): Payment =>
  exists(payment) ? { ...payment, captures: payment.captures.filter(isLive) } : payment;

const sorted = (payment: Payment): Record<string, unknown> =>
  Object.fromEntries(Object.entries(taking(payment)).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The id of a capture tells whether we asked for it. */
const unnamed = ({ captures, ...state }: Record<string, unknown>): Record<string, unknown> => ({
  ...state,
  captures: (captures as readonly Capture[]).map(({ captureId: _id, ...one }) => one),
});
