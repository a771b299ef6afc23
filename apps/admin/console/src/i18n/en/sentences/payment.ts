import type { EventOf, Sentences } from '../../../story/sentence';
import { payment } from '../payment';
import { callOf } from '../preview-texts';
import { mismatch, mismatchesReviewed } from './mismatch';

const withMethod = (method: string | null): string => (method === null ? '' : ` with ${method}`);

/** The method of a direct debit, for use after the amount in a sentence. */
const fromAccount = (method: string | null): string => (method === null ? '' : `, ${method}`);

export const paymentSentences: Sentences<EventOf<'payment'>> = {
  IntentRequested: (_, { total }) => `Requested a payment of ${total} from the provider`,
  IntentCreated: (_, { total }) => `The provider created the payment intent of ${total}`,
  IntentRejected: ({ reason }, say) =>
    `The provider rejected the payment intent: ${say.reason(reason)}`,
  PaymentPageCompleted: 'The payer completed the payment page',
  AttemptRefused: ({ methodDetails, responseCode }, { method, bank }) =>
    `Attempt${withMethod(method(methodDetails))} declined: ${bank(responseCode)}`,
  DebitRequested: (_, { total }) => `Requested the mandate debit of ${total} from the provider`,
  DebitRejected: ({ reason }, say) =>
    `The provider rejected the mandate debit: ${say.reason(reason)}`,
  DirectDebitAccepted: ({ methodDetails }, { total, method }) =>
    `The provider accepted the direct debit of ${total}${fromAccount(method(methodDetails))}`,
  DirectDebitReturned: ({ reasonCode }, { total, bank }) =>
    `The payer’s bank returned the direct debit of ${total}: ${bank(reasonCode)}`,
  PaymentAuthorized: ({ methodDetails, expiresAt }, { total, method, moment }) =>
    `Authorized ${total}${withMethod(method(methodDetails))}; it expires on ${moment(expiresAt)}`,
  AuthorizationExpiring: ({ expiresAt }, { total, moment }) =>
    `The authorization of ${total} is not captured and expires on ${moment(expiresAt)}`,
  AuthorizationExpired: (_, { total }) => `The authorization of ${total} expired: no money moved`,
  AuthorizationClosed: ({ releasedMinor }, { money }) =>
    releasedMinor === 0
      ? 'The authorization ended, nothing was left to release'
      : `Released ${money(releasedMinor)} of the authorization`,
  CaptureRequested: ({ amountMinor, captureId, isFinal }, { money, captureBy }) =>
    `Requested the ${isFinal === true ? 'final capture' : 'capture'} of ${money(amountMinor)}` +
    captureBy(captureId),
  CaptureAccepted: ({ amountMinor }, { money }) =>
    `The provider accepted the capture of ${money(amountMinor)}`,
  CaptureSent: ({ amountMinor }, { money, total }) =>
    `Sent the capture of ${amountMinor === undefined ? total : money(amountMinor)} to clearing`,
  CaptureRejected: ({ amountMinor, reason }, { money, reason: text }) =>
    `The provider rejected the capture of ${money(amountMinor)}: ${text(reason)}`,
  PaymentCaptured: ({ amountMinor, captureId }, { money, requester }) =>
    `Captured ${money(amountMinor)}${requester(captureId)}`,
  CancelRequested: ({ reason }, { by }) =>
    reason === 'expiry'
      ? 'Requested the cancellation from the provider, because the time to pay has ended'
      : `Requested the cancellation of the payment from the provider${by}`,
  PaymentCanceled: 'The provider canceled the payment: no money was collected',
  RefundQueued: ({ amountMinor, requestId, expectedAt }, { money, moment, reference, by }) =>
    `Queued the refund of ${money(amountMinor)}${reference(requestId)} until clearing, ` +
    `about ${moment(expectedAt)}${by}`,
  RefundRequested: ({ amountMinor, requestId, replaces }, { money, reference, by }) =>
    `Requested the refund of ${money(amountMinor)}${reference(requestId)} from the provider` +
    `${replaces === undefined ? '' : ' again'}${by}`,
  RefundRejected: ({ amountMinor, requestId, reason }, { money, reference, reason: text }) =>
    `The refund of ${money(amountMinor)}${reference(requestId)} was not executed: ${text(reason)}`,
  RefundAbandoned: ({ amountMinor, requestId }, { money, reference, by }) =>
    `Abandoned the refund of ${money(amountMinor)}${reference(requestId)}${by}: ` +
    'the payer is not refunded',
  RefundObserved: ({ amountMinor, requestId }, { money, reference }) =>
    requestId === null
      ? `Found a refund of ${money(amountMinor)} that was made directly at the provider`
      : `The provider accepted the refund of ${money(amountMinor)}${reference(requestId)}`,
  RefundSent: ({ amountMinor, requestId }, { money, reference }) =>
    `Sent the refund of ${money(amountMinor)}${reference(requestId)} to the payer’s bank`,
  RefundSucceeded: ({ amountMinor, requestId }, { money, reference }) =>
    `Refunded ${money(amountMinor)}${reference(requestId)}`,
  RefundFailed: ({ amountMinor, outcome, requestId }, { money, reference }) =>
    (outcome === 'not_honored'
      ? 'The payer’s bank refused the refund of '
      : 'The provider could not make the refund of ') +
    `${money(amountMinor)}${reference(requestId)}`,
  DisputeObserved: ({ kind, amountMinor, feeMinor, reasonCode }, { money, bank }) =>
    (kind === 'chargeback'
      ? `The payer disputed ${money(amountMinor)}`
      : `The payer’s bank returned the debit of ${money(amountMinor)}`) +
    ` with a fee of ${money(feeMinor)}: ${bank(reasonCode)}`,
  DisputeStatusChanged: ({ status }) => `Status of the dispute: ${payment.disputeStatuses[status]}`,
  DisputeReversed: ({ amountMinor }, { money }) =>
    `The dispute was won: ${money(amountMinor)} are returned, the fee is retained`,
  RequestResultUnknown: ({ request }) =>
    `The provider did not respond to the ${callOf(request)}: its result is unknown`,
  RequestResultResolved: ({ request }) =>
    `A read from the provider showed the result of the ${callOf(request)}`,
  PaymentMismatchObserved: mismatch,
  PaymentMismatchesReviewed: mismatchesReviewed,
};
