import { assert, type Clock, newId } from '#kernel';
import { type EventMetadata, EventStore, type StepBuilder } from '#event-store';
import type { EventMessage, Subscription } from '#messaging';
import { type Order, orderAggregate, type OrderEvent } from '#order';
import { PAYMENT_READ_DEADLINE, paymentAggregate, type PaymentEvent } from '#payment';
import {
  type Checkout, CHECKOUT_DEADLINES, CHECKOUT_SAGA, type CheckoutCommand, type CheckoutDeadline,
  type CheckoutMessage, reactToCheckout,
} from '#sagas';
import type { DeadlineHandler, DueDeadline } from '../deadlines/deadline.js';

const ACTOR = `saga:${CHECKOUT_SAGA}`;

/** What the checkout reacts to; all other events of its streams are passed over. */
const HANDLED: ReadonlySet<(OrderEvent | PaymentEvent)['type']> = new Set([
  'OrderPlaced', 'OrderCancellationRequested', 'OrderExpiryReached',
  'PaymentAuthorized', 'DirectDebitAccepted', 'CaptureAccepted', 'CaptureSent', 'PaymentCaptured',
  'PaymentCanceled', 'AuthorizationExpired', 'DirectDebitReturned', 'IntentRejected',
  'AttemptRefused', 'DebitRejected', 'RefundSucceeded', 'DisputeObserved',
] as const);

const isDeadline = (kind: string): kind is CheckoutDeadline =>
  (CHECKOUT_DEADLINES as readonly string[]).includes(kind);

const isCancellation = (order: Order): boolean =>
  order.status === 'closing' && order.closing === 'cancellation';

/** The log gives events back as they were written, lifted to today's schema. */
const messageOf = ({ streamType, streamId, type, data }: EventMessage): CheckoutMessage =>
  streamType === 'order'
    ? { from: 'order', event: { ...data, type } as OrderEvent }
    : { from: 'payment', paymentId: streamId, event: { ...data, type } as PaymentEvent };

/**
 * Runs the checkout saga: what it takes, its state, and all that its commands lead to are one step.
 * An order and its payments come on different partitions; the saga's version keeps them apart.
 */
export class CheckoutRunner {
  readonly subscription: Subscription = {
    name: CHECKOUT_SAGA,
    actor: ACTOR,
    streams: ['order', 'payment'],
    handles: HANDLED,
    // Everything that happens for an order carries the order's id as its correlation.
    handle: (message, step) =>
      this.react(message.metadata.correlationId, messageOf(message), step),
  };

  readonly deadlines: DeadlineHandler = {
    kinds: ['checkout.*'],
    handle: (deadline) => this.carryOut(deadline),
  };

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  private async carryOut(deadline: DueDeadline): Promise<void> {
    const { kind, key: orderId } = deadline;
    assert(isDeadline(kind), `the checkout has no deadline '${kind}'`);
    const metadata: EventMetadata = {
      correlationId: orderId, causationId: `${kind} ${deadline.dueAt}`, actor: ACTOR,
      traceparent: null,
    };
    await this.store.step(metadata, async (step) => {
      step.fired(deadline);
      await this.react(orderId, { from: 'deadline', kind }, step);
    });
  }

  private async react(orderId: string, message: CheckoutMessage, step: StepBuilder): Promise<void> {
    const saved = await step.loadSaga(CHECKOUT_SAGA, orderId);
    const before = (saved.state ?? { status: 'none' }) as Checkout;
    const now = this.clock.now();
    const isCancelled = message.from !== 'order' && before.status === 'paying' &&
      isCancellation(await step.load(orderAggregate, orderId));
    const reaction = reactToCheckout(before, message, {
      orderId, now, newPaymentId: newId('pay'), isCancelled,
    });
    for (const command of reaction.commands) await carry(command, orderId, step);
    for (const kind of CHECKOUT_DEADLINES) {
      const dueAt = reaction.deadlines[kind];
      if (dueAt !== undefined) step.setDeadline({ kind, key: orderId, dueAt });
    }
    if (reaction.readNow !== null) {
      step.setDeadline({ kind: PAYMENT_READ_DEADLINE, key: reaction.readNow, dueAt: now });
    }
    const { commands, deadlines } = reaction;
    const isIdle = commands.length === 0 && Object.keys(deadlines).length === 0;
    // Of a checkout that is not under way the order alone decides.
    if (reaction.state === before && (isIdle || before.status !== 'paying')) return;
    // Also when it is as before: what was decided holds only for this version of it.
    step.saveSaga({
      saga: CHECKOUT_SAGA,
      key: orderId,
      expectedVersion: saved.version,
      state: reaction.state,
      done: reaction.state.status === 'done',
    });
  }
}

const carry = async (
  one: CheckoutCommand, orderId: string, step: StepBuilder,
): Promise<void> => {
  if (one.to === 'order') {
    await step.execute(orderAggregate, orderId, one.command);
    return;
  }
  const { paymentId, command } = one;
  if (command.type === 'RequestIntent') step.create(paymentAggregate, paymentId, command);
  else await step.execute(paymentAggregate, paymentId, command);
};
