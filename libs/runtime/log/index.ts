export {
  blockedCounts,
  blockedKey,
  blockedRows,
  blockedStreams,
  blockStreamsSql,
} from './blocked-streams.js';
export type { BegunCall, CallStarter } from './begun-calls.js';
export {
  AlreadyAnswered,
  conflictError,
  type ConflictRow,
  ReservationTaken,
  StepConflict,
  StepSuperseded,
} from './conflict.js';
export { DatabaseBusy } from './database-busy.js';
export { errorKind } from './error-kind.js';
export {
  allKnown,
  type EventRow,
  isNewer,
  type LogEntry,
  logEntry,
  type NewerEvent,
} from './event-row.js';
export { EventStore } from './event-store.js';
export { EventStoreModule, type LogRules } from './event-store.module.js';
export { Idle, type IdleMs } from './idle.js';
export { inTransaction } from './in-transaction.js';
export {
  ConnectionCheck,
  ForeignLog,
  noteRestore,
  rebaseLog,
  requireOwnLog,
} from './log-identity.js';
export { LogReader, type PlatformFilter, type PlatformPage } from './log-reader.js';
export { type LogFollower, LogTail } from './log-tail.js';
export { type LogStorage, NEW_SAGA, type SavedSaga, type StreamRef } from './log-storage.js';
export { PostgresLog } from './log-storage.js';
export type { ReactedEvent, Reactions, Saga, SagaStep, Stimulus } from './saga.js';
export { EMPTY_STEP, type EndedJob, type JobClaim, type Step, type StoredAnswer } from './step.js';
export { StepBuilder } from './step-builder.js';
export { savedState, stateOf } from './saga-state.js';
export { MAX_REACTION_ATTEMPTS } from './saga-instances.js';
export {
  domainEvent,
  type EventMetadata,
  type RecordedMetadata,
  isAfter,
  untraced,
  LOG_START,
  type LogCursor,
  type RecordedEvent,
  timeOf,
} from './stream.js';
export {
  currentSchemaVersion,
  currentTypes,
  type EventRef,
  isKnownEvent,
  type StoredEvent,
  upcast,
  type Upcasters,
  upcastersOf,
  WrittenByNewerRelease,
} from './upcast.js';
export { WAKE_CHANNEL, Wakes } from './wakes.js';
export { type SagaRef, WaitingSagas } from './waiting-sagas.js';
