export { CE_TYPE_PREFIX, encodeCloudEvent, type OutgoingMessage, schemaId } from './cloud-event.js';
export { kafkaAccess } from './kafka-access.js';
export { createKafka, type KafkaSettings, kafkaSettingsFromEnv } from './kafka-config.js';
export { KafkaPublisher } from './kafka-publisher.js';
export { ensureTopics, UnsafeTopic } from './kafka-topics.js';
export { type AcquiredCall, type HeldLease, Lease, LeaseLost } from './lease.js';
export { LeasedLoop } from './leased-loop.js';
export { LogPublishing } from './log-publishing.js';
export { logLag, oldestTransaction } from './log-lag.js';
export { Messaging } from './messaging.js';
export { MessagingModule } from './messaging.module.js';
export { MessagingMetrics } from './messaging-metrics.js';
export type { Publisher } from './publisher.js';
export { preparePublishing } from './published-topics.js';
export { createRelay, type RelayOptions } from './relay.js';
export { FencedCursor } from './relay-cursor.js';
export { republish, type RepublishOptions } from './republish.js';
export {
  STRUCTURED_MEDIA_TYPE,
  type StructuredCloudEvent,
  structuredCloudEvent,
} from './structured-cloud-event.js';
export { isStreamType, TOPIC_NAMES, topicOf } from './topics.js';
