import {
  type Aggregate,
  assert,
  type Change,
  type EffectRequest,
  type FollowUps,
  ignored,
  renameFields,
  type Reservation,
  type Upcaster,
} from '#kernel';
import { impliedCaptureId } from './capture.js';
import type { PaymentCommand } from './payment-command.js';
import { paymentDecider } from './payment-decider.js';
import type { PaymentEvent, ProviderCall } from './payment-event.js';
import type { Payment } from './payment.js';
import { beginsSchedule, nextReadAt } from './reading-schedule.js';

/**
 * The kind of the deadline at which the provider is read next for a payment; its key is the
 * payment's id.
 */
export const PAYMENT_READ_DEADLINE = 'payment.read';

/**
 * The events that request a call to the provider, with the kind of the call. The request is sent
 * only after the event is committed.
 */
const CALLS: Readonly<Record<PaymentEvent['type'], ProviderCall | 'ignored'>> = {
  IntentRequested: 'create_intent',
  CaptureRequested: 'capture',
  CancelRequested: 'cancel',
  DebitRequested: 'debit_mandate',
  RefundRequested: 'refund',
  ...ignored('IntentCreated', 'IntentRejected', 'AttemptRefused', 'PaymentAuthorized'),
  ...ignored('DirectDebitAccepted', 'DebitRejected', 'PaymentPageCompleted'),
  ...ignored('AuthorizationExpiring', 'CaptureAccepted', 'CaptureSent', 'PaymentCaptured'),
  ...ignored('CaptureRejected', 'AuthorizationClosed', 'PaymentCanceled', 'AuthorizationExpired'),
  ...ignored('DirectDebitReturned', 'RefundRejected', 'RefundAbandoned', 'RefundObserved'),
  ...ignored('RefundSent', 'RefundSucceeded', 'RefundFailed', 'DisputeObserved'),
  ...ignored('DisputeStatusChanged', 'DisputeReversed', 'RequestResultUnknown'),
  ...ignored('RequestResultResolved', 'PaymentMismatchObserved', 'RefundQueued'),
  ...ignored('PaymentMismatchesReviewed'),
};

/**
 * The scope in which intent ids are reserved, so that an intent belongs to only one payment. The
 * scope spans all our provider accounts, because two of them may be the same account at the
 * provider.
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

/**
 * A cancellation that was withdrawn, or has become impossible, needs no request any more. If its
 * request failed, it would block the capture or the refunds of the payment.
 */
const unneededBy = (id: string, before: Payment, after: Payment): Pick<FollowUps, 'unneeded'> => {
  const wasRequested = 'cancel' in before && before.cancel !== null;
  const isRequested = 'cancel' in after && after.cancel !== null;
  return wasRequested && !isRequested ? { unneeded: [{ kind: 'cancel', subjectId: id }] } : {};
};

const followUps = ({ id, before, after, events }: Change<Payment, PaymentEvent>): FollowUps => {
  assert(after.status !== 'none', 'a payment with an event exists');
  const { accountId } = after.terms;
  const effects = events.flatMap(({ eventId, event }): EffectRequest[] => {
    const kind = CALLS[event.type];
    return kind === 'ignored'
      ? []
      : [{ jobId: eventId, kind, subjectId: id, accountId, askedAt: event.at }];
  });
  const others = { reservations: reservationsOf(id, events), ...unneededBy(id, before, after) };
  if (!beginsSchedule(before, after)) return { effects, deadlines: [], ...others };
  const at = events.at(-1)?.event.at;
  assert(at, 'a changed payment has a new event');
  const dueAt = nextReadAt(after, at, 0);
  return {
    effects,
    ...others,
    deadlines: [{ kind: PAYMENT_READ_DEADLINE, key: id, dueAt }],
  };
};

/**
 * Adds a capture id derived from the payment's id to events from before captures had ids, when a
 * payment had at most one capture.
 */
const withImpliedCapture: Upcaster = (data, paymentId) => ({
  captureId: impliedCaptureId(paymentId),
  ...data,
});

/** Event types of releases before 0.2.0, with their current names. */
const RENAMED: Readonly<Record<string, PaymentEvent['type']>> = {
  PageFinished: 'PaymentPageCompleted',
  RefundGivenUp: 'RefundAbandoned',
  DisputeMoved: 'DisputeStatusChanged',
  OutcomeUnknown: 'RequestResultUnknown',
  OutcomeSettled: 'RequestResultResolved',
  ProviderMismatchObserved: 'PaymentMismatchObserved',
};

/** The upcasters of older event schemas. */
const UPCASTERS: Readonly<Record<PaymentEvent['type'], readonly Upcaster[]>> = {
  IntentRequested: [],
  IntentCreated: [],
  IntentRejected: [],
  AttemptRefused: [renameFields({ response: 'responseCode' })],
  PaymentAuthorized: [],
  DirectDebitAccepted: [],
  DebitRequested: [],
  DebitRejected: [],
  PaymentPageCompleted: [],
  AuthorizationExpiring: [],
  CaptureRequested: [withImpliedCapture, renameFields({ by: 'requestedBy' })],
  CaptureAccepted: [withImpliedCapture],
  CaptureSent: [withImpliedCapture],
  PaymentCaptured: [withImpliedCapture],
  CaptureRejected: [],
  AuthorizationClosed: [],
  CancelRequested: [],
  PaymentCanceled: [],
  AuthorizationExpired: [],
  DirectDebitReturned: [renameFields({ response: 'reasonCode' })],
  RefundQueued: [],
  RefundRequested: [],
  RefundRejected: [],
  RefundAbandoned: [],
  RefundObserved: [],
  RefundSent: [],
  RefundSucceeded: [],
  RefundFailed: [],
  DisputeObserved: [renameFields({ response: 'reasonCode', payerResponse: 'payerReasonCode' })],
  DisputeStatusChanged: [],
  DisputeReversed: [],
  RequestResultUnknown: [renameFields({ call: 'request' })],
  RequestResultResolved: [renameFields({ call: 'request' })],
  PaymentMismatchObserved: [],
  PaymentMismatchesReviewed: [],
};

export const paymentAggregate: Aggregate<Payment, PaymentCommand, PaymentEvent> = {
  streamType: 'payment',
  decider: paymentDecider,
  upcasters: { ...UPCASTERS, ...RENAMED },
  ownerOf: (payment) => (payment.status === 'none' ? null : payment.terms),
  followUps,
};
