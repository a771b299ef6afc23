import { type Instant, parseInstant } from '#kernel';
import { scenario } from '#testing';
import type { ObservedAttempt } from './observation.js';
import type { PaymentCommand } from './payment-command.js';
import { paymentDecider } from './payment-decider.js';
import type { PaymentEvent, PaymentTerms } from './payment-event.js';

const given = scenario(paymentDecider);

const at: Instant = parseInstant('2026-03-01T10:00:00Z');
const now: Instant = parseInstant('2026-03-01T10:05:00Z');

const terms: PaymentTerms = {
  orderId: 'ord_1',
  platformId: 'shop',
  accountId: 'acc_1',
  amountMinor: 1250,
  currency: 'eur',
  methods: ['card'],
  returnUrl: null,
  description: null,
};
const requested: PaymentEvent = { type: 'IntentRequested', ...terms, at };
const created: PaymentEvent = {
  type: 'IntentCreated',
  intentId: 'pi_1',
  pageUrl: 'https://pay.example/pi_1',
  at: now,
};
const authorized: PaymentEvent = {
  type: 'PaymentAuthorized',
  attemptId: 'paym_1',
  expiresAt: parseInstant('2026-03-08T10:01:00Z'),
  at: now,
};
const captureRequested: PaymentEvent = {
  type: 'CaptureRequested',
  captureId: 'cap_1',
  amountMinor: 1250,
  requestedBy: 'policy',
  unconfirmed: true,
  at: now,
};
const accepted: PaymentEvent = {
  type: 'CaptureAccepted',
  captureId: 'cap_1',
  amountMinor: 1250,
  at: now,
};
const sent: PaymentEvent = {
  type: 'CaptureSent',
  captureId: 'cap_1',
  amountMinor: 1250,
  at: now,
};
const captured: PaymentEvent = {
  type: 'PaymentCaptured',
  captureId: 'cap_1',
  amountMinor: 1250,
  at: now,
};
const canceled: PaymentEvent = { type: 'PaymentCanceled', at: now };
const cancelRequested = (reason: 'cancellation' | 'expiry'): PaymentEvent => ({
  type: 'CancelRequested',
  reason,
  at: now,
});

const attempt = (change: Partial<ObservedAttempt> = {}): ObservedAttempt => ({
  attemptId: 'paym_1',
  status: 'authorized',
  response: '00',
  method: 'card',
  mandateId: null,
  authorizedUntil: parseInstant('2026-03-08T10:01:00Z'),
  ...change,
});

const observe = (
  status: string,
  attempts: readonly ObservedAttempt[] | null = [attempt()],
  change: Partial<{
    amountMinor: number;
    currency: string;
    intentId: string;
    reference: string | null;
  }> = {},
): PaymentCommand => ({
  type: 'ObservePayment',
  paymentId: 'pay_1',
  observation: {
    intent: {
      intentId: 'pi_1',
      reference: 'pay_1',
      pageUrl: 'https://pay.example/pi_1',
      status,
      amountMinor: 1250,
      currency: 'eur',
      ...change,
    },
    attempts,
    refunds: null,
    disputes: null,
  },
  at: now,
});

describe('an intent', () => {
  const request: PaymentCommand = { type: 'RequestIntent', ...terms, at };

  test('is requested at most once', () => {
    given().when(request).then(requested);
    given(requested).when(request).thenNothing();
  });

  test('is recorded as created by the first read that shows it', () => {
    given(requested).when(observe('open', [])).then(created);
    given(requested, created).when(observe('open', [])).thenNothing();
  });

  test('stays rejected after the provider has rejected it', () => {
    const reject: PaymentCommand = { type: 'ObserveIntentRejection', reason: 'amount', at: now };
    given(requested).when(reject).then({ type: 'IntentRejected', reason: 'amount', at: now });
    given(requested, created).when(reject).thenNothing();
  });

  test('is recorded as a mismatch, once, if it is observed after its creation was rejected', () => {
    const rejected: PaymentEvent = { type: 'IntentRejected', reason: 'amount', at: now };
    const mismatch: PaymentEvent = {
      type: 'PaymentMismatchObserved',
      aspect: 'status',
      expected: 'rejected',
      observed: 'authorized',
      at: now,
    };
    given(requested, rejected).when(observe('authorized')).then(mismatch);
    given(requested, rejected, mismatch).when(observe('authorized')).thenNothing();
  });
});

describe('an observed status', () => {
  test('advances the payment', () => {
    given(requested, created).when(observe('authorized')).then(authorized);
    given(requested, created, authorized).when(observe('to_capture')).then(accepted);
    given(requested, created, authorized, accepted).when(observe('capture_sent')).then(sent);
    given(requested, created, authorized, accepted, sent).when(observe('captured')).then(captured);
  });

  test('also records the phases that must precede the observed status', () => {
    given(requested).when(observe('captured')).then(created, authorized, accepted, sent, captured);
    given(requested, created)
      .when(observe('unpaid', [attempt({ status: 'expired' })]))
      .then(authorized, { type: 'AuthorizationExpired', at: now });
  });

  test('changes nothing if it is recorded already or is older than the recorded status', () => {
    given(requested, created, authorized, accepted).when(observe('to_capture')).thenNothing();
    given(requested, created, authorized, accepted).when(observe('authorized')).thenNothing();
    given(requested, created, authorized, canceled).when(observe('authorized')).thenNothing();
    given(requested, created, canceled).when(observe('open')).thenNothing();
  });

  test('is recorded as a mismatch, once, when it cannot follow the recorded status', () => {
    const mismatch: PaymentEvent = {
      type: 'PaymentMismatchObserved',
      aspect: 'status',
      expected: 'canceled',
      observed: 'captured',
      at: now,
    };
    given(requested, created, canceled).when(observe('captured')).then(mismatch);
    given(requested, created, canceled, mismatch).when(observe('captured')).thenNothing();
  });

  test('that contradicts the recorded status can be reviewed once, and again only when another contradiction is observed', () => {
    const mismatchOf = (seen: string): PaymentEvent => ({
      type: 'PaymentMismatchObserved',
      aspect: 'status',
      expected: 'canceled',
      observed: seen,
      at: now,
    });
    const review: PaymentCommand = { type: 'ReviewMismatches', at: now };
    const reviewOf = (...seen: readonly string[]): PaymentEvent => ({
      type: 'PaymentMismatchesReviewed',
      mismatches: seen.map((one) => `status:canceled:${one}`),
      at: now,
    });
    const ended = [requested, created, canceled];
    const first = mismatchOf('captured');
    given(...ended)
      .when(review)
      .thenRejected('no_mismatch');
    given(...ended, first)
      .when(review)
      .then(reviewOf('captured'));
    given(...ended, first, reviewOf('captured'))
      .when(review)
      .thenRejected('no_mismatch');
    given(...ended, first, reviewOf('captured'))
      .when(observe('captured'))
      .thenNothing();
    given(...ended, first, reviewOf('captured'), mismatchOf('capture_sent'))
      .when(review)
      .then(reviewOf('capture_sent'));
  });

  test('counts as pending, and is recorded as a mismatch, if it is unrecognised', () => {
    given(requested, created).when(observe('on_a_journey')).then({
      type: 'PaymentMismatchObserved',
      aspect: 'status',
      expected: 'open',
      observed: 'on_a_journey',
      at: now,
    });
  });

  const mismatch = (aspect: 'amount' | 'currency' | 'intent', expected: string, observed: string) =>
    ({ type: 'PaymentMismatchObserved', aspect, expected, observed, at: now }) as const;

  test('is recorded as a mismatch and otherwise ignored if the intent has an unexpected id, an unexpected reference or no reference', () => {
    const history = [requested, created];
    given(...history)
      .when(observe('authorized', [attempt()], { intentId: 'pi_2' }))
      .then(mismatch('intent', 'pi_1', 'pi_2'));
    given(...history)
      .when(observe('authorized', [attempt()], { reference: 'pay_2' }))
      .then(mismatch('intent', 'pay_1', 'pay_2'));
    given(requested)
      .when(observe('authorized', [attempt()], { reference: null }))
      .then(mismatch('intent', 'pay_1', 'no reference'));
    given(requested, mismatch('intent', 'pay_1', 'no reference'))
      .when(observe('authorized', [attempt()], { reference: null }))
      .thenNothing();
  });

  test('does not resolve an unknown result if the status belongs to a different intent', () => {
    const unknown: PaymentEvent = {
      type: 'RequestResultUnknown',
      request: 'create_intent',
      at: now,
    };
    const reading = observe('open', [], { reference: null }) as PaymentCommand & {
      type: 'ObservePayment';
    };
    given(requested, unknown)
      .when({ ...reading, resolves: 'create_intent' })
      .then(mismatch('intent', 'pay_1', 'no reference'));
  });

  test('of an intent whose amount or currency is not the requested one is recorded after the mismatch, and the payment is never captured', () => {
    const history = [requested, created];
    given(...history)
      .when(observe('authorized', [attempt()], { amountMinor: 1249 }))
      .then(mismatch('amount', '1250', '1249'), authorized);
    given(...history)
      .when(observe('authorized', [attempt()], { currency: 'usd' }))
      .then(mismatch('currency', 'eur', 'usd'), authorized);
    const other = [...history, mismatch('amount', '1250', '1249'), authorized];
    given(...other)
      .when({ type: 'RequestCapture', captureId: 'cap_1', by: 'policy', at: now })
      .thenNothing();
    given(...other)
      .when({ type: 'RequestCapture', captureId: 'cap_1', by: 'platform', at: now })
      .thenRejected('payment_closing');
  });

  test('of an intent whose latest attempt has another amount or currency is recorded after the mismatch', () => {
    const of = (status: string, amountMinor: number, currency = 'eur') =>
      attempt({ status, money: { amountMinor, currency } });
    given(requested, created)
      .when(observe('authorized', [of('authorized', 700)]))
      .then(mismatch('amount', '1250', '700'), authorized);
    given(requested, created)
      .when(observe('authorized', [of('authorized', 1250, 'usd')]))
      .then(mismatch('currency', 'eur', 'usd'), authorized);
    given(requested, created, authorized, accepted, sent)
      .when(observe('captured', [of('captured', 700)]))
      .then(mismatch('amount', '1250', '700'), captured);
    given(requested, created, mismatch('amount', '1250', '700'), authorized)
      .when(observe('authorized', [of('authorized', 700)]))
      .thenNothing();
  });

  test('shows no mismatch of an attempt that collects nothing, or whose amount is the requested one', () => {
    const money = { amountMinor: 700, currency: 'eur' };
    const refused = attempt({ attemptId: 'paym_0', status: 'refused', response: '13', money });
    const paying = attempt({ money: { amountMinor: 1250, currency: 'eur' } });
    given(requested, created)
      .when(observe('authorized', [refused, paying]))
      .then(
        { type: 'AttemptRefused', attemptId: 'paym_0', responseCode: '13', at: now },
        authorized,
      );
    given(requested, created)
      .when(observe('open', [attempt({ status: null, money })]))
      .thenNothing();
  });

  test("ends the payment even if the intent's amount differs from the requested amount", () => {
    const other = [requested, created, mismatch('amount', '1250', '1249'), authorized];
    given(...other)
      .when(observe('canceled', [attempt()], { amountMinor: 1249 }))
      .then(canceled);
  });

  test('that shows a refused attempt leaves the intent open for the next attempt', () => {
    const refused = attempt({ status: 'refused', response: '51' });
    const failedAttempt: PaymentEvent = {
      type: 'AttemptRefused',
      attemptId: 'paym_1',
      responseCode: '51',
      at: now,
    };
    given(requested, created)
      .when(observe('open', [refused]))
      .then(failedAttempt);
    given(requested, created, failedAttempt)
      .when(observe('open', [refused]))
      .thenNothing();
    const second = attempt({ attemptId: 'paym_2' });
    given(requested, created, failedAttempt)
      .when(observe('authorized', [refused, second]))
      .then({ ...authorized, attemptId: 'paym_2' } as PaymentEvent);
  });

  test('authorizes the payment only if a read with the payment attempts shows it; the response to a request contains no attempts', () => {
    given(requested, created).when(observe('to_capture', null)).thenNothing();
    given(requested, created, authorized).when(observe('to_capture', null)).then(accepted);
  });
});

describe('a direct debit', () => {
  const debit = (status: string, response: string | null = null) =>
    attempt({ method: 'sepa', status, response });
  const debitAccepted: PaymentEvent = {
    type: 'DirectDebitAccepted',
    attemptId: 'paym_1',
    at: now,
  };

  test('advances through the statuses of direct debits to captured', () => {
    given(requested, created)
      .when(observe('captured', [debit('captured')]))
      .then(debitAccepted, sent, captured);
  });

  test('is recorded as returned with its reason, not as refused, when the bank returns it', () => {
    given(requested, created, debitAccepted)
      .when(observe('unpaid', [debit('refused', 'AM04')]))
      .then({ type: 'DirectDebitReturned', reasonCode: 'AM04', at: now });
  });

  test('is not recorded as refused if it is returned between the reads of its intent and of its attempts', () => {
    given(requested, created, debitAccepted)
      .when(observe('processing', [debit('refused', 'AM04')]))
      .thenNothing();
    given(requested, created, debitAccepted, sent)
      .when(observe('capture_sent', [debit('refused', 'AM04')]))
      .thenNothing();
  });

  test('is followed by no mismatch when a read from before the payer chose it is recorded late', () => {
    const refusedCard = attempt({ attemptId: 'paym_0', status: 'refused', response: '51' });
    given(requested, created, debitAccepted)
      .when(observe('open', [refusedCard]))
      .then({ type: 'AttemptRefused', attemptId: 'paym_0', responseCode: '51', at: now });
  });
});

describe('a capture', () => {
  const capture = (by: 'policy' | 'platform'): PaymentCommand => ({
    type: 'RequestCapture',
    captureId: 'cap_1',
    by,
    at: now,
  });

  test('is requested after the authorization', () => {
    given(requested, created, authorized).when(capture('policy')).then(captureRequested);
    given(requested, created).when(capture('platform')).thenRejected('not_authorized');
    given(requested, created, canceled).when(capture('platform')).thenRejected('payment_ended');
  });

  test('is recorded with `unconfirmed: false` if the payment page was completed before the request', () => {
    given(requested, created, authorized, { type: 'PaymentPageCompleted', at: now })
      .when(capture('platform'))
      .then({
        type: 'CaptureRequested',
        captureId: 'cap_1',
        amountMinor: 1250,
        requestedBy: 'platform',
        unconfirmed: false,
        at: now,
      });
  });

  test('changes nothing when it is requested again', () => {
    given(requested, created, authorized, captureRequested).when(capture('platform')).thenNothing();
    given(requested, created, authorized, captureRequested, accepted)
      .when(capture('platform'))
      .thenNothing();
  });

  test('that the order’s policy requests is ignored if it is impossible', () => {
    given(requested, created).when(capture('policy')).thenNothing();
    given(requested, created, authorized, cancelRequested('cancellation'))
      .when(capture('policy'))
      .thenNothing();
  });

  test('is rejected while a cancellation is in progress', () => {
    given(requested, created, authorized, cancelRequested('cancellation'))
      .when(capture('platform'))
      .thenRejected('payment_closing');
  });
});

describe('a cancellation of the intent', () => {
  const cancel = (reason: 'cancellation' | 'expiry'): PaymentCommand => ({
    type: 'RequestCancel',
    reason,
    at: now,
  });

  test('is requested once, and a cancellation by the platform replaces a cancellation by expiry', () => {
    given(requested, created).when(cancel('expiry')).then(cancelRequested('expiry'));
    given(requested, created, cancelRequested('expiry')).when(cancel('expiry')).thenNothing();
    given(requested, created, cancelRequested('expiry'))
      .when(cancel('cancellation'))
      .then(cancelRequested('cancellation'));
    given(requested, created, cancelRequested('cancellation')).when(cancel('expiry')).thenNothing();
  });

  test('by expiry is not requested if the payer has already paid, and does not prevent the capture of a payment made in time', () => {
    given(requested, created, authorized).when(cancel('expiry')).thenNothing();
    given(requested, created, cancelRequested('expiry'), authorized)
      .when({ type: 'RequestCapture', captureId: 'cap_1', by: 'policy', at: now })
      .then(captureRequested);
  });

  test('by the platform releases an authorization', () => {
    given(requested, created, authorized)
      .when(cancel('cancellation'))
      .then(cancelRequested('cancellation'));
  });

  test('is not requested after the capture was sent, or after the payment has ended', () => {
    given(requested, created, authorized, accepted, sent)
      .when(cancel('cancellation'))
      .thenNothing();
    given(requested, created, canceled).when(cancel('cancellation')).thenNothing();
  });
});

describe('an unknown result', () => {
  const unknown = (request: 'create_intent' | 'capture' | 'cancel'): PaymentEvent => ({
    type: 'RequestResultUnknown',
    request,
    at: now,
  });
  const resolved = (request: 'create_intent' | 'capture' | 'cancel'): PaymentEvent => ({
    type: 'RequestResultResolved',
    request,
    at: now,
  });

  test('is recorded once for each request', () => {
    const note: PaymentCommand = { type: 'NoteUnknownOutcome', call: 'capture', at: now };
    given(requested, created, authorized, captureRequested).when(note).then(unknown('capture'));
    given(requested, created, authorized, captureRequested, unknown('capture'))
      .when(note)
      .thenNothing();
  });

  test('is not recorded if an earlier read has already shown the result', () => {
    const note = (call: 'create_intent' | 'capture'): PaymentCommand => ({
      type: 'NoteUnknownOutcome',
      call,
      at: now,
    });
    given(requested, created).when(note('create_intent')).thenNothing();
    given(requested, created, authorized, captureRequested, accepted)
      .when(note('capture'))
      .thenNothing();
  });

  test('is resolved by any read that shows the effect of the request', () => {
    given(requested, unknown('create_intent'))
      .when(observe('open', []))
      .then(created, resolved('create_intent'));
    given(requested, created, authorized, captureRequested, unknown('capture'))
      .when(observe('to_capture'))
      .then(accepted, resolved('capture'));
    given(requested, created, cancelRequested('expiry'), unknown('cancel'))
      .when(observe('canceled'))
      .then(canceled, resolved('cancel'));
  });

  test('is resolved as having had no effect only by a read that was made for this request', () => {
    const history = [requested, created, authorized, captureRequested, unknown('capture')];
    given(...history)
      .when(observe('authorized'))
      .thenNothing();
    const reading = observe('authorized') as PaymentCommand & { type: 'ObservePayment' };
    given(...history)
      .when({ ...reading, resolves: 'capture' })
      .then(resolved('capture'));
  });
});

describe('an intent that the provider has deleted', () => {
  const conclude: PaymentCommand = { type: 'ConcludeForgotten', at: now };

  test('ends the payment as canceled if no capture was sent', () => {
    const unknown: PaymentEvent = { type: 'RequestResultUnknown', request: 'cancel', at: now };
    const history = [requested, created, cancelRequested('expiry')];
    given(...history)
      .when(conclude)
      .then(canceled);
    given(...history, unknown)
      .when(conclude)
      .then(canceled, { type: 'RequestResultResolved', request: 'cancel', at: now });
    given(requested, created, authorized).when(conclude).then(canceled);
    given(requested, created, canceled).when(conclude).thenNothing();
  });

  test('does not change a captured payment', () => {
    given(requested, created, authorized, accepted, sent).when(conclude).thenNothing();
  });

  test('does not end a payment whose intent is not created yet: the request that creates it is retried', () => {
    given(requested).when(conclude).thenRejected('no_intent');
  });
});

describe('the payment page', () => {
  test('is recorded as completed at most once', () => {
    const finish: PaymentCommand = { type: 'FinishPage', at: now };
    given(requested, created).when(finish).then({ type: 'PaymentPageCompleted', at: now });
    given(requested, created, { type: 'PaymentPageCompleted', at: now }).when(finish).thenNothing();
  });
});

describe('an authorization that is not captured', () => {
  test('causes one warning before it expires', () => {
    const warn: PaymentCommand = { type: 'WarnOfExpiry', at: now };
    const warned: PaymentEvent = {
      type: 'AuthorizationExpiring',
      expiresAt: parseInstant('2026-03-08T10:01:00Z'),
      at: now,
    };
    given(requested, created, authorized).when(warn).then(warned);
    given(requested, created, authorized, warned).when(warn).thenNothing();
    given(requested, created, authorized, captureRequested).when(warn).thenNothing();
  });

  test('causes no warning after it has expired, even if the check for expiring authorizations runs late', () => {
    const at = parseInstant('2026-03-08T10:01:00Z');
    given(requested, created, authorized).when({ type: 'WarnOfExpiry', at }).thenNothing();
  });
});
