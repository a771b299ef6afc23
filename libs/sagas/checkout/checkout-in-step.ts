import type { ReactedEvent, Saga, SagaStep, Stimulus } from '#event-store';
import { assert } from '#kernel';
import { orderAggregate, type OrderEvent } from '#order';
import { PAYMENT_READ_DEADLINE, paymentAggregate, type PaymentEvent } from '#payment';
import {
  type Checkout, CHECKOUT_DEADLINES, CHECKOUT_SAGA, type CheckoutCommand, type CheckoutDeadline,
  type CheckoutMessage,
} from './checkout.js';
import { reactToCheckout } from './checkout-saga.js';

/** Whether the checkout reacts to an event; a new event does not compile until this says so. */
const REACTS_TO: Readonly<Record<(OrderEvent | PaymentEvent)['type'], boolean>> = {
  OrderPlaced: true,
  OrderCancellationRequested: true,
  OrderExpiryReached: true,
  OrderPaymentStarted: false,
  OrderAuthorized: false,
  OrderPaid: false,
  OrderRefunded: false,
  OrderChargedBack: false,
  OrderDisputeWon: false,
  OrderDebitReturned: false,
  OrderPaymentLost: false,
  OrderCanceled: false,
  OrderExpired: false,
  OrderFailed: false,
  PaymentAuthorized: true,
  DirectDebitAccepted: true,
  CaptureAccepted: true,
  CaptureSent: true,
  PaymentCaptured: true,
  PaymentCanceled: true,
  AuthorizationExpired: true,
  DirectDebitReturned: true,
  IntentRejected: true,
  AttemptRefused: true,
  DebitRejected: true,
  RefundSucceeded: true,
  DisputeObserved: true,
  DisputeReversed: true,
  IntentRequested: false,
  IntentCreated: false,
  DebitRequested: false,
  PageFinished: false,
  AuthorizationExpiring: false,
  CaptureRequested: false,
  CancelRequested: false,
  RefundRequested: false,
  RefundRejected: false,
  RefundGivenUp: false,
  RefundObserved: false,
  RefundSent: false,
  RefundFailed: false,
  DisputeMoved: false,
  OutcomeUnknown: false,
  OutcomeSettled: false,
  ProviderMismatchObserved: true,
};

const reactsTo = (type: string): boolean =>
  Object.hasOwn(REACTS_TO, type) && REACTS_TO[type as keyof typeof REACTS_TO];

const isDeadline = (kind: string): kind is CheckoutDeadline =>
  (CHECKOUT_DEADLINES as readonly string[]).includes(kind);

/** The log gives events back as they were written, upcast to today's schema. */
const messageOf = (stimulus: Stimulus): CheckoutMessage => {
  if (stimulus.from === 'deadline') {
    const { kind } = stimulus;
    assert(isDeadline(kind), `the checkout has no deadline '${kind}'`);
    return { from: 'deadline', kind };
  }
  const { streamType, streamId, type, data } = stimulus.event;
  return streamType === 'order'
    ? { from: 'order', event: { ...data, type } as OrderEvent }
    : { from: 'payment', paymentId: streamId, event: { ...data, type } as PaymentEvent };
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

/** The checkout as the event store runs it: one instance an order. */
export const checkoutInStep: Saga<Checkout> = {
  name: CHECKOUT_SAGA,
  initialState: { status: 'none' },
  stateUpcasters: [],
  deadlines: CHECKOUT_DEADLINES,
  // Everything that happens for an order carries the order's id as its correlation id.
  keyOf: ({ streamType, type, metadata }: ReactedEvent) =>
    (streamType === 'order' || streamType === 'payment') && reactsTo(type)
      ? metadata.correlationId : null,
  react: async (before, stimulus, { key: orderId, now, newId }, step) => {
    const { state, commands, deadlines, readNow } = reactToCheckout(
      before, messageOf(stimulus), { orderId, now, newPaymentId: newId('pay') },
    );
    for (const command of commands) await send(command, orderId, step);
    for (const kind of CHECKOUT_DEADLINES) {
      const dueAt = deadlines[kind];
      if (dueAt !== undefined) step.setDeadline({ kind, key: orderId, dueAt });
    }
    if (readNow !== null) {
      step.setDeadline({ kind: PAYMENT_READ_DEADLINE, key: readNow, dueAt: now });
    }
    return { state, done: state.status === 'done' };
  },
};
