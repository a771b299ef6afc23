import { type Named, type Schema, SchemaComparison } from './schema.js';

interface MessagePart {
  readonly headers?: Schema;
  readonly bindings?: { readonly kafka?: { readonly key?: Schema } };
}

interface Message extends MessagePart {
  readonly contentType?: string;
  readonly traits?: readonly { readonly $ref: string }[];
  readonly payload?: Schema;
}

interface Channel {
  readonly address: string;
  readonly messages: Readonly<Record<string, Message>>;
}

/** The parts of an AsyncAPI document that subscribers depend on. */
export interface Channels {
  readonly channels: Readonly<Record<string, Channel>>;
  readonly components: { readonly messageTraits: Readonly<Record<string, MessagePart>> };
}

/** A document, with the schemas of its events by file name, e.g. `OrderPaid.v1.json`. */
export interface Published {
  readonly document: Channels;
  readonly schemas: Named;
}

/** The message with the headers of its traits added to its own headers. */
const whole = ({ components }: Channels, message: Message): Message => {
  const names = (message.traits ?? []).map(({ $ref }) => $ref.split('/').at(-1) ?? '');
  const parts = [...names.map((name) => components.messageTraits[name] ?? {}), message];
  const headers = { allOf: parts.flatMap((part) => (part.headers ? [part.headers] : [])) };
  const keys = parts.flatMap(({ bindings }) => (bindings?.kafka?.key ? [bindings.kafka.key] : []));
  return { ...message, headers, bindings: { kafka: { key: keys.at(-1) ?? {} } } };
};

/**
 * The breaking changes for subscribers between two AsyncAPI documents, one line for each. A new
 * schema version of an event is a breaking change, because a subscriber has no type for it.
 */
export const breakingChannelChanges = (before: Published, after: Published): readonly string[] => {
  const schemas = new SchemaComparison(before.schemas, after.schemas);
  const ofMessage = (at: string, was: Message, is: Message): readonly string[] => {
    const [old, now] = [whole(before.document, was), whole(after.document, is)];
    const ofPart = (name: string, one: Schema = {}, other: Schema = {}) =>
      schemas.changes(`${at} ${name}`, one, other, 'client');
    return [
      ...(old.contentType === now.contentType ? [] : [`${at}: is now ${now.contentType}`]),
      ...ofPart('key', old.bindings?.kafka?.key, now.bindings?.kafka?.key),
      ...ofPart('headers', old.headers, now.headers),
      ...ofPart('data', old.payload, now.payload),
    ];
  };
  return Object.entries(before.document.channels).flatMap(([name, was]) => {
    const is = after.document.channels[name];
    if (!is) return [`${name}: was removed`];
    const moved = was.address === is.address ? [] : [`${name}: is now at ${is.address}`];
    const messages = Object.entries(was.messages).flatMap(([type, message]) => {
      const now = is.messages[type];
      return now ? ofMessage(`${name} ${type}`, message, now) : [`${name} ${type}: was removed`];
    });
    return [...moved, ...messages];
  });
};
