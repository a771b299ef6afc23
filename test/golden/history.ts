import { assert, type Instant } from '#kernel';
import type { OrderEvent } from '#order';
import type { PaymentEvent } from '#payment';
import { type Checkout, type CheckoutMessage, reactToCheckout } from '#sagas';
import { AGGREGATES, type GoldenEvent, upcastEvent } from './stream-history.js';

/** What the code derives from a history: the states, and the commands of the checkout saga. */
export interface Reading {
  readonly order: unknown;
  readonly payments: Readonly<Record<string, unknown>>;
  readonly checkout: Checkout;
  /**
   * The reactions of the checkout saga: a text `<event>: <commands>` for each event that causes
   * commands.
   */
  readonly reactions: readonly string[];
}

export interface GoldenHistory {
  readonly kind: string;
  readonly events: readonly GoldenEvent[];
  readonly reading: Reading;
}

const messageOf = (event: GoldenEvent): CheckoutMessage =>
  event.streamType === 'order'
    ? { from: 'order', event: upcastEvent(event) as OrderEvent }
    : { from: 'payment', paymentId: event.streamId, event: upcastEvent(event) as PaymentEvent };

/**
 * Reads a history with today's code: upcasts and folds the events, and passes them to the checkout
 * saga.
 */
export const readHistory = (events: readonly GoldenEvent[]): Reading => {
  const states = new Map<string, unknown>();
  const started = events
    .filter(({ type }) => type === 'OrderPaymentStarted')
    .map(({ data }) => String(data['paymentId']));
  const [first] = events;
  assert(first?.streamType === 'order', 'a history begins with its order');
  const orderId = first.streamId;
  let checkout: Checkout = { status: 'none' };
  const reactions: string[] = [];
  for (const event of events) {
    const { streamType, streamId } = event;
    const { decider } = AGGREGATES[streamType];
    const before = states.get(streamId) ?? decider.initialState;
    states.set(streamId, decider.evolve(before, upcastEvent(event)));
    const reaction = reactToCheckout(checkout, messageOf(event), {
      orderId,
      now: event.data['at'] as Instant,
      newPaymentId: reactions.some((reaction) => reaction.includes('StartPayment'))
        ? (started[1] ?? 'pay_next')
        : (started[0] ?? 'pay_next'),
      newCaptureId: 'cap_next',
    });
    checkout = reaction.state;
    if (reaction.commands.length > 0) {
      const asked = reaction.commands.map(({ command }) => command.type);
      reactions.push(`${event.type}: ${asked.join(', ')}`);
    }
  }
  const { [orderId]: order, ...payments } = Object.fromEntries(states);
  return { order, payments, checkout, reactions };
};
