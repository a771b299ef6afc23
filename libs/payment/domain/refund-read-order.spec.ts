import fc from 'fast-check';
import { Rejection } from '#kernel';
import { refundAndDisputeStories } from './refund-and-dispute-stories.fixture.js';
import type { Observation } from './observation.js';
import {
  back,
  captured,
  observeAll,
  perform,
  refund,
  reachableByReads,
  start,
  stateOf,
  replay,
  withAnswers,
} from './read-order.fixture.js';
import type { PaymentCommand } from './payment-command.js';
import type { PaymentEvent } from './payment-event.js';
import { exists } from './payment.js';
import { isMade, refundedMinor, takenByRefunds } from './refunds-and-disputes.js';

describe('a refund whose result is unknown', () => {
  const asked: readonly PaymentEvent[] = [
    ...captured,
    {
      type: 'RefundRequested',
      requestId: 'rfr_1',
      amountMinor: 500,
      reference: null,
      reason: null,
      at: start,
    },
    { type: 'RequestResultUnknown', request: 'refund', at: start },
  ];
  const story = [
    back([]),
    back([refund(1, 'to_refund', 300)]),
    back([refund(1, 'to_refund', 300), refund(2, 'to_refund')]),
    back([refund(1, 'refunded', 300), refund(2, 'refund_sent')]),
    back([refund(1, 'refunded', 300), refund(2, 'refunded')]),
  ];
  const last = story.at(-1) as Observation;
  const { state: expected } = observeAll(story, replay(asked));

  test('is matched with the provider’s new refund of the same amount, in whatever order reads are recorded', () => {
    expect(expected).toMatchObject({
      unknown: [],
      refunds: [
        { requestId: 'rfr_1', refundId: 'refd_2', status: 'refunded' },
        { requestId: null, refundId: 'refd_1', status: 'refunded' },
      ],
    });
    for (const before of reachableByReads(withAnswers(story), 4, replay(asked))) {
      const { sequence: earlier } = before;
      const { state } = observeAll([last], before);
      expect({ earlier, state }).toEqual({ earlier, state: expected });
    }
  });
});

describe('requests and reads in any order', () => {
  const truth = Object.entries(refundAndDisputeStories).filter(([name]) =>
    /refund|charged/.test(name),
  );

  test.each(truth)(
    'never refund more than the captured amount, and never leave two refund requests open: %s',
    (_n, story) => {
      const observations = story.flatMap((observation): readonly PaymentCommand[] => [
        { type: 'ObservePayment', paymentId: 'pay_1', observation, at: start },
        { type: 'ObservePayment', paymentId: 'pay_1', observation, resolves: 'refund', at: start },
        { type: 'ObservePayment', paymentId: 'pay_1', observation, precedes: 'refund', at: start },
      ]);
      const request = fc.record({
        type: fc.constant('RequestRefund' as const),
        requestId: fc.constantFrom('rfr_1', 'rfr_2', 'rfr_3'),
        amountMinor: fc.constantFrom(null, 1, 500, 750, 1_250, 1_251),
        reference: fc.constant(null),
        reason: fc.constant(null),
        at: fc.constant(start),
      });
      const happening = fc.oneof<fc.Arbitrary<PaymentCommand>[]>(
        fc.constantFrom(...observations),
        request,
        fc.constantFrom<PaymentCommand>(
          { type: 'NoteUnknownOutcome', call: 'refund', at: start },
          { type: 'RejectRefund', requestId: 'rfr_1', reason: 'refused', at: start },
        ),
      );
      fc.assert(
        fc.property(fc.array(happening, { maxLength: 15 }), (happenings) => {
          let history = captured;
          for (const command of happenings) {
            try {
              history = perform(history, command);
            } catch (error) {
              if (!(error instanceof Rejection)) throw error;
            }
            const state = stateOf(history);
            if (!exists(state)) throw new Error('the payment exists');
            const { refunds } = state;
            expect(refundedMinor(refunds)).toBeLessThanOrEqual(1_250);
            expect(takenByRefunds(refunds.filter(isMade))).toBeLessThanOrEqual(1_250);
            expect(
              refunds.filter(({ status }) => status === 'requested').length,
            ).toBeLessThanOrEqual(1);
          }
          const succeeded = history.flatMap((event) =>
            event.type === 'RefundSucceeded' ? [event.refundId] : [],
          );
          expect(succeeded).toEqual([...new Set(succeeded)]);
        }),
        { numRuns: 500 },
      );
    },
  );
});
