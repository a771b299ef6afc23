import {
  domainEvent, type ReactedEvent, type Saga, type SagaStep, type Stimulus,
} from '#log';
import { assert, isHandled } from '#kernel';
import { orderAggregate, type OrderEvent } from '#order';
import { PAYMENT_READ_DEADLINE, paymentAggregate, type PaymentEvent } from '#payment';
import {
  type Checkout, CHECKOUT_DEADLINES, CHECKOUT_SAGA, type CheckoutCommand, type CheckoutDeadline,
  type CheckoutMessage,
} from './checkout.js';
import { CHECKOUT_REACTIONS, reactToCheckout } from './checkout-saga.js';

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

/** The checkout as the event store runs it: one instance an order. */
export const checkoutInStep: Saga<Checkout> = {
  name: CHECKOUT_SAGA,
  initialState: { status: 'none' },
  stateUpcasters: [],
  deadlines: CHECKOUT_DEADLINES,
  // Everything that happens for an order carries the order's id as its correlation id.
  keyOf: ({ streamType, type, metadata }: ReactedEvent) =>
    (streamType === 'order' || streamType === 'payment') && isHandled(CHECKOUT_REACTIONS, type)
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
