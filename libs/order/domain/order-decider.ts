import type { Decider } from '#kernel';
import { assert, DAY_MS, HOUR_MS, msOf, Rejection } from '#kernel';
import { noteRefundOrChargeback, afterRefundOrChargeback } from './refunds-and-chargebacks.js';
import type { OrderCommand } from './order-command.js';
import type { OrderEvent } from './order-event.js';
import type { KnownOrder, Order, PlacedOrder } from './order.js';

/** The maximum delay of a capture: six days, because an authorization lasts seven days. */
export const MAX_CAPTURE_DELAY_MS = 6 * DAY_MS;
export const MAX_ORDER_LIFETIME_MS = 30 * DAY_MS;

const place = (order: Order, command: OrderCommand & { type: 'PlaceOrder' }): OrderEvent[] => {
  if (order.status !== 'not_placed') {
    throw new Rejection('order_exists', 'an order with this id exists already');
  }
  const lifetimeMs = msOf(command.expiresAt) - msOf(command.at);
  if (lifetimeMs <= 0 || lifetimeMs > MAX_ORDER_LIFETIME_MS) {
    throw new Rejection(
      'invalid_expiry',
      'expiresAt must be later than now, and at most 30 days from now',
    );
  }
  const { capture, methods, currency } = command;
  if (capture.policy === 'delayed') {
    if (capture.delayMs <= 0 || capture.delayMs > MAX_CAPTURE_DELAY_MS) {
      throw new Rejection(
        'invalid_capture_delay',
        `the capture delay must be positive and at most ${MAX_CAPTURE_DELAY_MS / HOUR_MS} hours`,
      );
    }
  }
  if (methods.length === 0 || new Set(methods).size !== methods.length) {
    throw new Rejection(
      'invalid_methods',
      'methods must contain at least one method, and each only once',
    );
  }
  if (command.mandateId !== undefined && (methods.length !== 1 || methods[0] !== 'sepa')) {
    throw new Rejection(
      'invalid_methods',
      'an order with a mandate must have sepa as its only method',
    );
  }
  if (methods.includes('sepa') && currency !== 'eur') {
    throw new Rejection(
      'invalid_currency',
      'a SEPA direct debit is possible in eur only: change the currency, or remove sepa from methods',
    );
  }
  const { type: _type, ...terms } = command;
  return [{ type: 'OrderPlaced', ...terms }];
};

/**
 * Starts a payment. If the payment must not start, this function throws, so that the step fails: a
 * committed step would request the payment from the provider.
 */
const startPayment = (
  order: KnownOrder,
  { paymentId, at }: OrderCommand & { type: 'StartPayment' },
): OrderEvent[] => {
  if (order.payments.includes(paymentId)) return [];
  if (!isUnpaid(order)) {
    const code = order.status === 'paid' ? 'order_paid' : 'order_ended';
    throw new Rejection(
      code,
      `a payment cannot be started for an order with the status ${order.status}`,
    );
  }
  const ordinal = order.payments.length + 1;
  return [{ type: 'OrderPaymentStarted', paymentId, ordinal, at }];
};

const requestCancellation = (order: KnownOrder, at: OrderEvent['at']): OrderEvent[] => {
  switch (order.status) {
    case 'open':
    case 'authorized':
      return [{ type: 'OrderCancellationRequested', at }];
    case 'closing':
      return order.closing === 'cancellation' ? [] : [{ type: 'OrderCancellationRequested', at }];
    case 'canceled':
      return [];
    case 'paid':
      throw new Rejection(
        'order_paid',
        'the order is paid and cannot be canceled: refund it instead',
      );
    case 'expired':
    case 'failed':
      throw new Rejection(
        'order_ended',
        `the order cannot be canceled, because it has ended: its status is ${order.status}`,
      );
  }
};

const close = (order: KnownOrder, command: OrderCommand & { type: 'CloseOrder' }): OrderEvent[] => {
  if (!isUnpaid(order)) return [];
  const { at, outcome, reason } = command;
  switch (outcome) {
    case 'canceled':
      return [{ type: 'OrderCanceled', at }];
    case 'expired':
      return [{ type: 'OrderExpired', at }];
    case 'failed':
      return [{ type: 'OrderFailed', reason, at }];
  }
};

type UnpaidOrder = Extract<KnownOrder, { status: 'open' | 'authorized' | 'closing' }>;

const isUnpaid = (order: KnownOrder): order is UnpaidOrder =>
  order.status === 'open' || order.status === 'authorized' || order.status === 'closing';

const isCurrent = (order: UnpaidOrder, paymentId: string): boolean =>
  order.payments.at(-1) === paymentId;

const mustExist = (order: Order): KnownOrder => {
  if (order.status !== 'not_placed') return order;
  throw new Rejection('order_not_found', 'no order has this id');
};

const mustHave = ({ payments }: KnownOrder, paymentId: string): void => {
  if (payments.includes(paymentId)) return;
  throw new Rejection('payment_not_found', 'no payment of the order has this id');
};

/**
 * Records a further capture of the payment that paid the order, or the changed amount of a recorded
 * capture. A direct debit, or a first capture that was recorded without an id, has paid the order
 * in full, so no further capture can follow.
 */
const noteCapture = (
  order: KnownOrder,
  { paymentId, captureId, amountMinor, at }: OrderCommand & { type: 'NoteCapture' },
): OrderEvent[] => {
  if (order.status !== 'paid' || order.payments.at(-1) !== paymentId) return [];
  const before = order.captures.find((one) => one.captureId === captureId);
  if (before?.amountMinor === amountMinor) return [];
  const { currency, amountMinor: askedMinor } = order.terms;
  const paidMinor = order.paidMinor - (before?.amountMinor ?? 0) + amountMinor;
  if (paidMinor > askedMinor) return [];
  const facts = { paymentId, captureId, amountMinor, paidMinor, currency, at };
  if (before === undefined) return [{ type: 'OrderCaptured', ...facts }];
  const { amountMinor: previousAmountMinor } = before;
  return [{ type: 'OrderCaptureCorrected', ...facts, previousAmountMinor }];
};

const decide = (order: Order, command: OrderCommand): readonly OrderEvent[] =>
  command.type === 'PlaceOrder' ? place(order, command) : decidePlaced(mustExist(order), command);

const decidePlaced = (
  order: KnownOrder,
  command: Exclude<OrderCommand, { type: 'PlaceOrder' }>,
): readonly OrderEvent[] => {
  switch (command.type) {
    case 'StartPayment':
      return startPayment(order, command);
    case 'NoteAuthorization':
      mustHave(order, command.paymentId);
      if (!isUnpaid(order) || order.status === 'authorized') return [];
      // The platform has canceled the order, so the order is not authorized: the payment's
      // authorization is released.
      if (order.status === 'closing' && order.closing === 'cancellation') return [];
      assert(isCurrent(order, command.paymentId), 'only the current payment is authorized');
      return [{ type: 'OrderAuthorized', paymentId: command.paymentId, at: command.at }];
    case 'RequestCancellation':
      return requestCancellation(order, command.at);
    case 'ReachExpiry':
      return order.status === 'open' ? [{ type: 'OrderExpiryReached', at: command.at }] : [];
    case 'ConfirmPaid': {
      mustHave(order, command.paymentId);
      if (!isUnpaid(order)) return [];
      assert(isCurrent(order, command.paymentId), 'only the current payment pays the order');
      const { paymentId, captureId, amountMinor, at } = command;
      const { currency, amountMinor: askedMinor } = order.terms;
      assert(amountMinor > 0 && amountMinor <= askedMinor, 'an order is paid at most in full');
      const named = captureId === undefined ? {} : { captureId };
      return [{ type: 'OrderPaid', paymentId, ...named, amountMinor, currency, at }];
    }
    case 'NoteCapture':
      mustHave(order, command.paymentId);
      return noteCapture(order, command);
    case 'CloseOrder':
      return close(order, command);
    case 'NoteRefundOrChargeback':
      mustHave(order, command.paymentId);
      return noteRefundOrChargeback(order, command);
  }
};

const placed = (order: Order): PlacedOrder => {
  assert(order.status !== 'not_placed', 'an order is placed before anything else happens to it');
  const { terms, placedAt, payments } = order;
  return { terms, placedAt, payments };
};

const evolve = (order: Order, event: OrderEvent): Order => {
  switch (event.type) {
    case 'OrderPlaced': {
      const { type: _type, at, ...terms } = event;
      return { status: 'open', terms, placedAt: at, payments: [] };
    }
    case 'OrderPaymentStarted': {
      const base = placed(order);
      const payments = [...base.payments, event.paymentId];
      if (order.status === 'closing') return { ...order, payments };
      return { ...base, status: 'open', payments };
    }
    case 'OrderAuthorized':
      return { ...placed(order), status: 'authorized' };
    case 'OrderCancellationRequested':
      return { ...placed(order), status: 'closing', closing: 'cancellation' };
    case 'OrderExpiryReached':
      return { ...placed(order), status: 'closing', closing: 'expiry' };
    case 'OrderPaid': {
      const { captureId, amountMinor } = event;
      return {
        ...placed(order),
        status: 'paid',
        paidMinor: amountMinor,
        captures: captureId === undefined ? [] : [{ captureId, amountMinor }],
        refundsAndChargebacks: { refundedMinor: 0, chargedBackMinor: 0, recorded: [] },
      };
    }
    case 'OrderCaptured': {
      assert(order.status === 'paid', 'a further capture follows the one that paid the order');
      const { captureId, amountMinor, paidMinor } = event;
      return { ...order, paidMinor, captures: [...order.captures, { captureId, amountMinor }] };
    }
    case 'OrderCaptureCorrected': {
      assert(order.status === 'paid', 'a capture is recorded before its amount changes');
      const { captureId, amountMinor, paidMinor } = event;
      const captures = order.captures.map((one) =>
        one.captureId === captureId ? { captureId, amountMinor } : one,
      );
      return { ...order, paidMinor, captures };
    }
    case 'OrderRefunded':
    case 'OrderChargedBack':
    case 'OrderDisputeWon':
    case 'OrderDebitReturned':
    case 'OrderPaymentVoided':
      assert(order.status === 'paid', 'refunds and chargebacks follow the payment of the order');
      return {
        ...order,
        refundsAndChargebacks: afterRefundOrChargeback(order.refundsAndChargebacks, event),
      };
    case 'OrderCanceled':
      return { ...placed(order), status: 'canceled' };
    case 'OrderExpired':
      return { ...placed(order), status: 'expired' };
    case 'OrderFailed':
      return { ...placed(order), status: 'failed', reason: event.reason };
  }
};

export const orderDecider: Decider<Order, OrderCommand, OrderEvent> = {
  initialState: { status: 'not_placed' },
  decide,
  evolve,
};
