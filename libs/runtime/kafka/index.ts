export { CE_TYPE_PREFIX, encodeCloudEvent, type OutgoingMessage, schemaId } from './cloud-event.js';
export { type AccessRule, kafkaAccess } from './kafka-access.js';
export { createKafka, type KafkaSettings, kafkaSettingsFromEnv } from './kafka-config.js';
export { KafkaPublisher } from './kafka-publisher.js';
export { ensureTopics, UnsafeTopic } from './kafka-topics.js';
export { type HeldLease, Lease, LeaseLost } from './lease.js';
export { LeasedLoop, type LeasedLoopOptions, type LeasedWork } from './leased-loop.js';
export { LogPublishing } from './log-publishing.js';
export { type LogLag, logLag, type OldestTransaction, oldestTransaction } from './log-lag.js';
export { Messaging, type MessagingOptions } from './messaging.js';
export { MessagingModule, type MessagingModuleOptions } from './messaging.module.js';
export { MessagingMetrics } from './messaging-metrics.js';
export type { Publisher } from './publisher.js';
export { LostTopic, preparePublishing } from './published-topics.js';
export { Relay, type RelayOptions } from './relay.js';
export { FencedCursor } from './relay-cursor.js';
export { RELAY_NAME } from './relay-name.js';
export { republish, type RepublishOptions } from './republish.js';
export {
  STRUCTURED_MEDIA_TYPE,
  type StructuredCloudEvent,
  structuredCloudEvent,
} from './structured-cloud-event.js';
export { isStreamType, TOPIC_NAMES, topicOf, type TopicSettings } from './topics.js';
