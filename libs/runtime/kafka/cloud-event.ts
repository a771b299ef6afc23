import { type RecordedEvent, timeOf } from '#log';
import { topicOf, type TopicSettings } from './topics.js';

/** The prefix of event types in `ce_type`: `payment-orchestrator.OrderPlaced`. Never changes. */
export const CE_TYPE_PREFIX = 'payment-orchestrator.';
/** The prefix of stream types in `ce_source`: `/payment-orchestrator/order`. Never changes. */
const CE_SOURCE_PREFIX = '/payment-orchestrator/';
const SCHEMA_PREFIX = 'urn:payment-orchestrator:schema:';
/** The number of digits of a version with leading zeros, so that versions also sort as text. */
const SEQUENCE_DIGITS = 10;

/** The name of an event type's JSON Schema: `urn:payment-orchestrator:schema:OrderPlaced:1`. */
export const schemaId = (type: string, schemaVersion: number): string =>
  `${SCHEMA_PREFIX}${type}:${schemaVersion}`;

/** A message to be published, with its topic. */
export interface OutgoingMessage {
  readonly topic: string;
  readonly key: string;
  readonly value: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Encodes an event as a CloudEvents 1.0 message in the binary binding for Kafka. The message key is
 * the id of the aggregate.
 */
export const encodeCloudEvent = (
  event: RecordedEvent,
  topics: Pick<TopicSettings, 'prefix'>,
): OutgoingMessage => {
  const { streamType, streamId, metadata, data } = event;
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    ce_specversion: '1.0',
    ce_id: event.eventId,
    ce_type: `${CE_TYPE_PREFIX}${event.type}`,
    ce_source: `${CE_SOURCE_PREFIX}${streamType}`,
    ce_subject: streamId,
    ce_time: timeOf(event),
    ce_sequence: String(event.version).padStart(SEQUENCE_DIGITS, '0'),
    ce_dataschema: schemaId(event.type, event.schemaVersion),
    ce_correlationid: metadata.correlationId,
    ce_causationid: metadata.causationId,
    ce_actor: metadata.actor,
  };
  if (metadata.platformId !== undefined) headers['ce_platformid'] = metadata.platformId;
  if (metadata.merchantId !== undefined) headers['ce_merchantid'] = metadata.merchantId;
  if (metadata.traceparent !== null) {
    headers['ce_traceparent'] = metadata.traceparent;
    // The header from which instrumented consumers take the trace context of a message.
    headers['traceparent'] = metadata.traceparent;
  }
  const topic = topicOf(streamType, topics);
  return { topic, key: streamId, value: JSON.stringify(data), headers };
};
