import { type Saga, savedState, type SagaStep, stateOf } from '#log';
import { assert, type Instant } from '#kernel';
import { checkoutInStep, onboardingInStep } from '#sagas';
import { type GoldenEvent, upcastEvent } from './stream-history.js';

/** A state of a workflow as a release has saved it. */
export interface SavedState {
  /** The number of events to which the workflow had reacted. */
  readonly after: number;
  readonly state: unknown;
}

/** What a workflow did in reaction to an event. */
interface Reaction {
  /** The number of events in the history before the event to which the workflow reacted. */
  readonly after: number;
  /** Each command with the id of its aggregate, and each deadline that was set. */
  readonly actions: readonly unknown[];
}

/** The states that a release saved while a workflow reacted to a history, and its reactions. */
export interface GoldenWorkflow {
  /** The file of the events, e.g. `histories/card-automatic.json`. */
  readonly history: string;
  readonly saved: readonly SavedState[];
  readonly reactions: readonly Reaction[];
}

const WORKFLOWS = {
  order: checkoutInStep,
  merchant: onboardingInStep,
} as unknown as Readonly<Record<string, Saga>>;

const recordTo = (actions: unknown[]): SagaStep => {
  const record = (id: string, command: unknown): void => {
    actions.push({ id, command });
  };
  return {
    // The sagas do not use the states that these methods return.
    execute: (_aggregate, id, command) => Promise.resolve(record(id, command) as never),
    create: (_aggregate, id, command) => record(id, command) as never,
    setDeadline: (deadline) => actions.push({ deadline }),
  };
};

/** The id of the next payment in the history, so that the workflow gives its payment this id. */
const nextPayment = (events: readonly GoldenEvent[]): string =>
  String(
    events.find(({ type }) => type === 'OrderPaymentStarted')?.data['paymentId'] ?? 'pay_next',
  );

/**
 * Lets today's workflow react to the events of one order or merchant that follow a saved state;
 * by default to all of them.
 */
export const replayWorkflow = async (
  events: readonly GoldenEvent[],
  from: SavedState = { after: 0, state: null },
): Promise<Omit<GoldenWorkflow, 'history'> & { readonly state: unknown }> => {
  const [first] = events;
  const saga = WORKFLOWS[first?.streamType ?? ''];
  assert(first && saga, 'a workflow follows an order or a merchant');
  const key = first.streamId;
  let state = stateOf(saga, key, from.state);
  const saved: SavedState[] = [];
  const reactions: Reaction[] = [];
  for (const [index, event] of events.entries()) {
    if (index < from.after) continue;
    const { type, ...data } = upcastEvent(event);
    const at = event.data['at'] as Instant;
    const metadata = { correlationId: key, causationId: '', actor: 'golden', traceparent: null };
    const reacted = { ...event, type, data, metadata, version: index + 1, eventId: `e${index}` };
    if (saga.keyOf(reacted) !== key) continue;
    const newId = (prefix: string): string =>
      prefix === 'pay' ? nextPayment(events.slice(index)) : `${prefix}_next`;
    const actions: unknown[] = [];
    const stimulus = { from: 'event', event: reacted } as const;
    const context = { key, now: at, newId };
    const before = JSON.stringify(state);
    ({ state } = await saga.react(state, stimulus, context, recordTo(actions)));
    if (actions.length > 0) reactions.push({ after: index, actions });
    if (JSON.stringify(state) !== before) {
      saved.push({ after: index + 1, state: savedState(saga, state) });
    }
  }
  return { saved, reactions, state };
};
