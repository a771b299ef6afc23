import { CE_TYPE_PREFIX, topicOf } from '#kafka';
import type { StreamType } from '#kernel';
import type { EventSchema, JsonSchema } from './generate-event-schemas.js';

export interface TopicEvents {
  readonly streamType: StreamType;
  readonly about: string;
  readonly schemas: readonly EventSchema[];
}

/** The path of an event's schema, relative to the folder of the AsyncAPI document. */
export const schemaPath = ({ type, schemaVersion }: EventSchema): string =>
  `schemas/${type}.v${schemaVersion}.json`;

const text = (description: string, more: JsonSchema = {}): JsonSchema => ({
  type: 'string',
  description,
  ...more,
});

const fixed = (value: unknown, description: string): JsonSchema => ({ const: value, description });

/** The headers of every message. Each message type adds constants for its event type and schema. */
const CLOUD_EVENT_HEADERS = {
  type: 'object',
  required: [
    'content-type',
    'ce_specversion',
    'ce_id',
    'ce_type',
    'ce_source',
    'ce_subject',
    'ce_time',
    'ce_sequence',
    'ce_dataschema',
    'ce_correlationid',
    'ce_causationid',
    'ce_actor',
  ],
  properties: {
    'content-type': fixed('application/json', 'The media type of the payload.'),
    ce_specversion: fixed('1.0', 'The version of the CloudEvents specification.'),
    ce_id: text("The event's id; the same in every repetition.", { format: 'uuid' }),
    ce_subject: text("The aggregate's id; also the message's key."),
    ce_time: text(
      'When the event happened, in business time: UTC in ISO 8601, e.g. ' +
        '`2026-03-01T12:00:00.000Z`.',
      { format: 'date-time' },
    ),
    ce_sequence: text(
      "The event's version in its stream, from 1 without gaps, ten digits. Store the last value of " +
        'each subject and drop messages with no higher value, because a topic may repeat messages.',
      { pattern: '^[0-9]{10}$' },
    ),
    ce_correlationid: text(
      'The id that a request shares with all events that it caused. For all events of an order it is the ' +
        "order's id.",
    ),
    ce_causationid: text(
      'The id of the event, request, webhook or deadline that caused this event.',
    ),
    ce_actor: text(
      'Who caused the event: `platform:<id>`, `provider`, `saga:<name>`, `clock`, `user:<id>` or ' +
        '`ops:<hash>`.',
    ),
    ce_platformid: text(
      'The platform whose event this is; missing in events of release 0.2.0 and earlier.',
    ),
    ce_merchantid: text(
      'The merchant whose event this is; missing in events of release 0.2.0 and earlier and for payments that they began.',
    ),
    ce_traceparent: text(
      'The W3C trace context of the request or job that recorded the event; may be missing.',
    ),
    traceparent: text('The same as `ce_traceparent`, for instrumented consumers.'),
  },
};

const EXAMPLE_IDS: Readonly<Record<StreamType, string>> = {
  order: 'ord_3xKq0Zb7Yw2m4c9NfTgV1hJa',
  payment: 'pay_3xKq0Zb7Yw2m4c9NfTgV1hJa',
  payout: 'pout_3xKq0Zb7Yw2m4c9NfTgV1hJa',
  merchant: 'mer_3xKq0Zb7Yw2m4c9NfTgV1hJa',
  account: 'acc_3xKq0Zb7Yw2m4c9NfTgV1hJa',
  webhook_endpoint: 'whe_3xKq0Zb7Yw2m4c9NfTgV1hJa',
};

/**
 * An example of a message: the example of the event's schema, with all headers. A topic's first
 * event type begins a stream, so its example has the sequence number 1.
 */
const exampleMessage = (
  streamType: StreamType,
  { type, schema }: EventSchema,
  isFirst: boolean,
): JsonSchema => {
  const [payload] = schema['examples'] as readonly { readonly at: string }[];
  const subject = EXAMPLE_IDS[streamType];
  const isOfOrder = streamType === 'order' || streamType === 'payment';
  return {
    name: type,
    headers: {
      'content-type': 'application/json',
      ce_specversion: '1.0',
      ce_id: '3f2b8c1e-9d47-4b5a-8e6f-0a1b2c3d4e5f',
      ce_type: `${CE_TYPE_PREFIX}${type}`,
      ce_source: `/payment-orchestrator/${streamType}`,
      ce_subject: subject,
      ce_time: payload?.at,
      ce_sequence: isFirst ? '0000000001' : '0000000003',
      ce_dataschema: schema['$id'],
      ce_correlationid: isOfOrder ? EXAMPLE_IDS.order : subject,
      ce_causationid: '7c1d0f52-6a3e-4c8b-9f21-5b4e8d7a6c30',
      ce_actor: 'provider',
      ce_platformid: 'shop',
      ce_merchantid: streamType === 'merchant' ? subject : 'merchant-7',
    },
    payload,
  };
};

const messageOf = (streamType: StreamType, event: EventSchema, isFirst: boolean): JsonSchema => ({
  name: event.type,
  title: event.type,
  description: event.schema['description'],
  contentType: 'application/json',
  traits: [{ $ref: '#/components/messageTraits/cloudEvent' }],
  headers: {
    type: 'object',
    properties: {
      ce_type: fixed(`${CE_TYPE_PREFIX}${event.type}`, 'The type of the event.'),
      ce_source: fixed(`/payment-orchestrator/${streamType}`, 'The kind of the aggregate.'),
      ce_dataschema: fixed(event.schema['$id'], 'The schema of the payload, with its version.'),
    },
  },
  payload: { $ref: `./${schemaPath(event)}` },
  examples: [exampleMessage(streamType, event, isFirst)],
});

const SERVERS = {
  production: {
    host: '{broker}:{port}',
    protocol: 'kafka-secure',
    description:
      'A broker of your Kafka cluster, over TLS. Its users may read the topics, but not write to them.',
    variables: {
      broker: { default: 'kafka.example.com', description: 'The name of a broker.' },
      port: { default: '9093', description: 'The port of its TLS listener.' },
    },
    security: [{ $ref: '#/components/securitySchemes/scram' }],
  },
  development: {
    host: '127.0.0.1:4107',
    protocol: 'kafka',
    description: 'The broker that `npm run demo` starts, without TLS and credentials.',
  },
};

const SECURITY_SCHEMES = {
  scram: {
    type: 'scramSha512',
    description: 'A user of your Kafka cluster. The cluster may also use SCRAM-SHA-256 or PLAIN.',
  },
};

export const asyncApiDocument = (topics: readonly TopicEvents[]): JsonSchema => {
  const named = topics.map((topic) => {
    const name = topicOf(topic.streamType, { prefix: '' });
    return { ...topic, name };
  });
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Payment orchestrator events',
      version: '1.0.0',
      license: { name: 'Apache-2.0' },
      description:
        'Every domain event, as CloudEvents 1.0 in the binary binding for Kafka. Topics keep ' +
        'their whole history. A topic may repeat an event; the first occurrences of the events of ' +
        'one subject are in the order of ce_sequence. A schema only gains optional fields: ignore ' +
        'fields that you do not know.',
    },
    defaultContentType: 'application/json',
    servers: SERVERS,
    channels: Object.fromEntries(
      named.map(({ streamType, name, about, schemas }) => [
        name,
        {
          address: name,
          title: name,
          description: about,
          messages: Object.fromEntries(
            schemas.map((event, index) => [event.type, messageOf(streamType, event, index === 0)]),
          ),
          bindings: {
            kafka: {
              topic: name,
              topicConfiguration: { 'cleanup.policy': ['delete'], 'retention.ms': -1 },
            },
          },
        },
      ]),
    ),
    operations: Object.fromEntries(
      named.map(({ streamType, name }) => [
        `publish.${streamType}`,
        {
          action: 'send',
          description: `The relay publishes the events of the ${streamType} streams, in the order of the log.`,
          channel: { $ref: `#/channels/${name}` },
        },
      ]),
    ),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      messageTraits: {
        cloudEvent: {
          headers: CLOUD_EVENT_HEADERS,
          bindings: { kafka: { key: text("The aggregate's id.") } },
        },
      },
    },
  };
};
