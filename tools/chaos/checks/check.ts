import { domainEvent } from '#log';
import { fold } from '#kernel';
import { type Order, orderAggregate, type OrderEvent } from '#order';
import { exists, type Payment, paymentAggregate, type PaymentEvent } from '#payment';
import type { AcceptedFact, AttemptFact, Facts, IntentFact, ProviderEvent } from '../facts.js';

/** The id of an object that violates a check, and the reason. */
export interface Broken {
  readonly id: string;
  readonly why: string;
}

export interface Verdict {
  /** True if the run contains nothing that this check could examine. */
  readonly isSkipped?: boolean;
  /** The check's counts as text, for the report. */
  readonly figure: string;
  readonly broken: readonly Broken[];
}

/** An invariant that must hold when all work is done. */
export interface Check {
  /**
   * The number of the invariant for the report. The number 0 means a guarantee to the platform,
   * such as “each accepted order exists”.
   */
  readonly invariant: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
  readonly name: string;
  readonly verify: (story: Story) => Verdict;
}

export interface OrderStory {
  readonly id: string;
  readonly order: Exclude<Order, { status: 'not_placed' }>;
  readonly events: readonly OrderEvent[];
  readonly version: number;
  readonly accepted: AcceptedFact | undefined;
  readonly payments: readonly PaymentStory[];
}

export interface PaymentStory {
  readonly id: string;
  readonly payment: Payment;
  readonly events: readonly PaymentEvent[];
  /** The index in the whole event log of each event in `events`. */
  readonly places: readonly number[];
  readonly intents: readonly IntentFact[];
  readonly attempts: readonly AttemptFact[];
  readonly providerEvents: readonly ProviderEvent[];
}

/**
 * The facts, grouped: each order with its payments, and each payment with its intents and attempts
 * at the provider.
 */
export interface Story {
  readonly facts: Facts;
  readonly orders: readonly OrderStory[];
  readonly payments: readonly PaymentStory[];
}

/** Groups items by key. Within a group the items keep their order. */
export const groupBy = <T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
};

const paymentStories = (facts: Facts): PaymentStory[] => {
  const placed = facts.log.map((event, place) => ({ event, place }));
  const own = placed.filter(({ event }) => event.streamType === 'payment');
  const intents = groupBy(facts.intents, ({ orderId }) => orderId ?? '');
  const attempts = groupBy(facts.attempts, ({ intentId }) => intentId);
  const shown = groupBy(facts.providerEvents, ({ intentId }) => intentId);
  return [...groupBy(own, ({ event }) => event.streamId)].map(([id, entries]) => {
    const events = entries.map(({ event }) => domainEvent<PaymentEvent>(event));
    const ours = intents.get(id) ?? [];
    return {
      id,
      events,
      payment: fold(paymentAggregate.decider, events),
      places: entries.map(({ place }) => place),
      intents: ours,
      attempts: ours.flatMap((intent) => attempts.get(intent.id) ?? []),
      providerEvents: ours.flatMap((intent) => shown.get(intent.id) ?? []),
    };
  });
};

/**
 * Computes the states of all orders and payments from the event log with the deciders, not from the
 * projections, and joins the facts.
 */
export const storyOf = (facts: Facts): Story => {
  const payments = paymentStories(facts);
  const byId = new Map(payments.map((payment) => [payment.id, payment]));
  const accepted = new Map(facts.accepted.flatMap((one) => one.orderIds.map((id) => [id, one])));
  const own = facts.log.filter(({ streamType }) => streamType === 'order');
  const orders: OrderStory[] = [];
  for (const [id, entries] of groupBy(own, ({ streamId }) => streamId)) {
    const events = entries.map(domainEvent<OrderEvent>);
    const order = fold(orderAggregate.decider, events);
    if (order.status === 'not_placed') continue;
    orders.push({
      id,
      order,
      events,
      version: events.length,
      accepted: accepted.get(id),
      payments: order.payments.flatMap((paymentId) => byId.get(paymentId) ?? []),
    });
  }
  return { facts, orders, payments };
};

const MANY_ORDERS = 40;

/** Whether the run has enough orders for the minimum counts of a check. */
export const isLong = ({ accepted }: Facts): boolean => accepted.length >= MANY_ORDERS;

/**
 * Whether the run is a chaos run with enough orders. In such a run the relay's cursor was moved
 * back, and some statuses were first reported by a webhook.
 */
export const isLongChaos = (facts: Facts): boolean => facts.troubles !== null && isLong(facts);

export const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

export const countOf = (
  { events }: { readonly events: readonly { readonly type: string }[] },
  type: string,
): number => events.filter((event) => event.type === type).length;

export const isDebit = ({ payment }: PaymentStory): boolean =>
  exists(payment) && payment.terms.methods.includes('sepa');
