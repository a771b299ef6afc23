export { type BlockedAt, NotBlocked } from './blocked-streams.js';
export type { Counts } from './counts.js';
export type { Envelope, ReceivedEvent, StreamRef, StreamType } from './envelope.js';
export * from './events.js';
export { type Feed, FeedUnavailable, restFeed, type RestFeedOptions } from './feed.js';
export { BrokersUnavailable } from './group-lag.js';
export type { EventOf, EventType, Handlers } from './handlers.js';
export type { Logger } from './logger.js';
export { POSTGRES_SCHEMA } from './postgres-schema.js';
export { PostgresStore } from './postgres-store.js';
export type {
  Block, BlockedStream, Discard, LockedStream, Store, StreamState,
} from './store.js';
export { Subscriber, type SubscriberOptions } from './subscriber.js';
