import type { ReceivedEvent, StreamType } from './envelope.js';

const TYPE_PREFIX = 'payment-orchestrator.';
const SOURCE_PREFIX = '/payment-orchestrator/';
const SCHEMA_PREFIX = 'urn:payment-orchestrator:schema:';
/**
 * The maximum version of an event. The subscriber's database stores versions as 32-bit integers
 * and could not store a higher version.
 */
export const MAX_SEQUENCE = 2_147_483_647;

/** Thrown for a message that is not an event of the orchestrator, or cannot be decoded. */
export class UndecodableMessage extends Error {
  override readonly name = 'UndecodableMessage';
}

/** The fields of a Kafka message that contain a CloudEvent. */
export interface KafkaMessageParts {
  readonly key: Buffer | string | null;
  readonly value: Buffer | string | null;
  readonly headers?: Readonly<Record<string, unknown>> | undefined;
}

type Attributes = Readonly<Record<string, unknown>>;
type Data = ReceivedEvent['data'];

const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (attributes: Attributes, name: string): string => {
  const value = attributes[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new UndecodableMessage(`the attribute ${name} is missing`);
};

/** The value of an attribute that may be missing. */
const textOrNull = (attributes: Attributes, name: string): string | null =>
  attributes[name] === undefined ? null : textOf(attributes, name);

/** The value of an attribute, which must have the format that the orchestrator uses. */
const matching = (attributes: Attributes, name: string, form: RegExp): string => {
  const text = textOf(attributes, name);
  if (form.test(text)) return text;
  throw new UndecodableMessage(`the attribute ${name} is malformed`);
};

const afterPrefix = (attributes: Attributes, name: string, prefix: string): string => {
  const text = textOf(attributes, name);
  if (text.startsWith(prefix)) return text.slice(prefix.length);
  throw new UndecodableMessage(`the attribute ${name} does not begin with ${prefix}`);
};

const sequenceOf = (attributes: Attributes): number => {
  const sequence = Number(matching(attributes, 'sequence', /^\d{10}$/));
  if (sequence >= 1 && sequence <= MAX_SEQUENCE) return sequence;
  throw new UndecodableMessage('the attribute sequence is not a version');
};

/**
 * Reads the attributes of a CloudEvent. Everything that is stored or becomes part of an address is
 * validated here: anyone who may write to a topic can put anything into a message.
 */
const eventOf = (attributes: Attributes, data: unknown, streamType: StreamType): ReceivedEvent => {
  if (attributes['specversion'] !== '1.0') throw new UndecodableMessage('not CloudEvents 1.0');
  if (attributes['source'] !== `${SOURCE_PREFIX}${streamType}`) {
    throw new UndecodableMessage(`the source is not ${SOURCE_PREFIX}${streamType}`);
  }
  if (!isObject(data)) throw new UndecodableMessage('the data is not a JSON object');
  const type = afterPrefix(attributes, 'type', TYPE_PREFIX);
  const schema = afterPrefix(attributes, 'dataschema', SCHEMA_PREFIX);
  if (!/^[A-Za-z]{1,100}$/.test(type) || !new RegExp(`^${type}:[1-9]\\d{0,3}$`).test(schema)) {
    throw new UndecodableMessage('the attributes type and dataschema do not match');
  }
  return {
    type,
    streamType,
    subject: matching(attributes, 'subject', /^[\w-]{1,128}$/),
    sequence: sequenceOf(attributes),
    id: matching(attributes, 'id', /^[\w-]{1,64}$/),
    source: `${SOURCE_PREFIX}${streamType}`,
    time: textOf(attributes, 'time'),
    dataschema: `${SCHEMA_PREFIX}${schema}`,
    correlationid: textOf(attributes, 'correlationid'),
    causationid: textOf(attributes, 'causationid'),
    actor: textOf(attributes, 'actor'),
    platformid: textOrNull(attributes, 'platformid'),
    merchantid: textOrNull(attributes, 'merchantid'),
    traceparent: textOrNull(attributes, 'traceparent'),
    data,
  };
};

const headersOf = ({ headers = {} }: KafkaMessageParts): Attributes =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (!name.startsWith('ce_')) return [];
      const text = value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value;
      return [[name.slice('ce_'.length), text]];
    }),
  );

const jsonOf = (value: KafkaMessageParts['value']): unknown => {
  try {
    return JSON.parse(value?.toString() ?? '');
  } catch (error) {
    throw new UndecodableMessage('the value is not JSON', { cause: error });
  }
};

/**
 * Reads a message of the topic of `streamType`: CloudEvents 1.0 in the binary binding for Kafka.
 *
 * @throws UndecodableMessage
 */
export const decodeMessage = (
  message: KafkaMessageParts,
  streamType: StreamType,
): ReceivedEvent => {
  const event = eventOf(headersOf(message), jsonOf(message.value), streamType);
  if (message.key?.toString() === event.subject) return event;
  throw new UndecodableMessage(
    'the message key must be the subject, because Kafka keeps the order of messages with the same key only',
  );
};

/** Reads an event in CloudEvents' JSON format. @throws UndecodableMessage */
export const decodeStructured = (body: unknown, streamType: StreamType): ReceivedEvent => {
  if (!isObject(body)) throw new UndecodableMessage('the event is not a JSON object');
  const { data, ...attributes } = body;
  return eventOf(attributes, data, streamType);
};
