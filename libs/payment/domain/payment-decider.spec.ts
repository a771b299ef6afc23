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
  by: 'policy',
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
  createdAt: parseInstant('2026-03-01T10:01:00Z'),
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

describe('the intent', () => {
  const request: PaymentCommand = { type: 'RequestIntent', ...terms, at };

  test('is requested once', () => {
    given().when(request).then(requested);
    given(requested).when(request).thenNothing();
  });

  test('is created when it is first seen, by whatever way', () => {
    given(requested).when(observe('open', [])).then(created);
    given(requested, created).when(observe('open', [])).thenNothing();
  });

  test('that was rejected is final', () => {
    const reject: PaymentCommand = { type: 'ObserveIntentRejection', reason: 'amount', at: now };
    given(requested).when(reject).then({ type: 'IntentRejected', reason: 'amount', at: now });
    given(requested, created).when(reject).thenNothing();
  });

  test('that was rejected and shows up nevertheless is told once', () => {
    const rejected: PaymentEvent = { type: 'IntentRejected', reason: 'amount', at: now };
    const told: PaymentEvent = {
      type: 'ProviderMismatchObserved',
      aspect: 'status',
      expected: 'rejected',
      observed: 'authorized',
      at: now,
    };
    given(requested, rejected).when(observe('authorized')).then(told);
    given(requested, rejected, told).when(observe('authorized')).thenNothing();
  });
});

describe('what the provider shows', () => {
  test('moves the payment forward', () => {
    given(requested, created).when(observe('authorized')).then(authorized);
    given(requested, created, authorized).when(observe('to_capture')).then(accepted);
    given(requested, created, authorized, accepted).when(observe('capture_sent')).then(sent);
    given(requested, created, authorized, accepted, sent).when(observe('captured')).then(captured);
  });

  test('tells all that must have happened on the way', () => {
    given(requested).when(observe('captured')).then(created, authorized, accepted, sent, captured);
    given(requested, created)
      .when(observe('unpaid', [attempt({ status: 'expired' })]))
      .then(authorized, { type: 'AuthorizationExpired', at: now });
  });

  test('is ignored when it is known, or older than what is known', () => {
    given(requested, created, authorized, accepted).when(observe('to_capture')).thenNothing();
    given(requested, created, authorized, accepted).when(observe('authorized')).thenNothing();
    given(requested, created, authorized, canceled).when(observe('authorized')).thenNothing();
    given(requested, created, canceled).when(observe('open')).thenNothing();
  });

  test('that cannot follow is told once and changes nothing', () => {
    const mismatch: PaymentEvent = {
      type: 'ProviderMismatchObserved',
      aspect: 'status',
      expected: 'canceled',
      observed: 'captured',
      at: now,
    };
    given(requested, created, canceled).when(observe('captured')).then(mismatch);
    given(requested, created, canceled, mismatch).when(observe('captured')).thenNothing();
  });

  test('in a status we do not know is pending and told, never a failure', () => {
    given(requested, created).when(observe('on_a_journey')).then({
      type: 'ProviderMismatchObserved',
      aspect: 'status',
      expected: 'open',
      observed: 'on_a_journey',
      at: now,
    });
  });

  const told = (aspect: 'amount' | 'currency' | 'intent', expected: string, observed: string) =>
    ({ type: 'ProviderMismatchObserved', aspect, expected, observed, at: now }) as const;

  test('of another intent, or of one that does not carry our reference, is not taken in', () => {
    const history = [requested, created];
    given(...history)
      .when(observe('authorized', [attempt()], { intentId: 'pi_2' }))
      .then(told('intent', 'pi_1', 'pi_2'));
    given(...history)
      .when(observe('authorized', [attempt()], { reference: 'pay_2' }))
      .then(told('intent', 'pay_1', 'pay_2'));
    given(requested)
      .when(observe('authorized', [attempt()], { reference: null }))
      .then(told('intent', 'pay_1', 'no reference'));
    given(requested, told('intent', 'pay_1', 'no reference'))
      .when(observe('authorized', [attempt()], { reference: null }))
      .thenNothing();
  });

  test('of another intent settles no call', () => {
    const unknown: PaymentEvent = { type: 'OutcomeUnknown', call: 'create_intent', at: now };
    const reading = observe('open', [], { reference: null }) as PaymentCommand & {
      type: 'ObservePayment';
    };
    given(requested, unknown)
      .when({ ...reading, settles: 'create_intent' })
      .then(told('intent', 'pay_1', 'no reference'));
  });

  test('with other money is told first, and is never captured', () => {
    const history = [requested, created];
    given(...history)
      .when(observe('authorized', [attempt()], { amountMinor: 1249 }))
      .then(told('amount', '1250', '1249'), authorized);
    given(...history)
      .when(observe('authorized', [attempt()], { currency: 'usd' }))
      .then(told('currency', 'eur', 'usd'), authorized);
    const other = [...history, told('amount', '1250', '1249'), authorized];
    given(...other)
      .when({ type: 'RequestCapture', captureId: 'cap_1', by: 'policy', at: now })
      .thenNothing();
    given(...other)
      .when({ type: 'RequestCapture', captureId: 'cap_1', by: 'platform', at: now })
      .thenRejected('payment_closing');
  });

  test('with other money ends like any other', () => {
    const other = [requested, created, told('amount', '1250', '1249'), authorized];
    given(...other)
      .when(observe('canceled', [attempt()], { amountMinor: 1249 }))
      .then(canceled);
  });

  test('of a refused attempt leaves the intent open for the next', () => {
    const refused = attempt({ status: 'refused', response: '51' });
    const told: PaymentEvent = {
      type: 'AttemptRefused',
      attemptId: 'paym_1',
      response: '51',
      at: now,
    };
    given(requested, created)
      .when(observe('open', [refused]))
      .then(told);
    given(requested, created, told)
      .when(observe('open', [refused]))
      .thenNothing();
    const second = attempt({ attemptId: 'paym_2' });
    given(requested, created, told)
      .when(observe('authorized', [refused, second]))
      .then({ ...authorized, attemptId: 'paym_2' } as PaymentEvent);
  });

  test('by an answer without attempts waits for a full read to tell of the authorization', () => {
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

  test('goes its own way to captured', () => {
    given(requested, created)
      .when(observe('captured', [debit('captured')]))
      .then(debitAccepted, sent, captured);
  });

  test('that comes back is returned with its reason, not refused', () => {
    given(requested, created, debitAccepted)
      .when(observe('unpaid', [debit('refused', 'AM04')]))
      .then({ type: 'DirectDebitReturned', response: 'AM04', at: now });
  });
});

describe('capture', () => {
  const capture = (by: 'policy' | 'platform'): PaymentCommand => ({
    type: 'RequestCapture',
    captureId: 'cap_1',
    by,
    at: now,
  });

  test('follows authorization', () => {
    given(requested, created, authorized).when(capture('policy')).then(captureRequested);
    given(requested, created).when(capture('platform')).thenRejected('not_authorized');
    given(requested, created, canceled).when(capture('platform')).thenRejected('payment_ended');
  });

  test('of a payment whose page was seen to finish is confirmed', () => {
    given(requested, created, authorized, { type: 'PageFinished', at: now })
      .when(capture('platform'))
      .then({
        type: 'CaptureRequested',
        captureId: 'cap_1',
        amountMinor: 1250,
        by: 'platform',
        unconfirmed: false,
        at: now,
      });
  });

  test('asked for again changes nothing', () => {
    given(requested, created, authorized, captureRequested).when(capture('platform')).thenNothing();
    given(requested, created, authorized, captureRequested, accepted)
      .when(capture('platform'))
      .thenNothing();
  });

  test('by policy asks in vain without harm', () => {
    given(requested, created).when(capture('policy')).thenNothing();
    given(requested, created, authorized, cancelRequested('cancellation'))
      .when(capture('policy'))
      .thenNothing();
  });

  test('does not begin while a cancellation is under way', () => {
    given(requested, created, authorized, cancelRequested('cancellation'))
      .when(capture('platform'))
      .thenRejected('payment_closing');
  });
});

describe('cancel', () => {
  const cancel = (reason: 'cancellation' | 'expiry'): PaymentCommand => ({
    type: 'RequestCancel',
    reason,
    at: now,
  });

  test('is asked for once, and a cancellation outranks an expiry', () => {
    given(requested, created).when(cancel('expiry')).then(cancelRequested('expiry'));
    given(requested, created, cancelRequested('expiry')).when(cancel('expiry')).thenNothing();
    given(requested, created, cancelRequested('expiry'))
      .when(cancel('cancellation'))
      .then(cancelRequested('cancellation'));
    given(requested, created, cancelRequested('cancellation')).when(cancel('expiry')).thenNothing();
  });

  test('by expiry takes nothing back from who has paid', () => {
    given(requested, created, authorized).when(cancel('expiry')).thenNothing();
    given(requested, created, cancelRequested('expiry'), authorized)
      .when({ type: 'RequestCapture', captureId: 'cap_1', by: 'policy', at: now })
      .then(captureRequested);
  });

  test('releases an authorization that the platform does not want', () => {
    given(requested, created, authorized)
      .when(cancel('cancellation'))
      .then(cancelRequested('cancellation'));
  });

  test('comes too late once the capture is sent, and after the end', () => {
    given(requested, created, authorized, accepted, sent)
      .when(cancel('cancellation'))
      .thenNothing();
    given(requested, created, canceled).when(cancel('cancellation')).thenNothing();
  });
});

describe('an unknown outcome', () => {
  const unknown = (call: 'create_intent' | 'capture' | 'cancel'): PaymentEvent => ({
    type: 'OutcomeUnknown',
    call,
    at: now,
  });
  const settled = (call: 'create_intent' | 'capture' | 'cancel'): PaymentEvent => ({
    type: 'OutcomeSettled',
    call,
    at: now,
  });

  test('is told once', () => {
    const note: PaymentCommand = { type: 'NoteUnknownOutcome', call: 'capture', at: now };
    given(requested, created, authorized, captureRequested).when(note).then(unknown('capture'));
    given(requested, created, authorized, captureRequested, unknown('capture'))
      .when(note)
      .thenNothing();
  });

  test('is none where somebody else has shown meanwhile what came of the call', () => {
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

  test('is settled by whatever shows the effect', () => {
    given(requested, unknown('create_intent'))
      .when(observe('open', []))
      .then(created, settled('create_intent'));
    given(requested, created, authorized, captureRequested, unknown('capture'))
      .when(observe('to_capture'))
      .then(accepted, settled('capture'));
    given(requested, created, cancelRequested('expiry'), unknown('cancel'))
      .when(observe('canceled'))
      .then(canceled, settled('cancel'));
  });

  test('is not settled by a read that shows nothing, unless the read was made for it', () => {
    const history = [requested, created, authorized, captureRequested, unknown('capture')];
    given(...history)
      .when(observe('authorized'))
      .thenNothing();
    const reading = observe('authorized') as PaymentCommand & { type: 'ObservePayment' };
    given(...history)
      .when({ ...reading, settles: 'capture' })
      .then(settled('capture'));
  });
});

describe('an intent that the provider has forgotten', () => {
  const conclude: PaymentCommand = { type: 'ConcludeForgotten', at: now };

  test('ends by what is known of it', () => {
    const unknown: PaymentEvent = { type: 'OutcomeUnknown', call: 'cancel', at: now };
    const history = [requested, created, cancelRequested('expiry')];
    given(...history)
      .when(conclude)
      .then(canceled);
    given(...history, unknown)
      .when(conclude)
      .then(canceled, { type: 'OutcomeSettled', call: 'cancel', at: now });
    given(requested, created, authorized).when(conclude).then(canceled);
    given(requested, created, canceled).when(conclude).thenNothing();
  });

  test('gives no money back that was taken', () => {
    given(requested, created, authorized, accepted, sent).when(conclude).thenNothing();
  });
});

describe('the page', () => {
  test('is seen to finish once', () => {
    const finish: PaymentCommand = { type: 'FinishPage', at: now };
    given(requested, created).when(finish).then({ type: 'PageFinished', at: now });
    given(requested, created, { type: 'PageFinished', at: now }).when(finish).thenNothing();
  });
});

describe('an authorization that nobody captures', () => {
  test('is warned of once before it ends', () => {
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

  test('is not warned of once it is over, however late anybody looks', () => {
    const at = parseInstant('2026-03-08T10:01:00Z');
    given(requested, created, authorized).when({ type: 'WarnOfExpiry', at }).thenNothing();
  });
});
