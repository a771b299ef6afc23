export {
  type Aggregate,
  type Change,
  type DeadlineChange,
  type EffectRequest,
  type Folded,
  type FollowUps,
  type Owner,
  NO_FOLLOW_UPS,
  type Reservation,
  type StreamType,
  type UnneededRequest,
  renameFields,
  type Upcaster,
  type Upcasters,
} from './aggregate.js';
export { assert, assertNever, AssertionFailed } from './assert.js';
export type { CaptureCapabilities } from './capture-capabilities.js';
export { holdsCardNumber, mayHoldCard, passesLuhn, withoutCardNumbers } from './card-number.js';
export { type Clock, wallClock } from './clock.js';
export {
  type Decider,
  type DomainCommand,
  type DomainEvent,
  type EventMap,
  fold,
  ignored,
  isHandled,
  mapEvent,
} from './decider.js';
export { drawWithoutCardNumber, newEventId, newId, randomHex, randomText } from './ids.js';
export {
  type Dated,
  DAY_MS,
  earlier,
  HOUR_MS,
  type Instant,
  instantFromMs,
  MINUTE_MS,
  msOf,
  parseDurationMs,
  parseInstant,
  plusMs,
  SECOND_MS,
} from './instant.js';
export {
  CURRENCIES,
  type Currency,
  isCurrency,
  MAX_AMOUNT_MINOR,
  type MinorUnits,
} from './money.js';
export { readingsOf } from './plain-text.js';
export { Rejection } from './rejection.js';
export { storableText } from './storable-text.js';
