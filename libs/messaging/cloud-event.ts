import type { EventMetadata, RecordedEvent, StreamType } from '#event-store';
import { isStreamType, topicOf, type TopicSettings } from './topics.js';

/** Before each event type in `ce_type`: `payment-orchestrator.OrderPlaced`. Never changes. */
export const CE_TYPE_PREFIX = 'payment-orchestrator.';
/** Before each stream type in `ce_source`: `/payment-orchestrator/order`. Never changes. */
const CE_SOURCE_PREFIX = '/payment-orchestrator/';
const SCHEMA_PREFIX = 'urn:payment-orchestrator:schema:';
/** A version has ten digits at most; with zeros before it, it also sorts as text. */
const SEQUENCE_DIGITS = 10;

/** Names the JSON Schema of an event type: `urn:payment-orchestrator:schema:OrderPlaced:1`. */
export const schemaId = (type: string, schemaVersion: number): string =>
  `${SCHEMA_PREFIX}${type}:${schemaVersion}`;

/** An event as the topics tell it: what a consumer gets. */
export type EventMessage = Omit<RecordedEvent, 'cursor' | 'recordedAt'>;

/** A message on its way to its topic. */
export interface OutgoingMessage {
  readonly topic: string;
  readonly key: string;
  readonly value: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A message that was not written by our relay, or not by one that we can read. */
export class UndecodableMessage extends Error {
  override readonly name = 'UndecodableMessage';
}

/** CloudEvents 1.0, binary binding for Kafka. The key is the aggregate's id. */
export const encodeCloudEvent = (
  event: RecordedEvent, topics: Pick<TopicSettings, 'prefix'>,
): OutgoingMessage => {
  const { streamType, streamId, metadata, data } = event;
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    ce_specversion: '1.0',
    ce_id: event.eventId,
    ce_type: `${CE_TYPE_PREFIX}${event.type}`,
    ce_source: `${CE_SOURCE_PREFIX}${streamType}`,
    ce_subject: streamId,
    ce_time: typeof data['at'] === 'string' ? data['at'] : event.recordedAt,
    ce_sequence: String(event.version).padStart(SEQUENCE_DIGITS, '0'),
    ce_dataschema: schemaId(event.type, event.schemaVersion),
    ce_correlationid: metadata.correlationId,
    ce_causationid: metadata.causationId,
    ce_actor: metadata.actor,
  };
  if (metadata.traceparent !== null) headers['ce_traceparent'] = metadata.traceparent;
  const topic = topicOf(streamType, topics);
  return { topic, key: streamId, value: JSON.stringify(data), headers };
};

/** The parts of a Kafka client's message that carry a CloudEvent. */
export interface IncomingMessage {
  readonly key?: Buffer | string | null;
  readonly value: Buffer | string | null;
  readonly headers?: Readonly<Record<string, unknown>> | undefined;
}

const header = (message: IncomingMessage, name: string): string => {
  const value = message.headers?.[name];
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  throw new UndecodableMessage(`the header ${name} is missing`);
};

const afterPrefix = (text: string, prefix: string): string => {
  if (text.startsWith(prefix)) return text.slice(prefix.length);
  throw new UndecodableMessage(`'${text}' does not begin with '${prefix}'`);
};

const positive = (text: string, name: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new UndecodableMessage(`the ${name} '${text}' is not a positive whole number`);
  }
  return value;
};

const dataOf = (message: IncomingMessage): EventMessage['data'] => {
  try {
    const data: unknown = JSON.parse(message.value?.toString() ?? '');
    if (typeof data === 'object' && data !== null && !Array.isArray(data)) {
      return data as EventMessage['data'];
    }
  } catch (error) {
    throw new UndecodableMessage('the value is not JSON', { cause: error });
  }
  throw new UndecodableMessage('the value is not a JSON object');
};

const streamTypeOf = (message: IncomingMessage): StreamType => {
  const streamType = afterPrefix(header(message, 'ce_source'), CE_SOURCE_PREFIX);
  if (isStreamType(streamType)) return streamType;
  throw new UndecodableMessage(`there are no streams of type '${streamType}'`);
};

const metadataOf = (message: IncomingMessage): EventMetadata => ({
  correlationId: header(message, 'ce_correlationid'),
  causationId: header(message, 'ce_causationid'),
  actor: header(message, 'ce_actor'),
  traceparent:
    message.headers?.['ce_traceparent'] === undefined ? null : header(message, 'ce_traceparent'),
});

/** Reads what `encodeCloudEvent` wrote. @throws UndecodableMessage */
export const decodeCloudEvent = (message: IncomingMessage): EventMessage => {
  const specversion = header(message, 'ce_specversion');
  if (specversion !== '1.0') throw new UndecodableMessage(`CloudEvents ${specversion} is unknown`);
  const [schemaType, schemaVersion] =
    afterPrefix(header(message, 'ce_dataschema'), SCHEMA_PREFIX).split(':');
  const type = afterPrefix(header(message, 'ce_type'), CE_TYPE_PREFIX);
  if (schemaType !== type) throw new UndecodableMessage(`the schema is not that of ${type}`);
  return {
    streamType: streamTypeOf(message),
    streamId: header(message, 'ce_subject'),
    version: positive(header(message, 'ce_sequence'), 'sequence'),
    eventId: header(message, 'ce_id'),
    type,
    schemaVersion: positive(schemaVersion ?? '', 'schema version'),
    data: dataOf(message),
    metadata: metadataOf(message),
  };
};
