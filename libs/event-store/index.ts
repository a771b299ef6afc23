export {
  type Aggregate, type Change, type DeadlineChange, type EffectRequest, type FollowUps,
  NO_FOLLOW_UPS, type Upcaster,
} from './aggregate.js';
export {
  AlreadyAnswered, conflictError, type ConflictRow, ReservationTaken, StepConflict, StepSuperseded,
} from './conflict.js';
export { type EventRow, recordedEvent } from './event-row.js';
export { EventStore } from './event-store.js';
export { EventStoreModule } from './event-store.module.js';
export { inTransaction } from './in-transaction.js';
export { ForeignLog, rebaseLog, requireOwnLog } from './log-identity.js';
export { LogReader } from './log-reader.js';
export type { LogStorage, SavedSaga, StoredEvent, StreamRef } from './log-storage.js';
export { PostgresLog } from './postgres-log.js';
export { receiveWithin } from './receive-within.js';
export type { Step, StoredAnswer } from './step.js';
export { StepBuilder } from './step-builder.js';
export {
  type EventMetadata, LOG_START, type LogCursor, type RecordedEvent, type StreamType,
} from './stream.js';
