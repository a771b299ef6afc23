import fc from 'fast-check';
import { type Capture, isLive } from './capture.js';
import type { Observation } from './observation.js';
import {
  attempt,
  observationOf,
  observeAll,
  perform,
  requested,
  reachableByReads,
  start,
  stateOf,
  withAnswers,
} from './read-order.fixture.js';
import type { PaymentCommand } from './payment-command.js';
import type { PaymentEvent } from './payment-event.js';
import { exists, type Payment } from './payment.js';
import { refundAndDisputeStories } from './refund-and-dispute-stories.fixture.js';

/**
 * The provider's facts arrive as the responses to requests, or as reads after a webhook or a poll.
 * Each fact may be recorded late, twice or never. Whatever the order, the last read must decide the
 * state.
 */

const refused = attempt(1, 'refused', 'card', '51');
const card = (status: string | null) => [refused, attempt(2, status)];
const debit = (status: string, response = '00') => [attempt(1, status, 'sepa', response)];

/** For each way in which a payment can end, the successive reads of the provider. */
const stories: Record<string, readonly Observation[]> = {
  ...refundAndDisputeStories,
  'paid after a refusal': [
    observationOf('open'),
    observationOf('open', refused),
    observationOf('open', ...card(null)),
    observationOf('authorized', ...card('authorized')),
    observationOf('to_capture', ...card('to_capture')),
    observationOf('capture_sent', ...card('capture_sent')),
    observationOf('captured', ...card('captured')),
  ],
  'canceled before the payer pays': [
    observationOf('open'),
    observationOf('open', refused),
    observationOf('canceled', refused),
  ],
  'authorized, then released': [
    observationOf('open'),
    observationOf('authorized', ...card('authorized')),
    observationOf('canceled', ...card('canceled')),
  ],
  'captured, then canceled before the cut-off': [
    observationOf('open', refused),
    observationOf('authorized', ...card('authorized')),
    observationOf('to_capture', ...card('to_capture')),
    observationOf('canceled', ...card('canceled')),
  ],
  'authorized and left to expire': [
    observationOf('open', refused),
    observationOf('authorized', ...card('authorized')),
    observationOf('unpaid', ...card('expired')),
  ],
  'a direct debit that is collected': [
    observationOf('open'),
    observationOf('processing', ...debit('to_capture')),
    observationOf('capture_sent', ...debit('capture_sent')),
    observationOf('captured', ...debit('captured')),
  ],
  'a direct debit that is returned': [
    observationOf('open'),
    observationOf('processing', ...debit('to_capture')),
    observationOf('capture_sent', ...debit('capture_sent')),
    observationOf('unpaid', ...debit('refused', 'AM04')),
  ],
  'a direct debit that is returned between the reads of its intent and of its attempts': [
    observationOf('processing', ...debit('to_capture')),
    observationOf('processing', ...debit('refused', 'AM04')),
    observationOf('capture_sent', ...debit('refused', 'AM04')),
    observationOf('unpaid', ...debit('refused', 'AM04')),
  ],
  'a direct debit after a card that the bank refused': [
    observationOf('open', refused),
    observationOf('processing', refused, attempt(2, 'to_capture', 'sepa')),
    observationOf('capture_sent', refused, attempt(2, 'capture_sent', 'sepa')),
    observationOf('unpaid', refused, attempt(2, 'refused', 'sepa', 'AM04')),
  ],
  'a card after a direct debit that the payer did not sign': [
    observationOf('open', attempt(1, null, 'sepa')),
    observationOf('authorized', attempt(1, 'failed', 'sepa'), attempt(2, 'authorized')),
    observationOf('to_capture', attempt(1, 'failed', 'sepa'), attempt(2, 'to_capture')),
    observationOf('canceled', attempt(1, 'failed', 'sepa'), attempt(2, 'canceled')),
  ],
};

describe.each(Object.entries(stories))('the state of a payment (%s)', (_name, story) => {
  const last = story.at(-1) as Observation;
  const { state: expected } = observeAll(story);

  test('is decided by the newest read, in whatever order up to four older reads were recorded before it', () => {
    const reached = reachableByReads(withAnswers(story), 4);
    for (const before of reached) {
      const { sequence: earlier } = before;
      const { events, state } = observeAll([last], before);
      if (events.some(({ type }) => type === 'PaymentMismatchObserved')) {
        throw new Error(`a truthful provider never contradicts itself: ${JSON.stringify(earlier)}`);
      }
      expect({ earlier, state: sorted(state) }).toEqual({ earlier, state: sorted(expected) });
    }
    expect(reached.length).toBeGreaterThanOrEqual(story.length);
  });

  test('is not changed when an older read is recorded after a newer read', () => {
    for (const late of withAnswers(story)) {
      expect(sorted(observeAll([last, late]).state)).toEqual(sorted(expected));
    }
  });

  test('is decided by the newest read, even if we send requests between the older reads', () => {
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
    const observations: readonly PaymentCommand[] = withAnswers(story).map((observation) => ({
      type: 'ObservePayment',
      paymentId: 'pay_1',
      observation,
      at: start,
    }));
    const happening = fc.constantFrom(...commands, ...observations);
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

/**
 * Removes failed captures from the comparison: a failed capture is recorded only if a read was made
 * between its request and its failure.
 */
const taking = (payment: Payment): Payment =>
  exists(payment) ? { ...payment, captures: payment.captures.filter(isLive) } : payment;

const sorted = (payment: Payment): Record<string, unknown> =>
  Object.fromEntries(Object.entries(taking(payment)).sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * Removes the ids of captures from the comparison: they depend on whether we requested the capture.
 */
const unnamed = ({ captures, ...state }: Record<string, unknown>): Record<string, unknown> => ({
  ...state,
  captures: (captures as readonly Capture[]).map(({ captureId: _id, ...one }) => one),
});
