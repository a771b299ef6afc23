import { domainEvent, type ReactedEvent, type Saga, type SagaStep, type Stimulus } from '#log';
import {
  assert,
  assertNever,
  type EventMap,
  ignored,
  type Instant,
  isHandled,
  mapEvent,
} from '#kernel';
import { type ClosingReason, orderAggregate, type OrderEvent } from '#order';
import { paymentAggregate, type PaymentEvent } from '#payment';
import {
  finish,
  NO_DEADLINES,
  type Paying,
  startPayment,
  stay,
  toOrder,
  toPayment,
} from './checkout-reaction.js';
import {
  type Checkout,
  CHECKOUT_DEADLINES,
  CHECKOUT_SAGA,
  type CheckoutCommand,
  type CheckoutContext,
  type CheckoutDeadline,
  type CheckoutMessage,
  type CheckoutReaction,
} from './checkout.js';
import { ON_PAYMENT, onPayment } from './payment-reactions.js';

const end = (
  state: Paying,
  closing: ClosingReason,
  deadlines: CheckoutReaction['deadlines'],
  at: Instant,
): CheckoutReaction => ({
  state: { ...state, closing },
  commands: [toPayment(state.paymentId, { type: 'RequestCancel', reason: closing, at })],
  deadlines,
});

const onPlaced = (
  event: OrderEvent & { type: 'OrderPlaced' },
  state: Checkout,
  context: CheckoutContext,
): CheckoutReaction => {
  const { now: at } = context;
  if (state.status !== 'none') return stay(state);
  const { type: _type, at: _at, ...terms } = event;
  // A retried reaction may run late. It starts no payment if the order has expired meanwhile.
  if (at >= terms.expiresAt) {
    const reason = 'not paid in time';
    return finish(toOrder({ type: 'CloseOrder', outcome: 'expired', reason, at }));
  }
  return startPayment(terms, context);
};

const ON_ORDER: EventMap<OrderEvent, [Checkout, CheckoutContext], CheckoutReaction> = {
  OrderPlaced: onPlaced,
  OrderCancellationRequested: (_event, state, { now }) =>
    state.status === 'paying' ? end(state, 'cancellation', NO_DEADLINES, now) : stay(state),
  // Only the deadline of the expiry is removed: if the payer has already authorized the payment,
  // the deadlines for its capture and its warning remain.
  OrderExpiryReached: (_event, state, { now }) =>
    state.status === 'paying'
      ? end(state, 'expiry', { 'checkout.expiry': null }, now)
      : stay(state),
  ...ignored('OrderPaymentStarted', 'OrderAuthorized', 'OrderPaid', 'OrderCaptured'),
  ...ignored('OrderCaptureCorrected'),
  ...ignored('OrderRefunded', 'OrderChargedBack', 'OrderDisputeWon', 'OrderDebitReturned'),
  ...ignored('OrderPaymentVoided', 'OrderCanceled', 'OrderExpired', 'OrderFailed'),
};

/** The checkout's reaction to each event type, or `ignored`. */
export const CHECKOUT_REACTIONS: Readonly<Record<(OrderEvent | PaymentEvent)['type'], unknown>> = {
  ...ON_ORDER,
  ...ON_PAYMENT,
};

const onDeadline = (
  state: Paying,
  kind: CheckoutDeadline,
  { now, newCaptureId: captureId }: CheckoutContext,
): CheckoutReaction => {
  const { paymentId } = state;
  const ask = (command: CheckoutCommand): CheckoutReaction => ({
    state,
    commands: [command],
    deadlines: {},
  });
  switch (kind) {
    case 'checkout.expiry':
      return ask(toOrder({ type: 'ReachExpiry', at: now }));
    case 'checkout.capture': {
      if (state.closing === 'cancellation') return stay(state);
      const capture = { type: 'RequestCapture', captureId, by: 'policy', at: now } as const;
      return ask(toPayment(paymentId, capture));
    }
    case 'checkout.warning':
      return ask(toPayment(paymentId, { type: 'WarnOfExpiry', at: now }));
  }
};

/**
 * The checkout of one order: it requests an intent, waits for the authorization, captures according
 * to the policy, and records the result on the order. Pure; an event may arrive twice or late.
 * Results that no webhook reports are found by the payment's scheduled reads.
 */
export const reactToCheckout = (
  state: Checkout,
  message: CheckoutMessage,
  context: CheckoutContext,
): CheckoutReaction => {
  if (state.status !== 'none' && state.status !== 'paying' && state.status !== 'done') {
    // Only a newer release saves other states. If they were treated as finished, an authorization
    // would be neither captured nor released.
    return assertNever(state);
  }
  switch (message.from) {
    case 'order':
      return mapEvent(ON_ORDER, stay(state), message.event, state, context);
    case 'payment':
      return onPayment(state, message, context);
    case 'deadline':
      return state.status === 'paying' ? onDeadline(state, message.kind, context) : stay(state);
  }
};

/**
 * The kind of a deadline that releases before this one set and that may still be stored or queued;
 * it has no effect any more.
 */
const RETIRED_DEADLINE = 'checkout.overdue';

const isDeadline = (kind: string): kind is CheckoutDeadline =>
  (CHECKOUT_DEADLINES as readonly string[]).includes(kind);

const messageOf = (stimulus: Stimulus): CheckoutMessage => {
  if (stimulus.from === 'deadline') {
    const { kind } = stimulus;
    assert(isDeadline(kind), `the checkout has no deadline '${kind}'`);
    return { from: 'deadline', kind };
  }
  const { event } = stimulus;
  return event.streamType === 'order'
    ? { from: 'order', event: domainEvent<OrderEvent>(event) }
    : { from: 'payment', paymentId: event.streamId, event: domainEvent<PaymentEvent>(event) };
};

const send = async (one: CheckoutCommand, orderId: string, step: SagaStep): Promise<void> => {
  if (one.to === 'order') {
    await step.execute(orderAggregate, orderId, one.command);
    return;
  }
  const { paymentId, command } = one;
  if (command.type === 'RequestIntent') step.create(paymentAggregate, paymentId, command);
  else await step.execute(paymentAggregate, paymentId, command);
};

/** The checkout as a saga of the event store, with one instance for each order. */
export const checkoutInStep: Saga<Checkout> = {
  name: CHECKOUT_SAGA,
  initialState: { status: 'none' },
  stateUpcasters: [],
  deadlines: [...CHECKOUT_DEADLINES, RETIRED_DEADLINE],
  // The events of an order and of its payments have the order's id as their correlation id.
  keyOf: ({ streamType, type, metadata }: ReactedEvent) =>
    (streamType === 'order' || streamType === 'payment') && isHandled(CHECKOUT_REACTIONS, type)
      ? metadata.correlationId
      : null,
  react: async (before, stimulus, { key: orderId, now, newId }, step) => {
    if (stimulus.from === 'deadline' && stimulus.kind === RETIRED_DEADLINE) {
      return { state: before, done: before.status === 'done' };
    }
    const { state, commands, deadlines } = reactToCheckout(before, messageOf(stimulus), {
      orderId,
      now,
      newPaymentId: newId('pay'),
      newCaptureId: newId('cap'),
    });
    for (const command of commands) await send(command, orderId, step);
    for (const kind of CHECKOUT_DEADLINES) {
      const dueAt = deadlines[kind];
      if (dueAt !== undefined) step.setDeadline({ kind, key: orderId, dueAt });
    }
    return { state, done: state.status === 'done' };
  },
};
