import type { EventType } from '../storage/event-types.js';

/** What happens to a call instead of, before or after what it asks for. */
export const CALL_FAULTS = [
  /** Waits in real time, then goes on as usual. */
  'delay',
  /** The connection ends and nothing was done. */
  'drop_before',
  /** It is done, and the connection ends without the answer. */
  'drop_after',
  /** It is done, and the answer breaks off half-way. */
  'half_answer',
  /** The connection is reset and nothing was done. */
  'reset',
  /** These answers come instead: nothing was done. */
  'status_500',
  'status_502_html',
  'status_429',
] as const;

/** What happens to a delivery, once, when its first attempt is about to leave. */
export const WEBHOOK_FAULTS = [
  /** No attempt is made at all. */
  'lose',
  /** The same event is delivered a second time, at the same moment. */
  'double',
  /** It leaves after the next event for its endpoint, or when none comes, a minute later. */
  'reorder',
  /** It leaves so much later on the sandbox's clock. */
  'delay',
] as const;

export type CallFaultKind = (typeof CALL_FAULTS)[number];
export type WebhookFaultKind = (typeof WEBHOOK_FAULTS)[number];

/** `POST /v2/payment_intents/:id/capture`, or every call. */
export type CallTarget = string;

/** One type, those of one object (`payment.*`), or every event. */
export type EventTarget = EventType | `${string}.*` | '*';

/** Whom a fault meets, and how often. */
export interface FaultPlan<Target extends string, Kind extends string> {
  readonly target: Target;
  readonly kind: Kind;
  /** How many it still meets; null: until it is cleared. */
  readonly count: number | null;
  /** How likely each of them is met, above 0 and at most 1. */
  readonly rate: number;
  /** The same seed makes the same choices, one after the other. */
  readonly seed: string;
  readonly delayMs: number;
}

/** A fault that waits for what it meets. */
export interface Fault<Target extends string, Kind extends string> extends FaultPlan<Target, Kind> {
  readonly id: string;
  /** Of how many it has chosen, and how many of them it met. */
  readonly seen: number;
  readonly met: number;
}

export type CallFault = Fault<CallTarget, CallFaultKind>;
export type WebhookFault = Fault<EventTarget, WebhookFaultKind>;
