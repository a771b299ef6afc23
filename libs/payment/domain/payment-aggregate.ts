import {
  type Aggregate,
  assert,
  type Change,
  type EffectRequest,
  type FollowUps,
  type Reservation,
  type Upcaster,
} from '#kernel';
import { impliedCaptureId } from './capture.js';
import type { PaymentCommand } from './payment-command.js';
import { paymentDecider } from './payment-decider.js';
import type { PaymentEvent, ProviderCall } from './payment-event.js';
import type { Payment } from './payment.js';
import { beginsSchedule, nextReadAt } from './reading-schedule.js';

/** The deadline at which the provider is read next for a payment; its key is the payment's id. */
export const PAYMENT_READ_DEADLINE = 'payment.read';

/** Intent before effect: which event asks for a call to the provider, and for exactly one. */
const CALLS: Readonly<Record<PaymentEvent['type'], ProviderCall | 'ignored'>> = {
  IntentRequested: 'create_intent',
  CaptureRequested: 'capture',
  CancelRequested: 'cancel',
  DebitRequested: 'debit_mandate',
  RefundRequested: 'refund',
  IntentCreated: 'ignored',
  IntentRejected: 'ignored',
  AttemptRefused: 'ignored',
  PaymentAuthorized: 'ignored',
  DirectDebitAccepted: 'ignored',
  DebitRejected: 'ignored',
  PageFinished: 'ignored',
  AuthorizationExpiring: 'ignored',
  CaptureAccepted: 'ignored',
  CaptureSent: 'ignored',
  PaymentCaptured: 'ignored',
  AuthorizationClosed: 'ignored',
  PaymentCanceled: 'ignored',
  AuthorizationExpired: 'ignored',
  DirectDebitReturned: 'ignored',
  RefundRejected: 'ignored',
  RefundGivenUp: 'ignored',
  RefundObserved: 'ignored',
  RefundSent: 'ignored',
  RefundSucceeded: 'ignored',
  RefundFailed: 'ignored',
  DisputeObserved: 'ignored',
  DisputeMoved: 'ignored',
  DisputeReversed: 'ignored',
  OutcomeUnknown: 'ignored',
  OutcomeSettled: 'ignored',
  ProviderMismatchObserved: 'ignored',
};

/**
 * Of the reservations by which an intent of the provider's is one payment's alone: of all accounts,
 * as two of ours may be one of the provider's.
 */
export const INTENT_SCOPE = 'payment.intent';

const reservationsOf = (
  id: string,
  events: Change<Payment, PaymentEvent>['events'],
): readonly Reservation[] =>
  events.flatMap(({ event }) =>
    event.type === 'IntentCreated'
      ? [{ scope: INTENT_SCOPE, key: event.intentId, holder: id }]
      : [],
  );

const followUps = ({ id, before, after, events }: Change<Payment, PaymentEvent>): FollowUps => {
  assert(after.status !== 'none', 'an event makes a payment');
  const { accountId } = after.terms;
  const effects = events.flatMap(({ eventId, event }): EffectRequest[] => {
    const kind = CALLS[event.type];
    return kind === 'ignored'
      ? []
      : [{ jobId: eventId, kind, subjectId: id, accountId, askedAt: event.at }];
  });
  const reservations = reservationsOf(id, events);
  if (!beginsSchedule(before, after)) return { effects, deadlines: [], reservations };
  const at = events.at(-1)?.event.at;
  assert(at, 'a change has an event');
  const dueAt = nextReadAt(after, at, 0);
  return {
    effects,
    reservations,
    deadlines: [{ kind: PAYMENT_READ_DEADLINE, key: id, dueAt }],
  };
};

/** Before captures had ids a payment had one capture at most. */
const withImpliedCapture: Upcaster = (data, paymentId) => ({
  captureId: impliedCaptureId(paymentId),
  ...data,
});

/** The events that this release can read. */
const UPCASTERS: Readonly<Record<PaymentEvent['type'], readonly Upcaster[]>> = {
  IntentRequested: [],
  IntentCreated: [],
  IntentRejected: [],
  AttemptRefused: [],
  PaymentAuthorized: [],
  DirectDebitAccepted: [],
  DebitRequested: [],
  DebitRejected: [],
  PageFinished: [],
  AuthorizationExpiring: [],
  CaptureRequested: [withImpliedCapture],
  CaptureAccepted: [withImpliedCapture],
  CaptureSent: [withImpliedCapture],
  PaymentCaptured: [withImpliedCapture],
  AuthorizationClosed: [],
  CancelRequested: [],
  PaymentCanceled: [],
  AuthorizationExpired: [],
  DirectDebitReturned: [],
  RefundRequested: [],
  RefundRejected: [],
  RefundGivenUp: [],
  RefundObserved: [],
  RefundSent: [],
  RefundSucceeded: [],
  RefundFailed: [],
  DisputeObserved: [],
  DisputeMoved: [],
  DisputeReversed: [],
  OutcomeUnknown: [],
  OutcomeSettled: [],
  ProviderMismatchObserved: [],
};

export const paymentAggregate: Aggregate<Payment, PaymentCommand, PaymentEvent> = {
  streamType: 'payment',
  decider: paymentDecider,
  upcasters: UPCASTERS,
  followUps,
};
