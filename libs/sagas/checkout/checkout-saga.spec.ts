import { DAY_MS, HOUR_MS, type Instant, parseInstant, plusMs } from '#kernel';
import type { CapturePolicy, OrderEvent, OrderTerms } from '#order';
import type { PaymentEvent } from '#payment';
import type { Checkout, CheckoutContext, CheckoutMessage, CheckoutReaction } from './checkout.js';
import { reactToCheckout } from './checkout-saga.js';

const at: Instant = parseInstant('2026-03-01T10:00:00Z');
const expiresAt = plusMs(at, HOUR_MS);
const authorizationEnds = plusMs(at, 7 * DAY_MS);

const terms = (capture: CapturePolicy): OrderTerms => ({
  platformId: 'shop',
  merchantId: 'baker',
  accountId: 'acc_1',
  reference: 'R-1',
  amountMinor: 1250,
  currency: 'eur',
  capture,
  methods: ['card'],
  returnUrl: null,
  description: null,
  metadata: {},
  expiresAt,
});

const context = (now: Instant, newPaymentId: string): CheckoutContext => ({
  orderId: 'ord_1',
  now,
  newPaymentId,
  newCaptureId: 'cap_1',
});

const order = (event: OrderEvent): CheckoutMessage => ({ from: 'order', event });
const payment = (event: PaymentEvent, paymentId = 'pay_1'): CheckoutMessage => ({
  from: 'payment',
  paymentId,
  event,
});
const deadline = (
  kind: Extract<CheckoutMessage, { from: 'deadline' }>['kind'],
): CheckoutMessage => ({ from: 'deadline', kind });

const placed = (capture: CapturePolicy = { policy: 'automatic' }) =>
  order({ type: 'OrderPlaced', ...terms(capture), at });
const cancellation = order({ type: 'OrderCancellationRequested', at });
const expiry = order({ type: 'OrderExpiryReached', at });
const authorized = payment({
  type: 'PaymentAuthorized',
  attemptId: 'paym_1',
  expiresAt: authorizationEnds,
  at,
});
const accepted = payment({ type: 'CaptureAccepted', captureId: 'cap_1', amountMinor: 1250, at });
const sent = payment({ type: 'CaptureSent', captureId: 'cap_1', at });
const canceled = payment({ type: 'PaymentCanceled', at });

/**
 * The saga's reaction to the last message, after its reactions to the earlier messages. The
 * payments are called `pay_1`, `pay_2`, …
 */
const after = (...messages: readonly CheckoutMessage[]): CheckoutReaction => run(at, messages);

/**
 * Passes messages to the saga. The placement of the order has its recorded time, all other messages
 * have the time `now`.
 */
const run = (now: Instant, messages: readonly CheckoutMessage[]): CheckoutReaction => {
  let state: Checkout = { status: 'none' };
  let reaction: CheckoutReaction | undefined;
  for (const message of messages) {
    const isPlaced = message.from === 'order' && message.event.type === 'OrderPlaced';
    const then = context(isPlaced ? at : now, `pay_${paymentsOf(state) + 1}`);
    reaction = reactToCheckout(state, message, then);
    state = reaction.state;
  }
  if (!reaction) throw new Error('a story has a message');
  return reaction;
};

const paymentsOf = (state: Checkout): number =>
  state.status === 'paying' ? Number(state.paymentId.slice(4)) : 0;

const asked = ({ commands }: CheckoutReaction): string[] =>
  commands.map((one) => `${one.to === 'order' ? 'order' : one.paymentId}: ${one.command.type}`);

test('the checkout throws for a saga state that a newer release wrote, and does not treat it as finished', () => {
  const newer = { status: 'reviewing' } as unknown as Checkout;
  for (const message of [placed(), authorized, deadline('checkout.expiry')]) {
    expect(() => reactToCheckout(newer, message, context(at, 'pay_1'))).toThrow('reviewing');
  }
});

describe('the captures of a payment', () => {
  const part = (captureId: string, type: 'CaptureAccepted' | 'CaptureSent'): CheckoutMessage =>
    payment({ type, captureId, providerCaptureId: `theirs_${captureId}`, amountMinor: 500, at });

  test('pay the order with the first capture, and each further capture is added to the order', () => {
    const first = after(placed({ policy: 'manual' }), authorized, part('cap_a', 'CaptureAccepted'));
    expect(first).toMatchObject({
      state: { status: 'done' },
      commands: [{ command: { type: 'ConfirmPaid', captureId: 'cap_a', amountMinor: 500 } }],
    });
    const second = after(
      placed({ policy: 'manual' }),
      authorized,
      part('cap_a', 'CaptureAccepted'),
      part('cap_b', 'CaptureAccepted'),
    );
    expect(second.commands).toMatchObject([
      { to: 'order', command: { type: 'NoteCapture', captureId: 'cap_b', amountMinor: 500 } },
    ]);
  });

  test('pay the order if they are sent to clearing before the cancellation of the order takes effect', () => {
    const before = [
      placed({ policy: 'manual' }),
      authorized,
      cancellation,
      part('cap_a', 'CaptureAccepted'),
      part('cap_b', 'CaptureAccepted'),
    ];
    expect(asked(after(...before))).toEqual([]);
    expect(asked(after(...before, part('cap_a', 'CaptureSent')))).toEqual(['order: ConfirmPaid']);
    expect(
      asked(after(...before, part('cap_a', 'CaptureSent'), part('cap_b', 'CaptureSent'))),
    ).toEqual(['order: NoteCapture']);
  });

  test('are ignored after the first capture if the provider supports only one capture', () => {
    expect(asked(after(placed(), authorized, accepted, sent))).toEqual([]);
  });
});

describe('a placed order', () => {
  test('gets a payment, and a deadline for the expiry of the order', () => {
    const reaction = after(placed());
    expect(asked(reaction)).toEqual(['order: StartPayment', 'pay_1: RequestIntent']);
    expect(reaction.deadlines['checkout.expiry']).toBe(expiresAt);
  });

  test('starts only one payment, even if the event is delivered twice', () => {
    expect(asked(after(placed(), placed()))).toEqual([]);
  });
});

describe('an authorization', () => {
  test('is captured immediately under the automatic policy', () => {
    expect(asked(after(placed(), authorized))).toEqual([
      'order: NoteAuthorization',
      'pay_1: RequestCapture',
    ]);
  });

  test('is not captured under the manual policy, and gets a deadline for the warning before it expires', () => {
    const { deadlines, ...reaction } = after(placed({ policy: 'manual' }), authorized);
    expect(asked({ deadlines, ...reaction })).toEqual(['order: NoteAuthorization']);
    expect(deadlines).toEqual({
      'checkout.expiry': null,
      'checkout.warning': plusMs(authorizationEnds, -DAY_MS),
    });
  });

  test('is captured after the capture delay of the order, but at the latest twelve hours before the authorization expires', () => {
    const soon = after(placed({ policy: 'delayed', delayMs: DAY_MS }), authorized);
    expect(soon.deadlines['checkout.capture']).toBe(plusMs(at, DAY_MS));
    const late = run(plusMs(at, DAY_MS), [
      placed({ policy: 'delayed', delayMs: 6 * DAY_MS }),
      payment({
        type: 'PaymentAuthorized',
        attemptId: 'paym_1',
        at: plusMs(at, DAY_MS),
        expiresAt: authorizationEnds,
      }),
    ]);
    expect(late.deadlines['checkout.capture']).toBe(plusMs(authorizationEnds, -HOUR_MS * 12));
    const due = after(
      placed({ policy: 'delayed', delayMs: DAY_MS }),
      authorized,
      deadline('checkout.capture'),
    );
    expect(asked(due)).toEqual(['pay_1: RequestCapture']);
  });

  test('causes a warning before it expires', () => {
    const due = after(placed({ policy: 'manual' }), authorized, deadline('checkout.warning'));
    expect(asked(due)).toEqual(['pay_1: WarnOfExpiry']);
  });
});

describe('an order', () => {
  test('is paid when the provider accepts the capture', () => {
    const reaction = after(placed(), authorized, accepted);
    expect(asked(reaction)).toEqual(['order: ConfirmPaid']);
    expect(reaction.state).toEqual({ status: 'done' });
    expect(Object.values(reaction.deadlines)).toEqual([null, null, null]);
  });

  test('is paid when the provider accepts a direct debit', () => {
    const debit = payment({ type: 'DirectDebitAccepted', attemptId: 'paym_1', at });
    expect(asked(after(placed(), debit))).toEqual(['order: ConfirmPaid']);
  });

  test('is paid only once, and ignores later captures', () => {
    expect(asked(after(placed(), authorized, accepted, sent))).toEqual([]);
  });
});

describe('the cancellation of an order', () => {
  test('requests the cancellation of the payment, and waits until the payment has ended', () => {
    const reaction = after(placed(), cancellation);
    expect(asked(reaction)).toEqual(['pay_1: RequestCancel']);
    expect(asked(after(placed(), cancellation, canceled))).toEqual(['order: CloseOrder']);
  });

  test('is not affected by an authorization that is observed later; that authorization is not captured', () => {
    expect(asked(after(placed(), cancellation, authorized))).toEqual([]);
    expect(asked(after(placed(), cancellation, authorized, accepted))).toEqual([]);
    expect(asked(after(placed(), cancellation, authorized, accepted, canceled))).toEqual([
      'order: CloseOrder',
    ]);
  });

  test('is overridden by a capture that was already sent to clearing', () => {
    expect(asked(after(placed(), cancellation, authorized, accepted, sent))).toEqual([
      'order: ConfirmPaid',
    ]);
  });
});

describe('an authorization whose amount or currency differs from the order’s', () => {
  const other = payment({
    type: 'PaymentMismatchObserved',
    aspect: 'amount',
    expected: '1250',
    observed: '9900',
    at,
  });
  const failed = (reason: string) => [
    {
      to: 'order',
      command: { type: 'CloseOrder', outcome: 'failed', reason, at },
    },
  ];
  const what = 'the provider shows the amount 9900 instead of 1250';

  test('is released, whether the amount is higher or lower, and the order then fails', () => {
    expect(after(placed(), other).commands).toEqual([
      {
        to: 'payment',
        paymentId: 'pay_1',
        command: { type: 'RequestCancel', reason: 'cancellation', at },
      },
    ]);
    expect(asked(after(placed(), other, other))).toEqual([]);
    expect(asked(after(placed(), other, authorized))).toEqual([]);
    expect(after(placed(), other, authorized, canceled).commands).toEqual(failed(what));
    expect(after(placed(), other, expiry, canceled).commands).toEqual(failed(what));
  });

  test('is released, even if a read shows the different amount only after the authorization was recorded', () => {
    const held = after(placed({ policy: 'manual' }), authorized, other);
    expect(asked(held)).toEqual(['pay_1: RequestCancel']);
    expect(asked(after(placed({ policy: 'manual' }), authorized, other, canceled))).toEqual([
      'order: CloseOrder',
    ]);
  });

  test('does not pay the order if the authorization can no longer be released, and the order fails', () => {
    expect(asked(after(placed(), other, authorized, accepted))).toEqual([]);
    expect(after(placed(), other, authorized, accepted, sent).commands).toEqual(
      failed(`${what}, and the payer was charged`),
    );
  });

  test('is not released if the provider shows an intent that belongs to another payment, because an operator must decide', () => {
    const another = payment({
      type: 'PaymentMismatchObserved',
      aspect: 'intent',
      expected: 'pay_1',
      observed: 'pay_2',
      at,
    });
    expect(asked(after(placed(), another))).toEqual([]);
  });
});

test('the checkout starts no payment if it reacts to the placement of an order after the order’s expiry', () => {
  const late = reactToCheckout({ status: 'none' }, placed(), context(expiresAt, 'pay_1'));
  expect(asked(late)).toEqual(['order: CloseOrder']);
  expect(late.state).toEqual({ status: 'done' });
});

describe('the expiry of an order', () => {
  test('first ends the order, and then cancels the payment', () => {
    expect(asked(after(placed(), deadline('checkout.expiry')))).toEqual(['order: ReachExpiry']);
    expect(asked(after(placed(), expiry))).toEqual(['pay_1: RequestCancel']);
    expect(after(placed(), expiry, canceled).commands).toMatchObject([
      { command: { type: 'CloseOrder', outcome: 'expired' } },
    ]);
  });

  test('is overridden by a payment that the payer has made in time', () => {
    expect(asked(after(placed(), expiry, authorized))).toEqual([
      'order: NoteAuthorization',
      'pay_1: RequestCapture',
    ]);
  });

  // The event of the payment may be handled before or after the event of the order.
  test('does not prevent the capture of an authorization that was handled before the expiry', () => {
    const capture = { policy: 'delayed', delayMs: DAY_MS } as const;
    const armed = armedAfter(placed(capture), authorized, expiry);
    expect(armed['checkout.capture']).toBe(plusMs(at, DAY_MS));
    expect(armed['checkout.warning']).toBe(plusMs(authorizationEnds, -DAY_MS));
    expect(asked(after(placed(capture), authorized, expiry, deadline('checkout.capture')))).toEqual(
      ['pay_1: RequestCapture'],
    );
  });
});

/** The saga's deadlines after its reactions to all these messages. */
const armedAfter = (...messages: readonly CheckoutMessage[]): CheckoutReaction['deadlines'] =>
  messages.reduce(
    (armed, _message, index) => ({
      ...armed,
      ...after(...messages.slice(0, index + 1)).deadlines,
    }),
    {},
  );

describe('a payment that ends without collecting money', () => {
  test('is followed by another payment if the order has not expired', () => {
    expect(asked(after(placed(), canceled))).toEqual([
      'order: StartPayment',
      'pay_2: RequestIntent',
    ]);
    expect(asked(after(placed(), canceled, authorized))).toEqual([]);
  });

  test('ends the order as expired if the order’s time to pay is over', () => {
    expect(run(expiresAt, [placed(), canceled]).commands).toMatchObject([
      { command: { type: 'CloseOrder', outcome: 'expired' } },
    ]);
  });

  test('ends the order as expired if the authorization has expired', () => {
    const ranOut = payment({ type: 'AuthorizationExpired', at });
    expect(after(placed({ policy: 'manual' }), authorized, ranOut).commands).toMatchObject([
      { command: { type: 'CloseOrder', outcome: 'expired' } },
    ]);
  });

  test('makes the order fail if the provider rejected the intent', () => {
    const rejected = payment({ type: 'IntentRejected', reason: 'amount too large', at });
    expect(after(placed(), rejected).commands).toMatchObject([
      { command: { type: 'CloseOrder', outcome: 'failed', reason: 'amount too large' } },
    ]);
  });
});

describe('a finished checkout', () => {
  const done: Checkout = { status: 'done' };
  const react = (event: PaymentEvent) =>
    reactToCheckout(done, payment(event), context(at, 'pay_2'));

  test.each<[string, PaymentEvent, object]>([
    [
      'a refund',
      {
        type: 'RefundSucceeded',
        refundId: 'refd_1',
        requestId: null,
        amountMinor: 500,
        at,
      },
      { how: 'refund', refundId: 'refd_1', amountMinor: 500 },
    ],
    [
      'a chargeback',
      {
        type: 'DisputeObserved',
        disputeId: 'dspt_1',
        kind: 'chargeback',
        amountMinor: 1_250,
        feeMinor: 1_500,
        reasonCode: '4837',
        payerReasonCode: '45',
        createdAt: at,
        at,
      },
      { how: 'chargeback', disputeId: 'dspt_1', payerReasonCode: '45' },
    ],
    [
      'a won dispute',
      {
        type: 'DisputeReversed',
        disputeId: 'dspt_1',
        amountMinor: 1_250,
        at,
      },
      { how: 'dispute_won', disputeId: 'dspt_1', amountMinor: 1_250 },
    ],
    [
      'a debit that is returned after its capture',
      {
        type: 'DisputeObserved',
        disputeId: 'dspt_1',
        kind: 'sepa_return',
        amountMinor: 1_250,
        feeMinor: 1_500,
        reasonCode: 'MD06',
        payerReasonCode: 'MD06',
        createdAt: at,
        at,
      },
      { how: 'debit_return', disputeId: 'dspt_1', reasonCode: 'MD06' },
    ],
    [
      'a debit that is returned before its capture',
      { type: 'DirectDebitReturned', reasonCode: 'AM04', at },
      { how: 'debit_return', disputeId: null, reasonCode: 'AM04' },
    ],
    ['a cancellation at the provider', { type: 'PaymentCanceled', at }, { how: 'lost' }],
  ])('records %s on the order', (_name, event, back) => {
    const { state, commands } = react(event);
    expect(state).toBe(done);
    expect(commands).toMatchObject([
      { to: 'order', command: { type: 'NoteRefundOrChargeback', paymentId: 'pay_1', ...back } },
    ]);
  });

  test('ignores further captures and requests for cancellation', () => {
    const again = react({ type: 'PaymentCaptured', captureId: 'cap_1', amountMinor: 1_250, at });
    expect(again.commands).toEqual([]);
    expect(reactToCheckout(done, cancellation, context(at, 'pay_2')).commands).toEqual([]);
  });
});

describe('an order with a mandate', () => {
  const byMandate = order({
    type: 'OrderPlaced',
    ...terms({ policy: 'automatic' }),
    methods: ['sepa'],
    mandateId: 'sepa_1',
    at,
  });

  test('requests an intent with the mandate, and the mandate is then debited', () => {
    expect(after(byMandate).commands).toMatchObject([
      {},
      { command: { type: 'RequestIntent', mandateId: 'sepa_1' } },
    ]);
  });

  test.each<[string, PaymentEvent, RegExp]>([
    [
      'is refused',
      { type: 'AttemptRefused', attemptId: 'paym_1', responseCode: 'AM04', at },
      /AM04/,
    ],
    ['cannot be made', { type: 'DebitRejected', reason: '409 no signed mandate', at }, /signed/],
  ])(
    'fails if the debit %s, because no payer is present to pay with a different method',
    (_name, event, reason) => {
      expect(asked(after(byMandate, payment(event)))).toEqual(['pay_1: RequestCancel']);
      expect(after(byMandate, payment(event), canceled).commands).toMatchObject([
        {
          command: { type: 'CloseOrder', outcome: 'failed', reason: expect.stringMatching(reason) },
        },
      ]);
    },
  );

  test('fails if its payment is canceled at the provider, and starts no second payment', () => {
    const reaction = after(byMandate, canceled);
    expect(reaction.commands).toEqual([
      {
        to: 'order',
        command: {
          type: 'CloseOrder',
          outcome: 'failed',
          reason: 'the payment by mandate was canceled at the provider',
          at,
        },
      },
    ]);
    expect(reaction.state).toEqual({ status: 'done' });
  });

  test('ends as canceled if the platform canceled it before its payment is canceled', () => {
    expect(after(byMandate, cancellation, canceled).commands).toMatchObject([
      { to: 'order', command: { type: 'CloseOrder', outcome: 'canceled' } },
    ]);
  });
});
