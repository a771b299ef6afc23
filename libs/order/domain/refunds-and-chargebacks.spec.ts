import { type Instant, parseInstant } from '#kernel';
import { scenario } from '#testing';
import type { RefundOrChargeback, OrderCommand } from './order-command.js';
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

const note = (back: RefundOrChargeback, paymentId = 'pay_1'): OrderCommand => ({
  type: 'NoteRefundOrChargeback',
  paymentId,
  ...back,
  at: now,
});
const refund = (refundId: string, amountMinor: number): RefundOrChargeback => ({
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

test('each refund is recorded once, with the sum of all refunds', () => {
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

test('a chargeback is recorded with the reason code that the payer may see', () => {
  const chargedBack: OrderEvent = {
    type: 'OrderChargedBack',
    paymentId: 'pay_1',
    disputeId: 'dspt_1',
    amountMinor: 1_250,
    currency: 'eur',
    reasonCode: '4837',
    payerReasonCode: '45',
    at: now,
  };
  const back: RefundOrChargeback = {
    how: 'chargeback',
    disputeId: 'dspt_1',
    amountMinor: 1_250,
    reasonCode: '4837',
    payerReasonCode: '45',
  };
  given(...history)
    .when(note(back))
    .then(chargedBack);
  given(...history, chargedBack)
    .when(note(back))
    .thenNothing();
});

describe('a won dispute', () => {
  const chargedBack: OrderEvent = {
    type: 'OrderChargedBack',
    paymentId: 'pay_1',
    disputeId: 'dspt_1',
    amountMinor: 1_000,
    currency: 'eur',
    reasonCode: '4837',
    payerReasonCode: '45',
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

  test('is recorded once, and no longer counts as charged back', () => {
    given(...history, chargedBack)
      .when(back)
      .then(won);
    given(...history, chargedBack, won)
      .when(back)
      .thenNothing();
    const order = [...history, chargedBack, won].reduce(
      orderDecider.evolve,
      orderDecider.initialState,
    );
    expect(order).toMatchObject({ refundsAndChargebacks: { chargedBackMinor: 0 } });
  });

  test('is ignored if the order has no chargeback from the dispute', () => {
    given(...history)
      .when(back)
      .thenNothing();
  });
});

test('a returned debit is recorded with the whole amount, or with the amount of its dispute', () => {
  given(...history)
    .when(note({ how: 'debit_return', disputeId: null, amountMinor: null, reasonCode: 'AM04' }))
    .then({
      type: 'OrderDebitReturned',
      paymentId: 'pay_1',
      disputeId: null,
      amountMinor: 1_250,
      currency: 'eur',
      reasonCode: 'AM04',
      at: now,
    });
  given(...history)
    .when(note({ how: 'debit_return', disputeId: 'dspt_1', amountMinor: 750, reasonCode: 'MD06' }))
    .then({
      type: 'OrderDebitReturned',
      paymentId: 'pay_1',
      disputeId: 'dspt_1',
      amountMinor: 750,
      currency: 'eur',
      reasonCode: 'MD06',
      at: now,
    });
});

test('a payment that the provider cancels after it paid the order is recorded as voided', () => {
  const lost: OrderEvent = {
    type: 'OrderPaymentVoided',
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

test('the cancellation of a payment that did not pay the order is ignored', () => {
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
