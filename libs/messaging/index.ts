export {
  CE_TYPE_PREFIX, decodeCloudEvent, encodeCloudEvent, type EventMessage, type IncomingMessage,
  type OutgoingMessage, schemaId, UndecodableMessage,
} from './cloud-event.js';
export { Consumer, type ConsumerOptions } from './consumer.js';
export { errorKind } from './error-kind.js';
export { createKafka, type KafkaSettings, kafkaSettingsFromEnv } from './kafka-config.js';
export { KafkaPublisher } from './kafka-publisher.js';
export { ensureTopics, UnsafeTopic } from './kafka-topics.js';
export { Inbox } from './inbox.js';
export { Intake } from './intake.js';
export { type HeldLease, Lease, LeaseLost } from './lease.js';
export { LeasedLoop, type LeasedLoopOptions, type LeasedWork } from './leased-loop.js';
export { BrokersAway, GroupLag } from './kafka-lag.js';
export { LogPublishing } from './log-publishing.js';
export { type LogLag, logLag, type OldestTransaction, oldestTransaction } from './log-lag.js';
export { Messaging, type MessagingOptions } from './messaging.js';
export { MessagingModule, type MessagingModuleOptions } from './messaging.module.js';
export { MessagingMetrics } from './messaging-metrics.js';
export { type ParkedKey, ParkedKeys, type ParkedRef, type Skip } from './parked-keys.js';
export type { Publisher } from './publisher.js';
export { Relay, RELAY_NAME, type RelayOptions } from './relay.js';
export { FencedCursor } from './relay-cursor.js';
export { republish, type RepublishOptions } from './republish.js';
export type { Subscription } from './subscription.js';
export { isStreamType, TOPIC_NAMES, topicOf, type TopicSettings } from './topics.js';
