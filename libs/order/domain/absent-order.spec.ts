import { type Instant, parseInstant } from '#kernel';
import { examplesOf, type LaterCommands, scenario } from '#testing';
import type { OrderCommand } from './order-command.js';
import { orderDecider } from './order-decider.js';
import type { OrderEvent } from './order-event.js';

const given = scenario(orderDecider);
const at: Instant = parseInstant('2026-03-01T10:00:00Z');

const LATER: LaterCommands<OrderCommand, 'PlaceOrder'> = {
  StartPayment: [{ type: 'StartPayment', paymentId: 'pay_1', at }],
  NoteAuthorization: [{ type: 'NoteAuthorization', paymentId: 'pay_1', at }],
  RequestCancellation: [{ type: 'RequestCancellation', at }],
  ReachExpiry: [{ type: 'ReachExpiry', at }],
  ConfirmPaid: [{ type: 'ConfirmPaid', paymentId: 'pay_1', amountMinor: 1_250, at }],
  NoteCapture: [
    { type: 'NoteCapture', paymentId: 'pay_1', captureId: 'cap_1', amountMinor: 1_250, at },
  ],
  CloseOrder: [{ type: 'CloseOrder', outcome: 'expired', reason: 'not paid in time', at }],
  NoteRefundOrChargeback: [{ type: 'NoteRefundOrChargeback', paymentId: 'pay_1', how: 'lost', at }],
};

test.each(examplesOf<OrderCommand>(LATER))(
  'the command $type is rejected for an order that was never placed',
  (command) => given().when(command).thenRejected('order_not_found'),
);

describe('a payment that belongs to a different order', () => {
  const placed: OrderEvent = {
    type: 'OrderPlaced',
    platformId: 'shop',
    merchantId: 'baker',
    accountId: 'acc_1',
    reference: 'R-1',
    amountMinor: 1_250,
    currency: 'eur',
    capture: { policy: 'automatic' },
    methods: ['card'],
    returnUrl: null,
    description: null,
    metadata: {},
    expiresAt: parseInstant('2026-03-01T10:30:00Z'),
    at,
  };
  const started: OrderEvent = { type: 'OrderPaymentStarted', paymentId: 'pay_1', ordinal: 1, at };
  const authorized: OrderEvent = { type: 'OrderAuthorized', paymentId: 'pay_1', at };
  const paid: OrderEvent = {
    type: 'OrderPaid',
    paymentId: 'pay_1',
    amountMinor: 1_250,
    currency: 'eur',
    at,
  };
  const orders: readonly (readonly [string, readonly OrderEvent[]])[] = [
    ['open', [placed, started]],
    ['still without a payment', [placed]],
    ['authorized', [placed, started, authorized]],
    ['being canceled', [placed, started, { type: 'OrderCancellationRequested', at }]],
    ['paid', [placed, started, paid]],
    ['canceled', [placed, started, { type: 'OrderCanceled', at }]],
  ];
  const about: readonly OrderCommand[] = [
    { type: 'NoteAuthorization', paymentId: 'pay_other', at },
    { type: 'ConfirmPaid', paymentId: 'pay_other', amountMinor: 1_250, at },
    { type: 'NoteRefundOrChargeback', paymentId: 'pay_other', how: 'lost', at },
  ];

  test.each(orders)('is rejected by an order that is %s', (_status, history) => {
    for (const command of about)
      given(...history)
        .when(command)
        .thenRejected('payment_not_found');
  });
});
