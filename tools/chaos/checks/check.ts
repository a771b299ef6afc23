import { domainEvent } from '#log';
import { fold } from '#kernel';
import { type Order, orderAggregate, type OrderEvent } from '#order';
import { type Payment, paymentAggregate, type PaymentEvent } from '#payment';
import type { AcceptedFact, AttemptFact, Facts, IntentFact, ProviderEvent } from '../facts.js';

/** Something that does not hold, and what it concerns. */
export interface Broken {
  readonly id: string;
  readonly why: string;
}

export interface Verdict {
  /** What was looked at and found, for the report. */
  readonly figure: string;
  readonly broken: readonly Broken[];
}

/** One thing that must hold after everything has come to rest. */
export interface Check {
  /** Of the list of what must hold always; `0`: what the platform was promised. */
  readonly invariant: 0 | 1 | 2 | 3 | 4 | 6;
  readonly name: string;
  readonly look: (story: Story) => Verdict;
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
  /** Where in the log each event stands, the whole log counted from 0. */
  readonly places: readonly number[];
  readonly intents: readonly IntentFact[];
  readonly attempts: readonly AttemptFact[];
  readonly providerEvents: readonly ProviderEvent[];
}

/** The facts put together: each order with its payments, each of those with its provider side. */
export interface Story {
  readonly facts: Facts;
  readonly orders: readonly OrderStory[];
  readonly payments: readonly PaymentStory[];
}

const groupBy = <T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> => {
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
  const told = groupBy(facts.providerEvents, ({ intentId }) => intentId);
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
      providerEvents: ours.flatMap((intent) => told.get(intent.id) ?? []),
    };
  });
};

/** Folds the whole log with the deciders; nothing of it comes from a projection. */
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

export const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/** A payment's events of a type. */
export const countOf = (
  { events }: { readonly events: readonly { readonly type: string }[] },
  type: string,
): number => events.filter((event) => event.type === type).length;
