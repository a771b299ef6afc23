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

/** The reaction to the last message, after the earlier ones; every payment gets the next number. */
const after = (...messages: readonly CheckoutMessage[]): CheckoutReaction => run(at, messages);

/** The order is placed at its time; everything else comes `now`. */
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

test('a state that a newer release made is not taken for one that is done', () => {
  const newer = { status: 'reviewing' } as unknown as Checkout;
  for (const message of [placed(), authorized, deadline('checkout.expiry')]) {
    expect(() => reactToCheckout(newer, message, context(at, 'pay_1'))).toThrow('reviewing');
  }
});

describe('captures of a payment whose provider shows them one by one', () => {
  const part = (captureId: string, type: 'CaptureAccepted' | 'CaptureSent'): CheckoutMessage =>
    payment({ type, captureId, providerCaptureId: `theirs_${captureId}`, amountMinor: 500, at });

  test('pay the order with the first, and are each noted after it', () => {
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

  test('that are sent while the order is cancelled all count', () => {
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

  test('of a provider that captures once are none after the one that paid', () => {
    expect(asked(after(placed(), authorized, accepted, sent))).toEqual([]);
  });
});

describe('an order that is placed', () => {
  test('gets a payment, and a deadline for the payer', () => {
    const reaction = after(placed());
    expect(asked(reaction)).toEqual(['order: StartPayment', 'pay_1: RequestIntent']);
    expect(reaction.deadlines['checkout.expiry']).toBe(expiresAt);
  });

  test('told twice gets one payment', () => {
    expect(asked(after(placed(), placed()))).toEqual([]);
  });
});

describe('an authorization', () => {
  test('is captured at once under the automatic policy', () => {
    expect(asked(after(placed(), authorized))).toEqual([
      'order: NoteAuthorization',
      'pay_1: RequestCapture',
    ]);
  });

  test('is held under the manual policy, and watched to its end', () => {
    const { deadlines, ...reaction } = after(placed({ policy: 'manual' }), authorized);
    expect(asked({ deadlines, ...reaction })).toEqual(['order: NoteAuthorization']);
    expect(deadlines).toEqual({
      'checkout.expiry': null,
      'checkout.warning': plusMs(authorizationEnds, -DAY_MS),
      'checkout.overdue': plusMs(authorizationEnds, HOUR_MS),
    });
  });

  test('is captured when its delay is over, and always safely before it ends', () => {
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

  test('is warned of before it ends', () => {
    const due = after(placed({ policy: 'manual' }), authorized, deadline('checkout.warning'));
    expect(asked(due)).toEqual(['pay_1: WarnOfExpiry']);
  });
});

describe('an order is paid', () => {
  test('when the provider takes the capture', () => {
    const reaction = after(placed(), authorized, accepted);
    expect(asked(reaction)).toEqual(['order: ConfirmPaid']);
    expect(reaction.state).toEqual({ status: 'done' });
    expect(Object.values(reaction.deadlines)).toEqual([null, null, null, null]);
  });

  test('when a direct debit is accepted', () => {
    const debit = payment({ type: 'DirectDebitAccepted', attemptId: 'paym_1', at });
    expect(asked(after(placed(), debit))).toEqual(['order: ConfirmPaid']);
  });

  test('once: what comes after is no more of its business', () => {
    expect(asked(after(placed(), authorized, accepted, sent))).toEqual([]);
  });
});

describe('a cancellation', () => {
  test('asks the payment to end, and waits until it has', () => {
    const reaction = after(placed(), cancellation);
    expect(asked(reaction)).toEqual(['pay_1: RequestCancel']);
    expect(asked(after(placed(), cancellation, canceled))).toEqual(['order: CloseOrder']);
  });

  test('stands when the authorization shows afterwards: nothing is captured', () => {
    expect(asked(after(placed(), cancellation, authorized))).toEqual([]);
    expect(asked(after(placed(), cancellation, authorized, accepted))).toEqual([]);
    expect(asked(after(placed(), cancellation, authorized, accepted, canceled))).toEqual([
      'order: CloseOrder',
    ]);
  });

  test('gives way to money that can no longer be taken back', () => {
    expect(asked(after(placed(), cancellation, authorized, accepted, sent))).toEqual([
      'order: ConfirmPaid',
    ]);
  });
});

describe('other money than was asked for', () => {
  const other = payment({
    type: 'ProviderMismatchObserved',
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

  test('is released, whatever it was authorized for, and the order fails', () => {
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

  test('that was authorized before it showed is released too', () => {
    const held = after(placed({ policy: 'manual' }), authorized, other);
    expect(asked(held)).toEqual(['pay_1: RequestCancel']);
    expect(asked(after(placed({ policy: 'manual' }), authorized, other, canceled))).toEqual([
      'order: CloseOrder',
    ]);
  });

  test('pays no order where it cannot be released any more', () => {
    expect(asked(after(placed(), other, authorized, accepted))).toEqual([]);
    expect(after(placed(), other, authorized, accepted, sent).commands).toEqual(
      failed(`${what}, and it was taken`),
    );
  });

  test('of another intent is for a person: nothing is released', () => {
    const another = payment({
      type: 'ProviderMismatchObserved',
      aspect: 'intent',
      expected: 'pay_1',
      observed: 'pay_2',
      at,
    });
    expect(asked(after(placed(), another))).toEqual([]);
  });
});

test('an order whose placement is reacted to after its expiry begins no payment', () => {
  const late = reactToCheckout({ status: 'none' }, placed(), context(expiresAt, 'pay_1'));
  expect(asked(late)).toEqual(['order: CloseOrder']);
  expect(late.state).toEqual({ status: 'done' });
});

describe('the expiry of an order', () => {
  test('is asked of the order, then of the payment', () => {
    expect(asked(after(placed(), deadline('checkout.expiry')))).toEqual(['order: ReachExpiry']);
    expect(asked(after(placed(), expiry))).toEqual(['pay_1: RequestCancel']);
    expect(after(placed(), expiry, canceled).commands).toMatchObject([
      { command: { type: 'CloseOrder', outcome: 'expired' } },
    ]);
  });

  test('is forgotten when the payer turns out to have paid in time', () => {
    expect(asked(after(placed(), expiry, authorized))).toEqual([
      'order: NoteAuthorization',
      'pay_1: RequestCapture',
    ]);
  });

  // Order and payment come on different partitions: either may be told first.
  test('takes nothing from an authorization that was told first: its capture stays due', () => {
    const capture = { policy: 'delayed', delayMs: DAY_MS } as const;
    const armed = armedAfter(placed(capture), authorized, expiry);
    expect(armed['checkout.capture']).toBe(plusMs(at, DAY_MS));
    expect(armed['checkout.warning']).toBe(plusMs(authorizationEnds, -DAY_MS));
    expect(asked(after(placed(capture), authorized, expiry, deadline('checkout.capture')))).toEqual(
      ['pay_1: RequestCapture'],
    );
  });
});

/** The deadlines that are set after all these messages. */
const armedAfter = (...messages: readonly CheckoutMessage[]): CheckoutReaction['deadlines'] =>
  messages.reduce(
    (armed, _message, index) => ({
      ...armed,
      ...after(...messages.slice(0, index + 1)).deadlines,
    }),
    {},
  );

describe('a payment that ends without money', () => {
  test('is followed by another one while the payer has time', () => {
    expect(asked(after(placed(), canceled))).toEqual([
      'order: StartPayment',
      'pay_2: RequestIntent',
    ]);
    expect(asked(after(placed(), canceled, authorized))).toEqual([]);
  });

  test('ends the order when the time is over', () => {
    expect(run(expiresAt, [placed(), canceled]).commands).toMatchObject([
      { command: { type: 'CloseOrder', outcome: 'expired' } },
    ]);
  });

  test('ends the order when the authorization ran out', () => {
    const ranOut = payment({ type: 'AuthorizationExpired', at });
    expect(after(placed({ policy: 'manual' }), authorized, ranOut).commands).toMatchObject([
      { command: { type: 'CloseOrder', outcome: 'expired' } },
    ]);
  });

  test('fails the order when the provider refuses the intent', () => {
    const rejected = payment({ type: 'IntentRejected', reason: 'amount too large', at });
    expect(after(placed(), rejected).commands).toMatchObject([
      { command: { type: 'CloseOrder', outcome: 'failed', reason: 'amount too large' } },
    ]);
  });
});

test('what is overdue is looked at again, and again later', () => {
  const reaction = after(placed(), authorized, deadline('checkout.overdue'));
  expect(reaction.readNow).toBe('pay_1');
  expect(reaction.deadlines['checkout.overdue']).toBe(plusMs(at, 6 * HOUR_MS));
});

test('a checkout that is not done always waits for something', () => {
  const messages = [
    placed({ policy: 'manual' }),
    authorized,
    cancellation,
    expiry,
    canceled,
    payment({
      type: 'ProviderMismatchObserved',
      aspect: 'amount',
      expected: '1250',
      observed: '9',
      at,
    }),
    deadline('checkout.expiry'),
    deadline('checkout.warning'),
    deadline('checkout.overdue'),
    deadline('checkout.capture'),
  ];
  const stories = messages.flatMap((a) => messages.flatMap((b) => messages.map((c) => [a, b, c])));
  for (const story of stories) {
    let state: Checkout = { status: 'none' };
    const armed = new Map<string, Instant>();
    for (const message of [placed({ policy: 'delayed', delayMs: DAY_MS }), ...story]) {
      if (message.from === 'deadline' && !armed.delete(message.kind)) continue;
      const reaction = reactToCheckout(state, message, context(at, 'pay_9'));
      state = reaction.state;
      for (const [kind, dueAt] of Object.entries(reaction.deadlines)) {
        if (dueAt) armed.set(kind, dueAt);
        else armed.delete(kind);
      }
    }
    expect(state.status === 'done' || armed.size > 0).toBe(true);
  }
});

describe('after the checkout', () => {
  const done: Checkout = { status: 'done' };
  const told = (event: PaymentEvent) => reactToCheckout(done, payment(event), context(at, 'pay_2'));

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
        response: '4837',
        payerResponse: '45',
        createdAt: at,
        at,
      },
      { how: 'chargeback', disputeId: 'dspt_1', payerResponse: '45' },
    ],
    [
      'a dispute that is won',
      {
        type: 'DisputeReversed',
        disputeId: 'dspt_1',
        amountMinor: 1_250,
        at,
      },
      { how: 'dispute_won', disputeId: 'dspt_1', amountMinor: 1_250 },
    ],
    [
      'a debit that comes back after its capture',
      {
        type: 'DisputeObserved',
        disputeId: 'dspt_1',
        kind: 'sepa_return',
        amountMinor: 1_250,
        feeMinor: 1_500,
        response: 'MD06',
        payerResponse: 'MD06',
        createdAt: at,
        at,
      },
      { how: 'debit_return', disputeId: 'dspt_1', response: 'MD06' },
    ],
    [
      'a debit that comes back before it',
      { type: 'DirectDebitReturned', response: 'AM04', at },
      { how: 'debit_return', disputeId: null, response: 'AM04' },
    ],
    ['a cancel at the provider', { type: 'PaymentCanceled', at }, { how: 'lost' }],
  ])('the order is told of %s', (_name, event, back) => {
    const { state, commands } = told(event);
    expect(state).toBe(done);
    expect(commands).toMatchObject([
      { to: 'order', command: { type: 'NoteMoneyBack', paymentId: 'pay_1', ...back } },
    ]);
  });

  test('nothing else concerns it any more', () => {
    const again = told({ type: 'PaymentCaptured', captureId: 'cap_1', amountMinor: 1_250, at });
    expect(again.commands).toEqual([]);
    expect(reactToCheckout(done, cancellation, context(at, 'pay_2')).commands).toEqual([]);
  });
});

describe('an order paid by a mandate', () => {
  const byMandate = order({
    type: 'OrderPlaced',
    ...terms({ policy: 'automatic' }),
    methods: ['sepa'],
    mandateId: 'sepa_1',
    at,
  });

  test('asks for an intent that debits it', () => {
    expect(after(byMandate).commands).toMatchObject([
      {},
      { command: { type: 'RequestIntent', mandateId: 'sepa_1' } },
    ]);
  });

  test.each<[string, PaymentEvent, RegExp]>([
    ['is refused', { type: 'AttemptRefused', attemptId: 'paym_1', response: 'AM04', at }, /AM04/],
    ['cannot be made', { type: 'DebitRejected', reason: '409 no signed mandate', at }, /signed/],
  ])('fails when the debit %s: nobody is there to pay otherwise', (_name, event, reason) => {
    expect(asked(after(byMandate, payment(event)))).toEqual(['pay_1: RequestCancel']);
    expect(after(byMandate, payment(event), canceled).commands).toMatchObject([
      {
        command: { type: 'CloseOrder', outcome: 'failed', reason: expect.stringMatching(reason) },
      },
    ]);
  });
});
