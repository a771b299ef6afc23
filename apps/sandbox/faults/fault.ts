import type { EventType } from '../storage/event-types.js';

/** The faults of an API call. */
export const CALL_FAULTS = [
  /** Waits in real time, then continues normally. */
  'delay',
  /** The connection is closed and nothing is executed. */
  'drop_before',
  /** The call is executed and the connection closed without a response. */
  'drop_after',
  /** The call is executed and the response breaks off half-way. */
  'half_answer',
  /** A list lacks the objects of the last twelve hours. Other responses stay as they are. */
  'late_list',
  /** The connection is reset and nothing is executed. */
  'reset',
  /** Responds with this status; nothing is executed. */
  'status_500',
  'status_502_html',
  'status_429',
] as const;

/** The faults of a webhook delivery; each delivery gets at most one, before its first attempt. */
export const WEBHOOK_FAULTS = [
  /** The event is never sent. */
  'lose',
  /** The same event is delivered twice, at the same moment. */
  'double',
  /**
   * The event is sent after the next event to the same endpoint, or after a minute if no event
   * follows.
   */
  'reorder',
  /** The event is sent with this delay on the sandbox's clock. */
  'delay',
] as const;

export type CallFaultKind = (typeof CALL_FAULTS)[number];
export type WebhookFaultKind = (typeof WEBHOOK_FAULTS)[number];

/** A route such as `POST /v2/payment_intents/:id/capture`; `*` for every call. */
export type CallTarget = string;

/**
 * The events that a fault affects: one type, all types of one object (`payment.*`), or every event.
 */
export type EventTarget = EventType | `${string}.*` | '*';

/** What a fault affects, and how often it applies. */
export interface FaultPlan<Target extends string, Kind extends string> {
  readonly target: Target;
  readonly kind: Kind;
  /** How many more times the fault applies; null: until the fault is cleared. */
  readonly count: number | null;
  /** The probability that a matching call or delivery is affected, above 0 and at most 1. */
  readonly rate: number;
  /** Faults with the same seed make the same random choices in the same order. */
  readonly seed: string;
  readonly delayMs: number;
}

/** A registered fault, with the counts of its use. */
export interface Fault<Target extends string, Kind extends string> extends FaultPlan<Target, Kind> {
  readonly id: string;
  /**
   * The number of matching calls or deliveries (`seen`), and how many of them the fault affected
   * (`met`).
   */
  readonly seen: number;
  readonly met: number;
}

export type CallFault = Fault<CallTarget, CallFaultKind>;
export type WebhookFault = Fault<EventTarget, WebhookFaultKind>;
