import { type Instant, parseInstant } from '#kernel';
import { examplesOf, type LaterCommands, scenario } from '#testing';
import { captured, observationOf } from './read-order.fixture.js';
import type { PaymentCommand } from './payment-command.js';
import { paymentDecider } from './payment-decider.js';

const given = scenario(paymentDecider);
const at: Instant = parseInstant('2026-03-03T06:05:00Z');

const LATER: LaterCommands<PaymentCommand, 'RequestIntent'> = {
  ConcludeForgotten: [{ type: 'ConcludeForgotten', at }],
  NoteMissingIntent: [{ type: 'NoteMissingIntent', at }],
  NoteTakenIntent: [{ type: 'NoteTakenIntent', intentId: 'pi_1', at }],
  ObservePayment: [
    { type: 'ObservePayment', paymentId: 'pay_1', observation: observationOf('authorized'), at },
    {
      type: 'ObservePayment',
      paymentId: 'pay_1',
      observation: observationOf('captured'),
      resolves: 'refund',
      at,
    },
  ],
  ObserveIntentRejection: [{ type: 'ObserveIntentRejection', reason: 'no such account', at }],
  NoteUnknownOutcome: [{ type: 'NoteUnknownOutcome', call: 'create_intent', at }],
  RequestCapture: [
    { type: 'RequestCapture', captureId: 'cap_1', by: 'policy', at },
    { type: 'RequestCapture', captureId: 'cap_1', by: 'platform', at },
  ],
  RejectCapture: [{ type: 'RejectCapture', captureId: 'cap_1', reason: '422', at }],
  RequestCancel: [
    { type: 'RequestCancel', reason: 'cancellation', at },
    { type: 'RequestCancel', reason: 'expiry', at },
  ],
  RequestRefund: [
    {
      type: 'RequestRefund',
      requestId: 'rfr_1',
      amountMinor: null,
      reference: null,
      reason: null,
      at,
    },
  ],
  RejectRefund: [{ type: 'RejectRefund', requestId: 'rfr_1', reason: '409 disputed', at }],
  GiveUpRefund: [{ type: 'GiveUpRefund', requestId: 'rfr_1', at }],
  RejectDebit: [{ type: 'RejectDebit', reason: '409 no mandate', at }],
  ReviewMismatches: [{ type: 'ReviewMismatches', at }],
  FinishPage: [{ type: 'FinishPage', at }],
  WarnOfExpiry: [{ type: 'WarnOfExpiry', at }],
};

test.each(examplesOf<PaymentCommand>(LATER))(
  'the command $type is rejected for a payment that was never requested',
  (command) => given().when(command).thenRejected('payment_not_found'),
);

describe('a refund that was never requested', () => {
  const reject: PaymentCommand = { type: 'RejectRefund', requestId: 'rfr_1', reason: '409', at };

  test.each([1, 2, 3, 5, 6])(
    'cannot be marked as rejected, whatever the payment’s state (after %s events)',
    (count) =>
      given(...captured.slice(0, count))
        .when(reject)
        .thenRejected('refund_not_requested'),
  );

  test('cannot be marked as rejected, even if the payment has another open refund request or a refund made directly at the provider', () => {
    given(...captured, {
      type: 'RefundRequested',
      requestId: 'rfr_2',
      amountMinor: 500,
      reference: null,
      reason: null,
      at,
    })
      .when(reject)
      .thenRejected('refund_not_requested');
    given(...captured, {
      type: 'RefundObserved',
      refundId: 'refd_1',
      requestId: null,
      amountMinor: 500,
      createdAt: at,
      at,
    })
      .when(reject)
      .thenRejected('refund_not_requested');
  });
});

describe('rejecting the debit of a payment without a mandate', () => {
  test('throws an assertion error, because only a bug can cause it', () => {
    const reject: PaymentCommand = { type: 'RejectDebit', reason: '409 no mandate', at };
    for (const count of [1, 2, 6]) {
      expect(() => given(...captured.slice(0, count)).when(reject)).toThrow('has a mandate');
    }
  });
});
