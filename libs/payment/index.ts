export { hasPassed } from './domain/intent-track.js';
export { isCapturable, isPaid, isPastCancel, isPastCapture } from './intent-statuses.js';
export type {
  Observation, ObservedAttempt, ObservedDispute, ObservedIntent, ObservedRefund,
} from './domain/observation.js';
export type { PaymentCommand } from './domain/payment-command.js';
export { identityMismatch, moneyMismatch } from './domain/observed-mismatch.js';
export { paymentDecider } from './domain/payment-decider.js';
export type {
  CancelReason, DisputeKind, DisputeStatus, PaymentEvent, PaymentTerms, ProviderCall,
} from './domain/payment-event.js';
export {
  exists, type Existing, isOver, isSettled, type Payment, type PaymentStatus,
} from './domain/payment.js';
export { CLOCK_SKEW_MS, isOfLostTime, type LostTime, refundOfLostTime } from './domain/lost-time.js';
export {
  type Dispute, isMade, openRequest, type Refund, refundedMinor, refundOf, type RefundStatus,
  takenByRefunds,
} from './domain/refunds-and-disputes.js';
export { beginsSchedule, nextReadAt } from './domain/reading-schedule.js';
export { INTENT_SCOPE, PAYMENT_READ_DEADLINE, paymentAggregate } from './payment-aggregate.js';
export {
  attemptOf, disputeOf, type IntentFinder, type IntentReader, observationOfAnswer, readPayment,
  refundOfAnswer, withDetails,
} from './provider-reading.js';
