import { type Instant, parseInstant } from '#kernel';
import { scenario } from '#testing';
import { refundableMinor } from './captured.js';
import type { Observation } from './observation.js';
import {
  attempt,
  back,
  captured,
  dispute,
  observationOf,
  perform,
  refund,
  start,
  stateOf,
} from './read-order.fixture.js';
import type { PaymentCommand } from './payment-command.js';
import { paymentDecider } from './payment-decider.js';
import type { PaymentEvent } from './payment-event.js';

const given = scenario(paymentDecider);
/** The capture of the fixture was accepted at 10:00 on 1 March. */
const accepted = captured.slice(0, 4);
/** A direct debit, which the provider has accepted and not sent to clearing yet. */
const debited: readonly PaymentEvent[] = [
  ...captured.slice(0, 2),
  { type: 'DirectDebitAccepted', attemptId: 'paym_1', mandateId: 'sepa_1', at: start },
];
const now: Instant = parseInstant('2026-03-01T12:00:00Z');
const expectedAt: Instant = parseInstant('2026-03-02T08:00:00Z');
const morning: Instant = parseInstant('2026-03-02T08:00:00Z');

const request = (amountMinor: number | null, requestId = 'rfr_1', at = now): PaymentCommand => ({
  type: 'RequestRefund',
  requestId,
  amountMinor,
  reference: 'return-7',
  reason: null,
  at,
});
const terms = (amountMinor: number, requestId: string) =>
  ({ requestId, amountMinor, reference: 'return-7', reason: null }) as const;
const queued = (amountMinor: number, requestId = 'rfr_1', expected = expectedAt): PaymentEvent => ({
  type: 'RefundQueued',
  ...terms(amountMinor, requestId),
  expectedAt: expected,
  at: now,
});
/** A direct debit of a Sunday settles on Tuesday, its second bank day. */
const ofDebit = (amountMinor: number, requestId = 'rfr_1'): PaymentEvent =>
  queued(amountMinor, requestId, parseInstant('2026-03-03T08:00:00Z'));
const asked = (amountMinor: number, requestId = 'rfr_1'): PaymentEvent => ({
  type: 'RefundRequested',
  ...terms(amountMinor, requestId),
  at: morning,
});
const rejected = (amountMinor: number, reason: string, requestId = 'rfr_1'): PaymentEvent => ({
  type: 'RefundRejected',
  requestId,
  amountMinor,
  reason,
  at: morning,
});
const sent: PaymentEvent = {
  type: 'CaptureSent',
  captureId: 'cap_1',
  amountMinor: 1_250,
  at: morning,
};

const see = (observation: Observation, resolves?: 'refund'): PaymentCommand => ({
  type: 'ObservePayment',
  paymentId: 'pay_1',
  observation,
  ...(resolves && { resolves }),
  at: morning,
});
const captureSent = observationOf('capture_sent', attempt(1, 'capture_sent'));

describe('a refund that is requested before the capture is sent to clearing', () => {
  test('is queued, with the morning after the next cut-off as the expected time', () => {
    given(...accepted)
      .when(request(500))
      .then(queued(500));
    given(...accepted)
      .when(request(null))
      .then(queued(1_250));
  });

  test.each([
    // The capture is late: it should already be in clearing, because the cut-off has passed.
    ['2026-03-01T22:30:00Z', '2026-03-02T08:00:00Z'],
    ['2026-03-02T09:00:00Z', '2026-03-03T08:00:00Z'],
  ])('is expected at the next morning if it is requested at %s', (at, next) => {
    const command = request(500, 'rfr_1', parseInstant(at));
    given(...accepted)
      .when(command)
      .then({
        ...queued(500),
        expectedAt: parseInstant(next),
        at: parseInstant(at),
      } as PaymentEvent);
  });

  test('reduces the amount that can still be refunded', () => {
    const history = [...accepted, queued(500)];
    expect(refundableMinor(stateOf(history))).toBe(750);
    given(...history)
      .when(request(751, 'rfr_2'))
      .thenRejected('refund_exceeds_payment');
    given(...history)
      .when(request(null, 'rfr_2'))
      .then(queued(750, 'rfr_2'));
    given(...history, queued(750, 'rfr_2'))
      .when(request(1, 'rfr_3'))
      .thenRejected('already_refunded');
  });

  test('is queued while a direct debit is being processed, although nothing is captured yet', () => {
    given(...debited)
      .when(request(500))
      .then(ofDebit(500));
    expect(refundableMinor(stateOf(debited))).toBe(1_250);
    given(...debited, ofDebit(500))
      .when(request(null, 'rfr_2'))
      .then(ofDebit(750, 'rfr_2'));
    given(...debited, ofDebit(500))
      .when(request(751, 'rfr_2'))
      .thenRejected('refund_exceeds_payment');
  });

  test('changes nothing if it is requested again with the same id', () => {
    given(...accepted, queued(500))
      .when(request(500))
      .thenNothing();
  });
});

describe('a queued refund', () => {
  test('is requested as soon as a read shows the capture in clearing', () => {
    given(...accepted, queued(500))
      .when(see(captureSent))
      .then(sent, asked(500));
  });

  test('of a direct debit is requested as soon as a read shows the debit in clearing', () => {
    const debit = (status: string, attemptStatus = status) =>
      see(observationOf(status, attempt(1, attemptStatus, 'sepa')));
    given(...debited, ofDebit(500))
      .when(debit('processing', 'to_capture'))
      .thenNothing();
    const debitSent = { ...sent, captureId: 'cap_1' } as PaymentEvent;
    given(...debited, ofDebit(500))
      .when(debit('capture_sent'))
      .then(debitSent, asked(500));
  });

  test('of a direct debit is rejected if the debit is returned, and nothing is owed to the payer', () => {
    const command = see(observationOf('unpaid', attempt(1, 'refused', 'sepa', 'AM04')));
    const history = [...debited, ofDebit(500)];
    given(...history)
      .when(command)
      .then(
        { type: 'DirectDebitReturned', reasonCode: 'AM04', at: morning },
        rejected(500, 'the payment has ended: its status is returned'),
      );
    expect(stateOf(perform(history, command))).toMatchObject({
      status: 'returned',
      refunds: [{ status: 'rejected' }],
      rejectedRefunds: [],
    });
  });

  test('of a direct debit is rejected if the debit is canceled', () => {
    given(...debited, ofDebit(500))
      .when(see(observationOf('canceled', attempt(1, 'canceled', 'sepa'))))
      .then(
        { type: 'PaymentCanceled', at: morning },
        rejected(500, 'the payment has ended: its status is canceled'),
      );
  });

  test('is requested before later queued refunds, which continue to wait', () => {
    given(...accepted, queued(500), queued(750, 'rfr_2'))
      .when(see(captureSent))
      .then(sent, asked(500));
  });

  test('is not requested while reads do not show the capture in clearing', () => {
    given(...accepted, queued(500))
      .when(see(observationOf('to_capture', attempt(1, 'to_capture'))))
      .thenNothing();
  });

  test('is requested when the provider shows the refund that was requested before it', () => {
    const history = [...accepted, queued(500), queued(500, 'rfr_2'), sent, asked(500)];
    const made = { ...refund(1, 'to_refund'), createdAt: morning };
    const shown = { ...captureSent, refunds: [made] };
    const observed: PaymentEvent = {
      type: 'RefundObserved',
      refundId: 'refd_1',
      requestId: 'rfr_1',
      amountMinor: 500,
      createdAt: morning,
      at: morning,
    };
    given(...history)
      .when(see(shown, 'refund'))
      .then(observed, asked(500, 'rfr_2'));
  });

  test('is requested although the provider rejected an earlier refund of the same amount', () => {
    const history = perform([...accepted, queued(500), queued(500, 'rfr_2'), sent, asked(500)], {
      type: 'RejectRefund',
      requestId: 'rfr_1',
      reason: '409 not now',
      at: morning,
    });
    expect(history.slice(-2)).toEqual([rejected(500, '409 not now'), asked(500, 'rfr_2')]);
    expect(stateOf(history)).toMatchObject({ rejectedRefunds: ['rfr_1'] });
  });

  test('is rejected if the payment is canceled, and nothing is owed to the payer', () => {
    const history = [...accepted, queued(500), queued(750, 'rfr_2')];
    const reason = 'the payment has ended: its status is canceled';
    const command = see(observationOf('canceled', attempt(1, 'canceled')));
    given(...history)
      .when(command)
      .then(
        { type: 'PaymentCanceled', at: morning },
        rejected(500, reason),
        rejected(750, reason, 'rfr_2'),
      );
    expect(stateOf(perform(history, command))).toMatchObject({
      refunds: [{ status: 'rejected' }, { status: 'rejected' }],
      rejectedRefunds: [],
    });
  });

  test('is rejected if the provider no longer has the intent', () => {
    given(...accepted, queued(500))
      .when({ type: 'ConcludeForgotten', at: morning })
      .then(
        { type: 'PaymentCanceled', at: morning },
        rejected(500, 'the payment has ended: its status is canceled'),
      );
  });

  test('is rejected if the payer has disputed the payment', () => {
    const history = perform([...accepted, queued(500)], see(back([], [dispute('open', 1_250)])));
    expect(history.at(-1)).toEqual(rejected(500, 'the payer has disputed the payment'));
    expect(stateOf(history)).toMatchObject({ rejectedRefunds: [] });
  });

  test('is rejected, and must be repeated or abandoned, if a refund made at the provider left too little', () => {
    const history = perform([...accepted, queued(500)], see(back([refund(1, 'refunded', 1_000)])));
    expect(history.at(-1)).toEqual(rejected(500, 'at most 250 (in minor units) can be refunded'));
    expect(stateOf(history)).toMatchObject({ rejectedRefunds: ['rfr_1'] });
  });
});
