import { type Instant, parseInstant } from '#kernel';
import { scenario } from '#testing';
import type { OrderCommand } from './order-command.js';
import { orderDecider } from './order-decider.js';
import type { OrderEvent, OrderTerms } from './order-event.js';

const given = scenario(orderDecider);

const at: Instant = parseInstant('2026-03-01T10:00:00Z');
const later: Instant = parseInstant('2026-03-01T10:05:00Z');

const terms: OrderTerms = {
  platformId: 'shop',
  merchantId: 'baker',
  accountId: 'acc_1',
  reference: 'R-1',
  amountMinor: 1250,
  currency: 'eur',
  capture: { policy: 'automatic' },
  methods: ['card'],
  returnUrl: null,
  description: null,
  metadata: {},
  expiresAt: parseInstant('2026-03-01T10:30:00Z'),
};

const place = (change: Partial<OrderTerms> = {}): OrderCommand => ({
  type: 'PlaceOrder',
  ...terms,
  ...change,
  at,
});
const placed: OrderEvent = { type: 'OrderPlaced', ...terms, at };
const started: OrderEvent = { type: 'OrderPaymentStarted', paymentId: 'pay_1', ordinal: 1, at };
const authorized: OrderEvent = { type: 'OrderAuthorized', paymentId: 'pay_1', at };
const cancellation: OrderEvent = { type: 'OrderCancellationRequested', at };
const expiry: OrderEvent = { type: 'OrderExpiryReached', at };
const paid: OrderEvent = {
  type: 'OrderPaid',
  paymentId: 'pay_1',
  amountMinor: 1250,
  currency: 'eur',
  at,
};
const canceled: OrderEvent = { type: 'OrderCanceled', at };
const expired: OrderEvent = { type: 'OrderExpired', at };

const cancel: OrderCommand = { type: 'RequestCancellation', at: later };
const confirmPaid: OrderCommand = {
  type: 'ConfirmPaid',
  paymentId: 'pay_1',
  amountMinor: 1250,
  at: later,
};
const noteCapture = (captureId: string, amountMinor: number): OrderCommand => ({
  type: 'NoteCapture',
  paymentId: 'pay_1',
  captureId,
  amountMinor,
  at: later,
});

describe('placing an order', () => {
  test('records the terms of the order', () => given().when(place()).then(placed));

  test('is recorded only once', () => given(placed).when(place()).thenRejected('order_exists'));

  test.each([
    ['in the past', '2026-03-01T09:59:59Z'],
    ['immediately', '2026-03-01T10:00:00Z'],
    ['after more than 30 days', '2026-03-31T10:00:01Z'],
  ])('is rejected if the order would expire %s', (_when, expiresAt) => {
    given()
      .when(place({ expiresAt: parseInstant(expiresAt) }))
      .thenRejected('invalid_expiry');
  });

  test('is rejected if its capture could be delayed beyond the end of the authorization', () => {
    const capture = { policy: 'delayed', delayMs: 6 * 86_400_000 + 1 } as const;
    given().when(place({ capture })).thenRejected('invalid_capture_delay');
  });

  test('is rejected if it names no payment method, or the same method twice', () => {
    given()
      .when(place({ methods: [] }))
      .thenRejected('invalid_methods');
    given()
      .when(place({ methods: ['card', 'card'] }))
      .thenRejected('invalid_methods');
  });

  test('by direct debit is rejected in a currency other than eur', () => {
    given()
      .when(place({ methods: ['card', 'sepa'], currency: 'usd' }))
      .thenRejected('invalid_currency');
  });
});

describe('a payment of an order', () => {
  test('has a number, and is started once', () => {
    const start = (paymentId: string): OrderCommand => ({
      type: 'StartPayment',
      paymentId,
      at: later,
    });
    given(placed)
      .when(start('pay_1'))
      .then({ ...started, at: later } as OrderEvent);
    given(placed, started).when(start('pay_1')).thenNothing();
    given(placed, started)
      .when(start('pay_2'))
      .then({ type: 'OrderPaymentStarted', paymentId: 'pay_2', ordinal: 2, at: later });
  });

  test('is not started after the order has ended, but the start of an existing payment can be repeated without an error', () => {
    const start = (paymentId: string): OrderCommand => ({
      type: 'StartPayment',
      paymentId,
      at: later,
    });
    const ended = [placed, started, cancellation, canceled];
    given(placed, started, paid).when(start('pay_2')).thenRejected('order_paid');
    given(...ended)
      .when(start('pay_2'))
      .thenRejected('order_ended');
    given(placed, started, paid).when(start('pay_1')).thenNothing();
    given(...ended)
      .when(start('pay_1'))
      .thenNothing();
  });

  test('pays the order in full, and only once', () => {
    given(placed, started)
      .when(confirmPaid)
      .then({ ...paid, at: later } as OrderEvent);
    given(placed, started, paid).when(confirmPaid).thenNothing();
  });

  test('pays the order with its first capture, and each further capture is added once', () => {
    const part: OrderEvent = {
      type: 'OrderPaid',
      paymentId: 'pay_1',
      captureId: 'cap_1',
      amountMinor: 500,
      currency: 'eur',
      at: later,
    };
    const further: OrderEvent = {
      type: 'OrderCaptured',
      paymentId: 'pay_1',
      captureId: 'cap_2',
      amountMinor: 700,
      paidMinor: 1_200,
      currency: 'eur',
      at: later,
    };
    given(placed, started)
      .when({ ...confirmPaid, captureId: 'cap_1', amountMinor: 500 } as OrderCommand)
      .then(part);
    given(placed, started, part).when(noteCapture('cap_1', 500)).thenNothing();
    given(placed, started, part).when(noteCapture('cap_2', 700)).then(further);
    given(placed, started, part, further).when(noteCapture('cap_2', 700)).thenNothing();
    given(placed, started, part, further).when(noteCapture('cap_3', 51)).thenNothing();
    given(placed, started).when(noteCapture('cap_2', 700)).thenNothing();
  });

  test('follows a capture whose amount the provider has changed', () => {
    const part: OrderEvent = { ...paid, captureId: 'cap_1', amountMinor: 500 } as OrderEvent;
    const changed: OrderEvent = {
      type: 'OrderCaptureCorrected',
      paymentId: 'pay_1',
      captureId: 'cap_1',
      previousAmountMinor: 500,
      amountMinor: 300,
      paidMinor: 300,
      currency: 'eur',
      at: later,
    };
    given(placed, started, part).when(noteCapture('cap_1', 300)).then(changed);
    given(placed, started, part, changed).when(noteCapture('cap_1', 300)).thenNothing();
    const further: OrderEvent = {
      type: 'OrderCaptured',
      paymentId: 'pay_1',
      captureId: 'cap_2',
      amountMinor: 700,
      paidMinor: 1_000,
      currency: 'eur',
      at: later,
    };
    given(placed, started, part, changed).when(noteCapture('cap_2', 700)).then(further);
    given(placed, started, part, changed, further)
      .when(noteCapture('cap_1', 550))
      .then({ ...changed, previousAmountMinor: 300, amountMinor: 550, paidMinor: 1_250 });
    given(placed, started, part, changed, further).when(noteCapture('cap_1', 551)).thenNothing();
  });

  test('records an authorization once', () => {
    const note: OrderCommand = { type: 'NoteAuthorization', paymentId: 'pay_1', at: later };
    given(placed, started)
      .when(note)
      .then({ ...authorized, at: later } as OrderEvent);
    given(placed, started, authorized).when(note).thenNothing();
  });
});

describe('canceling an order', () => {
  test('waits for the payment to end', () => {
    given(placed, started)
      .when(cancel)
      .then({ ...cancellation, at: later } as OrderEvent);
    given(placed, started, authorized)
      .when(cancel)
      .then({ ...cancellation, at: later } as OrderEvent);
  });

  test('changes nothing when it is repeated', () => {
    given(placed, started, cancellation).when(cancel).thenNothing();
    given(placed, started, cancellation, canceled).when(cancel).thenNothing();
  });

  test('replaces an expiry that is in progress', () => {
    given(placed, started, expiry)
      .when(cancel)
      .then({ ...cancellation, at: later } as OrderEvent);
  });

  test('is rejected for a paid or expired order', () => {
    given(placed, started, paid).when(cancel).thenRejected('order_paid');
    given(placed, started, expiry, expired).when(cancel).thenRejected('order_ended');
  });

  test('is not changed by an authorization that is observed after the cancellation', () => {
    const note: OrderCommand = { type: 'NoteAuthorization', paymentId: 'pay_1', at: later };
    given(placed, started, cancellation).when(note).thenNothing();
  });

  test('is overridden by a capture that was made before the cancellation', () => {
    given(placed, started, cancellation)
      .when(confirmPaid)
      .then({ ...paid, at: later } as OrderEvent);
  });
});

describe('the expiry of an order', () => {
  const reach: OrderCommand = { type: 'ReachExpiry', at: later };

  test('closes an open order, and leaves an authorized or paid order unchanged', () => {
    given(placed, started)
      .when(reach)
      .then({ ...expiry, at: later } as OrderEvent);
    given(placed, started, authorized).when(reach).thenNothing();
    given(placed, started, authorized, paid).when(reach).thenNothing();
  });

  test('is undone when a read shows an authorization that was made before the expiry', () => {
    const note: OrderCommand = { type: 'NoteAuthorization', paymentId: 'pay_1', at: later };
    given(placed, started, expiry)
      .when(note)
      .then({ ...authorized, at: later } as OrderEvent);
  });

  test('leaves an ended order unchanged', () => {
    const close: OrderCommand = { type: 'CloseOrder', outcome: 'expired', reason: '', at: later };
    given(placed, started, paid).when(close).thenNothing();
    given(placed, started, cancellation, canceled).when(close).thenNothing();
  });
});
