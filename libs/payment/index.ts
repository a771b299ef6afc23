export {
  type Capture,
  CAPTURE_STATUSES,
  type CaptureStatus,
  isShownOneByOne,
  openCapture,
} from './domain/capture.js';
export {
  capturableMinor,
  capturedMinor,
  mayHaveCaptures,
  refundableMinor,
} from './domain/captured.js';
export { isCapturable, isPaid, isPastCancel, isPastCapture } from './intent-statuses.js';
export type { Observation } from './domain/observation.js';
export { reasonToIgnore, type WebhookNotice } from './domain/passed-webhook.js';
export type { PaymentCommand } from './domain/payment-command.js';
export { identityMismatch, moneyMismatch } from './domain/observed-mismatch.js';
export { leavesRefundOpen, paymentDecider } from './domain/payment-decider.js';
export {
  DISPUTE_KINDS,
  DISPUTE_STATUSES,
  type DisputeKind,
  type DisputeStatus,
  type PaymentEvent,
  type PaymentTerms,
  type ProviderCall,
} from './domain/payment-event.js';
export {
  exists,
  type Existing,
  isOver,
  isSettled,
  type Payment,
  type PaymentStatus,
} from './domain/payment.js';
export { CLOCK_SKEW_MS, type LostTime, refundOfLostTime } from './domain/lost-time.js';
export {
  type Dispute,
  isMade,
  isTaking,
  openRequest,
  type Refund,
  refundedMinor,
  refundOf,
  type RefundStatus,
  type RequestedRefund,
  takenByRefunds,
  unrecordedRefunds,
} from './domain/refunds-and-disputes.js';
export { mayResultFrom } from './domain/observe-refunds-and-disputes.js';
export { beginsSchedule, nextReadAt } from './domain/reading-schedule.js';
export {
  INTENT_SCOPE,
  PAYMENT_READ_DEADLINE,
  paymentAggregate,
} from './domain/payment-aggregate.js';
export { DISPUTE_LIST } from './read/dispute-list.js';
export { MANDATE_LIST } from './read/mandate-list.js';
export { mandateUse, type MandateUseRow } from './read/mandate-use.js';
export { PAYMENT_LIST, PAYMENT_STATUSES } from './read/payment-list.js';
export { paymentList, type PaymentListRow } from './read/payment-rows.js';
export { REFUND_LIST, REFUND_STATUSES } from './read/refund-list.js';
