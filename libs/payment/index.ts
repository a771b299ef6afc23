export { hasPassed } from './domain/intent-track.js';
export type { Observation, ObservedAttempt, ObservedIntent } from './domain/observation.js';
export type { PaymentCommand } from './domain/payment-command.js';
export { paymentDecider } from './domain/payment-decider.js';
export type {
  CancelReason, PaymentEvent, PaymentTerms, ProviderCall,
} from './domain/payment-event.js';
export {
  exists, type Existing, isSettled, type Payment, type PaymentStatus,
} from './domain/payment.js';
export { nextReadAt } from './domain/reading-schedule.js';
export { PAYMENT_READ_DEADLINE, paymentAggregate } from './payment-aggregate.js';
export {
  type IntentReader, observationOfAnswer, readPayment, withAttempts,
} from './provider-reading.js';
