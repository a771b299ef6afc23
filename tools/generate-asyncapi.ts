import { CE_TYPE_PREFIX, topicOf } from '#kafka';
import type { StreamType } from '#kernel';
import type { EventSchema, JsonSchema } from './generate-event-schemas.js';

/** The events that are published on one topic. */
export interface TopicEvents {
  readonly streamType: StreamType;
  readonly about: string;
  readonly schemas: readonly EventSchema[];
}

/** Where an event's schema lies, from the folder of the AsyncAPI document. */
export const schemaPath = ({ type, schemaVersion }: EventSchema): string =>
  `schemas/${type}.v${schemaVersion}.json`;

const text = (description: string, more: JsonSchema = {}): JsonSchema => ({
  type: 'string',
  description,
  ...more,
});

/** The headers of every message; each message adds its constants. */
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
    'content-type': { const: 'application/json' },
    ce_specversion: { const: '1.0' },
    ce_id: text("The event's id; the same in every repetition.", { format: 'uuid' }),
    ce_subject: text("The aggregate's id; also the message's key."),
    ce_time: text('When it happened, in business time.', { format: 'date-time' }),
    ce_sequence: text(
      "The event's version in its stream, from 1 without gaps, ten digits. Keep the last one of " +
        'each subject and drop what is not newer: a topic may repeat.',
      { pattern: '^[0-9]{10}$' },
    ),
    ce_correlationid: text("The order's id for all that happens for an order."),
    ce_causationid: text('The event, request, webhook or deadline that this follows from.'),
    ce_actor: text(
      'Who caused it: platform:<id>, provider, saga:<name>, clock, user:<id> or ops:<hash>.',
    ),
    ce_traceparent: text('W3C trace context of the request that began it.'),
  },
};

const messageOf = (streamType: StreamType, event: EventSchema): JsonSchema => ({
  name: event.type,
  title: event.type,
  contentType: 'application/json',
  traits: [{ $ref: '#/components/messageTraits/cloudEvent' }],
  headers: {
    type: 'object',
    properties: {
      ce_type: { const: `${CE_TYPE_PREFIX}${event.type}` },
      ce_source: { const: `/payment-orchestrator/${streamType}` },
      ce_dataschema: { const: event.schema['$id'] },
    },
  },
  payload: { $ref: `./${schemaPath(event)}` },
});

/** The AsyncAPI 3 document of all topics. */
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
        'their whole history. A topic may repeat events; first occurrences of a subject come in the ' +
        'order of ce_sequence. Schemas only grow: ignore fields that you do not know.',
    },
    defaultContentType: 'application/json',
    servers: {
      development: { host: '127.0.0.1:4107', protocol: 'kafka', description: 'npm run demo' },
    },
    channels: Object.fromEntries(
      named.map(({ streamType, name, about, schemas }) => [
        name,
        {
          address: name,
          title: name,
          description: about,
          messages: Object.fromEntries(
            schemas.map((event) => [event.type, messageOf(streamType, event)]),
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
        { action: 'send', channel: { $ref: `#/channels/${name}` } },
      ]),
    ),
    components: {
      messageTraits: {
        cloudEvent: {
          headers: CLOUD_EVENT_HEADERS,
          bindings: { kafka: { key: text("The aggregate's id.") } },
        },
      },
    },
  };
};
