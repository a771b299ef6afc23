import type { ReceivedEvent } from './envelope.js';
import type { PublishedEvent } from './events.js';

export type EventType = PublishedEvent['type'];

/** The events of one type, or of several types: `EventOf<'OrderPaid' | 'OrderRefunded'>`. */
export type EventOf<Type extends EventType> = Extract<PublishedEvent, { readonly type: Type }>;

/**
 * Handlers by event type; other types are skipped. A handler runs in the transaction that also
 * stores the stream's version: what it writes with `tx` is committed exactly once. It may run more
 * than once before that, so it must do nothing that `tx` cannot roll back.
 */
export type Handlers<Tx> = {
  readonly [Type in EventType]?: (event: EventOf<Type>, tx: Tx) => Promise<void>;
};

type Handler<Tx> = (event: ReceivedEvent, tx: Tx) => Promise<void>;

/**
 * The handler of a type, if any. The type comes from a message, so `constructor` must not match.
 */
export const handlerOf = <Tx>(handlers: Handlers<Tx>, type: string): Handler<Tx> | undefined =>
  Object.hasOwn(handlers, type) ? (handlers as Record<string, Handler<Tx>>)[type] : undefined;
