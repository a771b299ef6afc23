export {
  type Aggregate, type Change, type DeadlineChange, type EffectRequest, type FollowUps,
  NO_FOLLOW_UPS, type Upcaster,
} from './aggregate.js';
export { AlreadyAnswered, ReservationTaken, StepConflict, StepSuperseded } from './conflict.js';
export { EventStore, type SavedSaga, type StreamRef } from './event-store.js';
export { EventStoreModule } from './event-store.module.js';
export { ForeignLog, rebaseLog, requireOwnLog } from './log-identity.js';
export { LogReader } from './log-reader.js';
export { receiveWithin } from './receive-within.js';
export type { StoredAnswer } from './step.js';
export { StepBuilder } from './step-builder.js';
export {
  type EventMetadata, LOG_START, type LogCursor, type RecordedEvent, type StreamType,
} from './stream.js';
