import { type Instant, parseInstant } from '#kernel';
import { scenario } from '#testing';
import type { MoneyBack, OrderCommand } from './order-command.js';
import { orderDecider } from './order-decider.js';
import type { OrderEvent } from './order-event.js';

const given = scenario(orderDecider);
const at: Instant = parseInstant('2026-03-01T10:00:00Z');
const now: Instant = parseInstant('2026-04-20T06:00:00Z');

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
  expiresAt: parseInstant('2026-03-02T10:00:00Z'),
  at,
};
const started: OrderEvent = { type: 'OrderPaymentStarted', paymentId: 'pay_1', ordinal: 1, at };
const paid: OrderEvent = {
  type: 'OrderPaid',
  paymentId: 'pay_1',
  amountMinor: 1_250,
  currency: 'eur',
  at,
};
const history = [placed, started, paid];

const note = (back: MoneyBack, paymentId = 'pay_1'): OrderCommand => ({
  type: 'NoteMoneyBack',
  paymentId,
  ...back,
  at: now,
});
const refund = (refundId: string, amountMinor: number): MoneyBack => ({
  how: 'refund',
  refundId,
  requestId: 'rfr_1',
  amountMinor,
});
const refunded = (refundId: string, amountMinor: number, refundedMinor: number): OrderEvent => ({
  type: 'OrderRefunded',
  paymentId: 'pay_1',
  refundId,
  requestId: 'rfr_1',
  amountMinor,
  refundedMinor,
  currency: 'eur',
  at: now,
});

test('each refund is told once, with the sum of all', () => {
  const first = refunded('refd_1', 500, 500);
  given(...history)
    .when(note(refund('refd_1', 500)))
    .then(first);
  given(...history, first)
    .when(note(refund('refd_1', 500)))
    .thenNothing();
  given(...history, first)
    .when(note(refund('refd_2', 750)))
    .then(refunded('refd_2', 750, 1_250));
});

test('a chargeback is told with the reason that the payer may hear', () => {
  const told: OrderEvent = {
    type: 'OrderChargedBack',
    paymentId: 'pay_1',
    disputeId: 'dspt_1',
    amountMinor: 1_250,
    currency: 'eur',
    response: '4837',
    payerResponse: '45',
    at: now,
  };
  const back: MoneyBack = {
    how: 'chargeback',
    disputeId: 'dspt_1',
    amountMinor: 1_250,
    response: '4837',
    payerResponse: '45',
  };
  given(...history)
    .when(note(back))
    .then(told);
  given(...history, told)
    .when(note(back))
    .thenNothing();
});

describe('a dispute that is won', () => {
  const told: OrderEvent = {
    type: 'OrderChargedBack',
    paymentId: 'pay_1',
    disputeId: 'dspt_1',
    amountMinor: 1_000,
    currency: 'eur',
    response: '4837',
    payerResponse: '45',
    at: now,
  };
  const won: OrderEvent = {
    type: 'OrderDisputeWon',
    paymentId: 'pay_1',
    disputeId: 'dspt_1',
    amountMinor: 1_000,
    currency: 'eur',
    at: now,
  };
  const back = note({ how: 'dispute_won', disputeId: 'dspt_1', amountMinor: 1_000 });

  test('is told once, and no longer counts as taken back', () => {
    given(...history, told)
      .when(back)
      .then(won);
    given(...history, told, won)
      .when(back)
      .thenNothing();
    const order = [...history, told, won].reduce(orderDecider.evolve, orderDecider.initialState);
    expect(order).toMatchObject({ moneyBack: { takenBackMinor: 0 } });
  });

  test('gives nothing back to an order that was not told of it', () => {
    given(...history)
      .when(back)
      .thenNothing();
  });
});

test('a direct debit that comes back takes all, or what its dispute says', () => {
  given(...history)
    .when(note({ how: 'debit_return', disputeId: null, amountMinor: null, response: 'AM04' }))
    .then({
      type: 'OrderDebitReturned',
      paymentId: 'pay_1',
      disputeId: null,
      amountMinor: 1_250,
      currency: 'eur',
      response: 'AM04',
      at: now,
    });
  given(...history)
    .when(note({ how: 'debit_return', disputeId: 'dspt_1', amountMinor: 750, response: 'MD06' }))
    .then({
      type: 'OrderDebitReturned',
      paymentId: 'pay_1',
      disputeId: 'dspt_1',
      amountMinor: 750,
      currency: 'eur',
      response: 'MD06',
      at: now,
    });
});

test('a payment that was cancelled at the provider after it had paid is told as lost', () => {
  const lost: OrderEvent = {
    type: 'OrderPaymentLost',
    paymentId: 'pay_1',
    amountMinor: 1_250,
    currency: 'eur',
    at: now,
  };
  given(...history)
    .when(note({ how: 'lost' }))
    .then(lost);
  given(...history, lost)
    .when(note({ how: 'lost' }))
    .thenNothing();
});

test('an order that was not paid by that payment has lost nothing', () => {
  given(placed, started)
    .when(note({ how: 'lost' }))
    .thenNothing();
  given(placed, started, { type: 'OrderCanceled', at })
    .when(note({ how: 'lost' }))
    .thenNothing();
  const earlier: OrderEvent = { ...started, paymentId: 'pay_0' } as OrderEvent;
  given(placed, earlier, started, paid)
    .when(note({ how: 'lost' }, 'pay_0'))
    .thenNothing();
});
