import type { ReceivedEvent } from './envelope.js';
import type { PublishedEvent } from './events.js';

export type EventType = PublishedEvent['type'];

/** The events of one type, or of several types: `EventOf<'OrderPaid' | 'OrderRefunded'>`. */
export type EventOf<Type extends EventType> = Extract<PublishedEvent, { readonly type: Type }>;

/**
 * Handlers by event type; other types are skipped. A handler runs in the transaction that also
 * stores the stream's version, so what it writes with `tx` is committed exactly once. A handler may
 * be run several times until its transaction commits, so it must have no effect that `tx` cannot
 * roll back, such as an HTTP request.
 */
export type Handlers<Tx> = {
  readonly [Type in EventType]?: (event: EventOf<Type>, tx: Tx) => Promise<void>;
};

type Handler<Tx> = (event: ReceivedEvent, tx: Tx) => Promise<void>;

/**
 * The handler of an event type, or undefined. Only own properties count, because the type comes
 * from a message and could be `constructor`.
 */
export const handlerOf = <Tx>(handlers: Handlers<Tx>, type: string): Handler<Tx> | undefined =>
  Object.hasOwn(handlers, type) ? (handlers as Record<string, Handler<Tx>>)[type] : undefined;
