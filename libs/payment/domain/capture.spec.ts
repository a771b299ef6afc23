import fc from 'fast-check';
import { type CaptureCapabilities, fold, type Instant, parseInstant } from '#kernel';
import { scenario } from '#testing';
import { impliedCaptureId, takenByCaptures } from './capture.js';
import { capturableMinor, capturedMinor, refundableMinor } from './captured.js';
import {
  attempt,
  observationOf,
  observeAll,
  perform,
  refund,
  reachable,
  stateOf,
  replay,
} from './read-order.fixture.js';
import type { Observation, ObservedCapture } from './observation.js';
import type { PaymentCommand } from './payment-command.js';
import { paymentDecider } from './payment-decider.js';
import type { PaymentEvent } from './payment-event.js';
import { exists } from './payment.js';
import { takenByRefunds } from './refunds-and-disputes.js';

const given = scenario(paymentDecider);

const now: Instant = parseInstant('2026-03-01T10:05:00Z');
const AUTHORIZED_MINOR = 1250;
const WHOLE_ONLY: CaptureCapabilities = { partialCapture: false, multipleCapture: false };
const IN_PART: CaptureCapabilities = { partialCapture: true, multipleCapture: false };

const seen = (status: string): Observation => observationOf(status, attempt(1, status));
const { events: authorized } = observeAll([seen('authorized')]);

const capture = (
  amountMinor: number,
  can: CaptureCapabilities,
  captureId = 'cap_asked',
): PaymentCommand => ({
  type: 'RequestCapture',
  captureId,
  by: 'platform',
  part: { amountMinor, can },
  at: now,
});
const asked = (amountMinor: number, captureId = 'cap_asked'): PaymentEvent => ({
  type: 'CaptureRequested',
  captureId,
  amountMinor,
  requestedBy: 'platform',
  unconfirmed: true,
  at: now,
});
const observe = (observation: Observation): PaymentCommand => ({
  type: 'ObservePayment',
  paymentId: 'pay_1',
  observation,
  at: now,
});

describe('a partial capture', () => {
  test('is rejected if the provider captures only whole amounts; the error says what to do instead', () => {
    given(...authorized)
      .when(capture(500, WHOLE_ONLY))
      .thenRejected('capability_missing');
    expect(() =>
      paymentDecider.decide(fold(paymentDecider, authorized), capture(500, WHOLE_ONLY)),
    ).toThrow(
      expect.objectContaining({
        details: { capability: 'partialCapture' },
        message: expect.stringContaining('capture without an amount'),
      }),
    );
    given(...authorized)
      .when(capture(AUTHORIZED_MINOR, WHOLE_ONLY))
      .then(asked(AUTHORIZED_MINOR));
  });

  test.each([0, -1, 0.5, NaN])('with the amount %s is rejected as invalid', (amountMinor) => {
    given(...authorized)
      .when(capture(amountMinor, IN_PART))
      .thenRejected('invalid_amount');
  });

  test('is limited to the authorized amount', () => {
    given(...authorized)
      .when(capture(AUTHORIZED_MINOR + 1, IN_PART))
      .thenRejected('capture_exceeds_authorized');
  });

  test('keeps its amount and id through all its statuses', () => {
    const history = [observe(seen('capture_sent')), observe(seen('captured'))].reduce<
      readonly PaymentEvent[]
    >(perform, [...authorized, asked(500)]);
    expect(history.slice(-3)).toMatchObject([
      { type: 'CaptureAccepted', captureId: 'cap_asked', amountMinor: 500 },
      { type: 'CaptureSent', captureId: 'cap_asked', amountMinor: 500 },
      { type: 'PaymentCaptured', captureId: 'cap_asked', amountMinor: 500 },
    ]);
    expect(stateOf(history)).toMatchObject({
      status: 'captured',
      captures: [{ captureId: 'cap_asked', amountMinor: 500, status: 'captured' }],
    });
    expect(capturedMinor(stateOf(history))).toBe(500);
  });

  test('limits the amount that can be refunded', () => {
    const refundOf = (amountMinor: number | null): PaymentCommand => ({
      type: 'RequestRefund',
      requestId: 'rfr_1',
      amountMinor,
      reference: null,
      reason: null,
      at: now,
    });
    const history = perform([...authorized, asked(500)], observe(seen('captured')));
    given(...history)
      .when(refundOf(501))
      .thenRejected('refund_exceeds_payment');
    expect(paymentDecider.decide(stateOf(history), refundOf(null))).toMatchObject([
      { type: 'RefundRequested', amountMinor: 500 },
    ]);
    const [mismatch] = paymentDecider.decide(
      stateOf(history),
      observe({
        ...seen('captured'),
        refunds: [refund(1, 'refunded', 501)],
        disputes: [],
      }),
    );
    expect(mismatch).toMatchObject({ type: 'PaymentMismatchObserved', aspect: 'refund' });
  });
});

const SEVERAL: CaptureCapabilities = { partialCapture: true, multipleCapture: true };

type Shown = readonly [id: 'cap_a' | 'cap_b', status: ObservedCapture['status']];

const shown = (reference: string, amountMinor: number, status: string): ObservedCapture => ({
  reference,
  captureId: `theirs_${reference}`,
  amountMinor,
  status,
});

const withCaptures = (status: string, captures: readonly ObservedCapture[]): Observation => {
  const { intent, ...rest } = seen(status);
  return { ...rest, intent: { ...intent, captures } };
};

const AMOUNTS = { cap_a: 500, cap_b: 700 } as const;

/** A read of the provider that shows several captures of one authorization. */
const several = (...captures: readonly Shown[]): Observation =>
  withCaptures(
    'authorized',
    captures.map(([id, status]) => shown(id, AMOUNTS[id], status)),
  );

describe('one of several captures of an authorization', () => {
  const story: readonly Observation[] = [
    several(),
    several(['cap_a', 'accepted']),
    several(['cap_a', 'sent']),
    several(['cap_a', 'captured'], ['cap_b', 'accepted']),
    several(['cap_a', 'captured'], ['cap_b', 'sent']),
    several(['cap_a', 'captured'], ['cap_b', 'captured']),
  ];
  const last = story.at(-1) as Observation;

  test('is requested only after the previous capture was accepted, and only up to the authorized amount', () => {
    const first = [...authorized, asked(500, 'cap_a')];
    given(...first)
      .when(capture(700, SEVERAL, 'cap_b'))
      .thenRejected('capture_in_progress');
    const accepted = perform(first, observe(several(['cap_a', 'accepted'])));
    given(...accepted)
      .when(capture(700, SEVERAL, 'cap_b'))
      .then(asked(700, 'cap_b'));
    given(...accepted)
      .when(capture(751, SEVERAL, 'cap_b'))
      .thenRejected('capture_exceeds_authorized');
  });

  test('has a separate status, and the most advanced capture determines the payment’s status', () => {
    const captured = observe(several(['cap_a', 'captured']));
    const first = perform([...authorized, asked(500, 'cap_a')], captured);
    const accepted = observe(several(['cap_a', 'captured'], ['cap_b', 'accepted']));
    const both = perform([...first, asked(700, 'cap_b')], accepted);
    expect(stateOf(both)).toMatchObject({
      status: 'captured',
      captures: [{ status: 'captured' }, { status: 'accepted' }],
    });
    expect(capturedMinor(stateOf(both))).toBe(500);
    expect(capturedMinor(stateOf(perform(both, observe(last))))).toBe(1_200);
  });

  test('has in the end the status of the last read, in whatever order earlier reads and requests were recorded', () => {
    const ends = new Set<string>();
    const request = capture(500, SEVERAL, 'cap_a');
    const reached = reachable([...story, request], 4, replay(authorized), (before, one) => {
      if (!('type' in one)) return observeAll([one], before);
      const news = paymentDecider.decide(before.state, one);
      return replay([...before.events, ...news]);
    });
    for (const before of reached) {
      const { state } = observeAll([last], before);
      if (!exists(state)) throw new Error('the payment exists');
      const captures = state.captures
        .map(({ captureId, amountMinor, status }) => ({ captureId, amountMinor, status }))
        .toSorted((a, b) => (a.captureId < b.captureId ? -1 : 1));
      ends.add(JSON.stringify([state.status, captures, state.mismatches]));
    }
    expect([...ends].map((end) => JSON.parse(end))).toMatchObject([
      [
        'captured',
        [
          { captureId: 'cap_a', amountMinor: 500, status: 'captured' },
          { captureId: 'cap_b', amountMinor: 700, status: 'captured' },
        ],
        [],
      ],
    ]);
  });

  test('is not changed by a read older than the last recorded read, and no event is recorded twice', () => {
    const end = observeAll(story, replay(authorized));
    for (const late of story) {
      expect(observeAll([late], end).events).toHaveLength(end.events.length);
    }
  });

  const contradiction = (expected: string, observed: string): PaymentEvent => ({
    type: 'PaymentMismatchObserved',
    aspect: 'capture',
    expected,
    observed,
    at: now,
  });

  test('is recorded as a mismatch if it exceeds the authorized amount', () => {
    const more = (id: string) => withCaptures('authorized', [shown(id, 1_251, 'accepted')]);
    given(...authorized)
      .when(observe(more('cap_x')))
      .then(contradiction('at most 1250', 'cap_x 1251'));
    given(...authorized, asked(500, 'cap_a'))
      .when(observe(more('cap_a')))
      .then(contradiction('cap_a 500', 'cap_a 1251'));
  });

  describe('that the provider shows with another amount than requested', () => {
    const clipped = (amountMinor: number, status: string, captureId = 'cap_a'): Observation =>
      withCaptures('authorized', [shown(captureId, amountMinor, status)]);
    const asked1000 = [...authorized, asked(1_000, 'cap_a')];
    const facts = { captureId: 'cap_a', providerCaptureId: 'theirs_cap_a', at: now } as const;

    test('is recorded with the shown amount, and as a mismatch', () => {
      const mismatch = contradiction('cap_a 1000', 'cap_a 900');
      given(...asked1000)
        .when(observe(clipped(900, 'sent')))
        .then(
          mismatch,
          { type: 'CaptureAccepted', ...facts, amountMinor: 900 },
          { type: 'CaptureSent', ...facts, amountMinor: 900 },
        );
      const end = perform(asked1000, observe(clipped(900, 'captured')));
      expect(stateOf(end)).toMatchObject({
        status: 'captured',
        captures: [{ captureId: 'cap_a', amountMinor: 900, status: 'captured' }],
      });
      expect(capturedMinor(stateOf(end))).toBe(900);
      expect(capturableMinor(stateOf(end))).toBe(350);
      given(...end)
        .when(observe(clipped(900, 'captured')))
        .thenNothing();
    });

    test('is not recorded as failed, and the rest is released, if it closes the authorization', () => {
      const closing = withCaptures('to_capture', [shown('cap_a', 900, 'accepted')]);
      const end = perform(asked1000, observe(closing));
      expect(end.at(-1)).toMatchObject({ type: 'AuthorizationClosed', releasedMinor: 350 });
      expect(stateOf(end)).toMatchObject({
        status: 'to_capture',
        captures: [{ captureId: 'cap_a', amountMinor: 900, status: 'accepted' }],
      });
    });

    test('is recorded with the amount of the newest status', () => {
      const sent = perform(asked1000, observe(clipped(1_000, 'sent')));
      const end = perform(sent, observe(clipped(900, 'captured')));
      expect(end.slice(sent.length)).toEqual([
        contradiction('cap_a 1000', 'cap_a 900'),
        { type: 'PaymentCaptured', ...facts, amountMinor: 900 },
      ]);
      expect(capturedMinor(stateOf(end))).toBe(900);
    });

    test('is only a mismatch if nothing is captured, if the currency differs, too, or if more was refunded', () => {
      given(...asked1000)
        .when(observe(clipped(0, 'accepted')))
        .then(contradiction('cap_a 1000', 'cap_a 0'));
      const inDollars = clipped(900, 'accepted');
      const intent = { ...inDollars.intent, currency: 'usd' };
      const end = perform(asked1000, observe({ ...inDollars, intent }));
      expect(end.slice(asked1000.length)).toMatchObject([
        { type: 'PaymentMismatchObserved', aspect: 'currency' },
        { type: 'PaymentMismatchObserved', aspect: 'capture' },
      ]);
      const sent = perform(asked1000, observe(clipped(1_000, 'sent')));
      const refunded = perform(
        sent,
        observe({ ...clipped(1_000, 'sent'), refunds: [refund(1, 'refunded', 950)] }),
      );
      given(...refunded)
        .when(observe(clipped(900, 'captured')))
        .then(contradiction('cap_a 1000', 'cap_a 900'));
    });
  });
});

describe('the rest of an authorization', () => {
  const partly = perform([...authorized, asked(500, 'cap_a')], observe(several(['cap_a', 'sent'])));
  const what = (amountMinor: number | null, isFinal?: boolean): PaymentCommand => ({
    type: 'RequestCapture',
    captureId: 'cap_b',
    by: 'platform',
    at: now,
    part: { amountMinor, can: SEVERAL, ...(isFinal !== undefined && { isFinal }) },
  });

  test('is captured by a request without an amount', () => {
    expect(capturableMinor(stateOf(partly))).toBe(750);
    given(...partly)
      .when(what(null))
      .then(asked(750, 'cap_b'));
  });

  test('cannot be captured after a final capture', () => {
    const last = perform(partly, what(200, true));
    expect(last.at(-1)).toEqual({ ...asked(200, 'cap_b'), isFinal: true });
    expect(capturableMinor(stateOf(last))).toBe(0);
    const accepted = perform(
      last,
      observe(
        withCaptures('authorized', [shown('cap_a', 500, 'sent'), shown('cap_b', 200, 'accepted')]),
      ),
    );
    given(...accepted)
      .when({ ...capture(50, SEVERAL, 'cap_c') })
      .thenRejected('capture_exceeds_authorized');
  });

  test('is released when the provider shows that no further capture is possible', () => {
    const lapsed = observe(withCaptures('captured', [shown('cap_a', 500, 'captured')]));
    const end = perform(partly, lapsed);
    expect(end.slice(partly.length)).toMatchObject([
      { type: 'PaymentCaptured', captureId: 'cap_a', amountMinor: 500 },
      { type: 'AuthorizationClosed', releasedMinor: 750 },
    ]);
    expect(capturableMinor(stateOf(end))).toBe(0);
    given(...end)
      .when(lapsed)
      .thenNothing();
    given(...end)
      .when(what(null))
      .thenRejected('capture_exceeds_authorized');
  });

  test('is released when the authorization closes, even if we have requested its capture, which then fails', () => {
    const requested = perform(partly, what(700));
    const end = perform(
      requested,
      observe(withCaptures('capture_sent', [shown('cap_a', 500, 'sent')])),
    );
    expect(end.slice(requested.length)).toMatchObject([
      { type: 'AuthorizationClosed', releasedMinor: 750 },
    ]);
    expect(stateOf(end)).toMatchObject({
      captures: [
        { captureId: 'cap_a', status: 'sent' },
        { captureId: 'cap_b', status: 'failed' },
      ],
    });
  });

  test('can be captured directly at the provider; our open capture request then fails', () => {
    const requested = perform(partly, what(700));
    const theirs = { reference: null, captureId: 'theirs_x', amountMinor: 750, status: 'accepted' };
    const end = perform(
      requested,
      observe(withCaptures('capture_sent', [shown('cap_a', 500, 'sent'), theirs])),
    );
    expect(stateOf(end)).toMatchObject({
      releasedMinor: 0,
      mismatches: [],
      captures: [
        { captureId: 'cap_a' },
        { captureId: 'cap_b', status: 'failed' },
        { captureId: 'theirs_x', amountMinor: 750, status: 'accepted' },
      ],
    });
  });

  test('is always released by a capture if the provider supports only one capture', () => {
    expect(perform(authorized, capture(500, IN_PART)).at(-1)).toMatchObject({ isFinal: true });
    const notFinal: PaymentCommand = {
      type: 'RequestCapture',
      captureId: 'cap_asked',
      by: 'platform',
      part: { amountMinor: 500, can: IN_PART, isFinal: false },
      at: now,
    };
    expect(perform(authorized, notFinal).at(-1)).toMatchObject({ isFinal: true });
  });
});

test('a capture with an unrecognised status is recorded as a mismatch and does not change the payment', () => {
  const requested = [...authorized, asked(500, 'cap_a')];
  const odd = observe(withCaptures('authorized', [shown('cap_a', 500, 'unrecognized lost')]));
  given(...requested)
    .when(odd)
    .then({
      type: 'PaymentMismatchObserved',
      aspect: 'capture',
      expected: 'cap_a requested',
      observed: 'unrecognized lost',
      at: now,
    });
});

test('refunds are limited to the amount of the captures that were sent to clearing', () => {
  const both = perform(
    [...authorized, asked(500, 'cap_a')],
    observe(several(['cap_a', 'sent'], ['cap_b', 'accepted'])),
  );
  expect(refundableMinor(stateOf(both))).toBe(500);
  given(...both)
    .when({
      type: 'RequestRefund',
      requestId: 'rfr_1',
      amountMinor: 501,
      reference: null,
      reason: null,
      at: now,
    })
    .thenRejected('refund_exceeds_payment');
});

test('a direct debit is captured by the status of its intent, and captures listed by the provider are ignored', () => {
  const debit = (status: string, captureStatus: string): Observation => {
    const { intent, ...rest } = observationOf(status, attempt(1, status, 'sepa'));
    const theirs = { reference: null, captureId: 'theirs_1', amountMinor: AUTHORIZED_MINOR };
    return { ...rest, intent: { ...intent, captures: [{ ...theirs, status: captureStatus }] } };
  };
  const asAnswer = ({ intent }: Observation): Observation => ({
    intent,
    attempts: null,
    refunds: null,
    disputes: null,
  });
  const processing = debit('processing', 'accepted');
  const sent = debit('capture_sent', 'sent');
  for (const reads of [
    [processing, sent],
    [processing, asAnswer(sent), asAnswer(sent)],
  ]) {
    expect(observeAll(reads).state).toMatchObject({
      status: 'capture_sent',
      method: 'sepa',
      releasedMinor: null,
      mismatches: [],
      captures: [{ captureId: 'cap_1', amountMinor: AUTHORIZED_MINOR, status: 'sent' }],
    });
  }
  const captured = debit('captured', 'captured');
  expect(observeAll([processing, captured, asAnswer(captured)]).state).toMatchObject({
    status: 'captured',
    method: 'sepa',
    mismatches: [],
    captures: [{ captureId: 'cap_1', amountMinor: AUTHORIZED_MINOR, status: 'captured' }],
  });
});

describe('a capture that is observed for a payment that has ended', () => {
  const contradiction = (expected: string, observed: string): PaymentEvent => ({
    type: 'PaymentMismatchObserved',
    aspect: 'capture',
    expected,
    observed,
    at: now,
  });
  const late = (status: string): PaymentCommand =>
    observe(withCaptures('authorized', [shown('cap_a', 500, status)]));
  const canceled = perform(authorized, observe(seen('canceled')));
  const expired = perform(authorized, observe(seen('unpaid')));

  test('is recorded as a mismatch, once, if it cannot have been made before the payment ended', () => {
    for (const [ended, status] of [
      [canceled, 'sent'],
      [canceled, 'captured'],
      [expired, 'accepted'],
      [expired, 'captured'],
    ] as const) {
      const end = stateOf(ended).status;
      const mismatch = contradiction(end, `cap_a ${status}`);
      given(...ended)
        .when(late(status))
        .then(mismatch);
      given(...ended, mismatch)
        .when(late(status))
        .thenNothing();
    }
  });

  test('is ignored if it may have been made before the payment ended', () => {
    given(...canceled)
      .when(late('accepted'))
      .thenNothing();
  });
});

describe('a capture that the provider rejects', () => {
  const reject: PaymentCommand = {
    type: 'RejectCapture',
    captureId: 'cap_a',
    reason: '422 too small',
    at: now,
  };
  const rejected: PaymentEvent = {
    type: 'CaptureRejected',
    captureId: 'cap_a',
    amountMinor: 500,
    reason: '422 too small',
    at: now,
  };
  const requested = [...authorized, asked(500, 'cap_a')];

  test('fails, and its amount can be captured again', () => {
    given(...requested)
      .when(reject)
      .then(rejected);
    const state = stateOf([...requested, rejected]);
    expect(state).toMatchObject({ captures: [{ status: 'failed' }] });
    expect(capturableMinor(state)).toBe(AUTHORIZED_MINOR);
    given(...requested, rejected)
      .when(reject)
      .thenNothing();
  });

  test('no longer has an unknown result', () => {
    given(...requested, { type: 'RequestResultUnknown', request: 'capture', at: now })
      .when(reject)
      .then(rejected, { type: 'RequestResultResolved', request: 'capture', at: now });
  });

  test('stays accepted if a read shows it before the rejection is recorded', () => {
    given(...perform(requested, observe(several(['cap_a', 'accepted']))))
      .when(reject)
      .thenNothing();
  });

  test('no longer counts as failed if a later read shows it', () => {
    const facts = {
      captureId: 'cap_a',
      amountMinor: 500,
      providerCaptureId: 'theirs_cap_a',
      at: now,
    };
    const late = observe(several(['cap_a', 'captured']));
    given(...requested, rejected)
      .when(late)
      .then(
        { type: 'CaptureAccepted', ...facts },
        { type: 'CaptureSent', ...facts },
        { type: 'PaymentCaptured', ...facts },
      );
    const end = perform([...requested, rejected], late);
    expect(stateOf(end)).toMatchObject({
      status: 'captured',
      captures: [{ captureId: 'cap_a', status: 'captured' }],
      mismatches: [],
    });
    expect(capturedMinor(stateOf(end))).toBe(500);
    given(...end)
      .when(late)
      .thenNothing();
  });

  test('makes a later capture request fail if a read still shows the rejected capture and the authorization is too small for both captures', () => {
    const again = asked(1_000, 'cap_b');
    const end = perform([...requested, rejected, again], observe(several(['cap_a', 'sent'])));
    expect(end.slice(requested.length + 2)).toMatchObject([
      { type: 'CaptureRejected', captureId: 'cap_b', amountMinor: 1_000 },
      { type: 'CaptureAccepted', captureId: 'cap_a' },
      { type: 'CaptureSent', captureId: 'cap_a' },
    ]);
    expect(capturableMinor(stateOf(end))).toBe(750);
  });

  test('is recorded as a mismatch if a read shows it and all captures together exceed the authorized amount', () => {
    const both = withCaptures('authorized', [
      shown('cap_b', 1_000, 'accepted'),
      shown('cap_a', 500, 'accepted'),
    ]);
    const end = perform([...requested, rejected, asked(1_000, 'cap_b')], observe(both));
    expect(end.at(-1)).toMatchObject({
      type: 'PaymentMismatchObserved',
      aspect: 'capture',
      expected: 'at most 250',
      observed: 'cap_a 500',
    });
  });

  test('reduces the released amount if a later read shows the capture', () => {
    const closing = observe(withCaptures('captured', [shown('cap_x', 500, 'captured')]));
    const closed = perform([...requested, rejected], closing);
    expect(stateOf(closed)).toMatchObject({ releasedMinor: 750 });
    const both = [shown('cap_x', 500, 'captured'), shown('cap_a', 500, 'captured')];
    const end = perform(closed, observe(withCaptures('captured', both)));
    expect(stateOf(end)).toMatchObject({ status: 'captured', releasedMinor: 250, mismatches: [] });
  });
});

describe('a second capture', () => {
  test('is rejected if the provider supports only one capture', () => {
    given(...authorized, asked(500))
      .when(capture(250, IN_PART, 'cap_more'))
      .thenRejected('capability_missing');
    const whole: PaymentCommand = {
      type: 'RequestCapture',
      captureId: 'cap_more',
      by: 'platform',
      at: now,
    };
    given(...perform([...authorized, asked(500)], observe(seen('to_capture'))))
      .when(whole)
      .thenRejected('capability_missing');
  });

  test('is taken for a repetition of the first capture request if the amounts are equal', () => {
    given(...authorized, asked(500))
      .when(capture(500, IN_PART, 'cap_more'))
      .thenNothing();
  });
});

test('the id of a capture that we did not request is derived from the id of the payment', () => {
  expect(impliedCaptureId('pay_3xKq0Zb7Yw2m4c9NfTgV1hJa')).toBe('cap_3xKq0Zb7Yw2m4c9NfTgV1hJa');
  expect(stateOf(perform(authorized, observe(seen('captured'))))).toMatchObject({
    captures: [{ captureId: 'cap_1', amountMinor: AUTHORIZED_MINOR, status: 'captured' }],
  });
});

test('the capture of a payment fails if the payment is canceled before clearing', () => {
  const history = [observe(seen('to_capture')), observe(seen('canceled'))].reduce<
    readonly PaymentEvent[]
  >(perform, [...authorized, asked(500)]);
  expect(stateOf(history)).toMatchObject({
    status: 'canceled',
    captures: [{ captureId: 'cap_asked', amountMinor: 500, status: 'failed' }],
  });
  expect(capturedMinor(stateOf(history))).toBe(0);
});

test('captures never exceed the authorized amount, and refunds never exceed the captured amount', () => {
  const amounts = fc.integer({ min: -10, max: 1_500 });
  const capabilities = fc.record({ partialCapture: fc.boolean(), multipleCapture: fc.boolean() });
  const happening = fc.oneof(
    fc
      .tuple(amounts, capabilities, fc.nat(5))
      .map(([amountMinor, can, n]) => capture(amountMinor, can, `cap_${n}`)),
    fc.tuple(amounts, fc.nat(5)).map(([amountMinor, n]): PaymentCommand => ({
      type: 'RequestRefund',
      requestId: `rfr_${n}`,
      amountMinor,
      reference: null,
      reason: null,
      at: now,
    })),
    fc
      .tuple(fc.nat(5), amounts, fc.constantFrom('accepted', 'sent', 'captured'))
      .map(([n, amountMinor, status]) =>
        observe(
          withCaptures(
            n % 3 === 0 ? 'captured' : 'authorized',
            amountMinor <= 0 ? [] : [shown(`cap_${n}`, amountMinor, status)],
          ),
        ),
      ),
    fc.nat(5).map((n): PaymentCommand => ({
      type: 'RejectCapture',
      captureId: `cap_${n}`,
      reason: '422',
      at: now,
    })),
    fc
      .tuple(fc.constantFrom('to_capture', 'capture_sent', 'captured'), amounts, fc.nat(3))
      .map(([status, amountMinor, n]) =>
        observe({
          ...seen(status),
          refunds:
            status === 'to_capture' || amountMinor <= 0
              ? null
              : [refund(n, 'refunded', amountMinor)],
        }),
      ),
  );
  let captures = 0;
  let refunds = 0;
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 15 }), (happenings) => {
      let history: readonly PaymentEvent[] = authorized;
      for (const command of happenings) {
        try {
          history = perform(history, command);
        } catch (error) {
          if ((error as Error).name !== 'Rejection') throw error;
        }
        const payment = stateOf(history);
        if (!exists(payment)) throw new Error('the payment exists');
        const captured = capturedMinor(payment);
        const taken = takenByCaptures(payment.captures);
        expect(captured).toBeLessThanOrEqual(taken);
        expect(taken).toBeLessThanOrEqual(AUTHORIZED_MINOR);
        const back = takenByRefunds(payment.refunds.filter(({ status }) => status === 'refunded'));
        expect(back).toBeLessThanOrEqual(captured);
        captures += captured > 0 && captured < AUTHORIZED_MINOR ? 1 : 0;
        refunds += back > 0 ? 1 : 0;
      }
    }),
    { numRuns: 1_000 },
  );
  // The test proves something only if enough of the generated requests lead to captures and
  // refunds.
  expect(Math.min(captures, refunds)).toBeGreaterThan(50);
});
