import type { Schemas } from '../../api/client';

type CaseKind = Schemas['CaseKind'];

/** The texts of one kind of case. */
interface CaseText {
  readonly one: string;
  /** The name of the kind, as the label of a number of cases. */
  readonly several: string;
  /** The title of an incident; `isOutage`: the provider did not respond, or failed itself. */
  readonly many: (count: number, isOutage: boolean) => string;
  readonly means: string;
  readonly shows: string;
  readonly ends: string;
}

/** The texts of each kind of case. */
export const caseKinds: Readonly<Record<CaseKind, CaseText>> = {
  unpaid_refund: {
    one: 'Refund not paid to the payer',
    several: 'Refunds not paid to their payers',
    many: (count) => `${count} refunds not paid to their payers`,
    means:
      'A refund was requested, and the payer does not have the money. Either the request failed, its ' +
      'result is unknown, or the provider did not make the refund.',
    shows:
      'The refunds of the payment intent. One of the requested amount that our records do not show ' +
      'as made may be the refund that we requested.',
    ends:
      'When the payer has the money, or when two people decide with a reason that no refund is owed. ' +
      'Neither a new refund request nor its acceptance by the provider ends the case.',
  },
  failed_request: {
    one: 'Failed provider request',
    several: 'Failed provider requests',
    many: (count, isOutage) =>
      isOutage
        ? `Provider outage: ${count} failed requests`
        : `${count} failed requests, one cause`,
    means:
      'A request to the provider failed until its retries were exhausted. Later requests of the same ' +
      'payment or merchant wait behind it.',
    shows:
      'The payment intent with its captures and refunds. A request without a response may have ' +
      'been executed.',
    ends: 'When the request has been executed, or its result is recorded.',
  },
  rejected_capture: {
    one: 'Rejected capture',
    several: 'Rejected captures',
    many: (count) => `${count} captures rejected for the same reason`,
    means: 'The provider rejected a capture: the merchant is not paid.',
    shows: 'The authorization, which is still open until its deadline, and the rejection’s reason.',
    ends: 'When another capture is requested, or the payment ends.',
  },
  lapsing_authorization: {
    one: 'Authorization about to expire',
    several: 'Authorizations about to expire',
    many: (count) => `${count} authorizations about to expire`,
    means:
      'The payer’s money is authorized and not captured. After the deadline it can no longer be ' +
      'captured, and the merchant is not paid.',
    shows: 'The authorization with its expiry, and no capture.',
    ends:
      'When the payment is captured or canceled, or when its authorization expires: then the merchant ' +
      'is not paid.',
  },
  unknown_result: {
    one: 'Unknown result',
    several: 'Unknown results',
    many: (count) => `${count} requests with an unknown result`,
    means:
      'The provider did not respond to a request, so it may or may not have been executed. Its ' +
      'result is read from the provider again, at growing intervals.',
    shows: 'Nothing yet that proves the result.',
    ends:
      'When the result is read from the provider. If no read shows it, the case becomes a failed ' +
      'request.',
  },
  mismatch: {
    one: 'Status mismatch',
    several: 'Status mismatches',
    many: (count) => `${count} status mismatches of the same kind`,
    means:
      'The provider shows something that contradicts what we requested, or what it showed before.',
    shows:
      'A value that differs from our records. The timeline of the payment or merchant ' +
      'shows both values.',
    ends:
      'When two people record the review, with a reason. A later mismatch opens the case ' +
      'again.',
  },
  reconciliation_break: {
    one: 'Reconciliation break',
    several: 'Reconciliation breaks',
    many: (count) => `${count} reconciliation breaks of the same kind`,
    means: 'The ledger and a payout of the provider differ.',
    shows: 'The lines of the payout, beside the entries of the ledger that they are compared with.',
    ends: 'When later facts explain the difference, or two people close it with a reason.',
  },
  failed_reaction: {
    one: 'Failed automatic reaction',
    several: 'Failed automatic reactions',
    many: (count) => `${count} automatic reactions failed with the same error`,
    means:
      'A workflow could not react to an event. Captures, cancellations or notifications that should ' +
      'follow do not happen, and later events of the same order or merchant wait.',
    shows: 'Nothing: the failure is on our side.',
    ends: 'When the reaction succeeds, or two people discard it with a reason.',
  },
  blocked_stream: {
    one: 'Blocked stream',
    several: 'Blocked streams',
    many: (count) => `${count} blocked streams`,
    means:
      'Part of our system still runs an old version. Until it is updated, the lists or the ' +
      'published events of this order, payment, merchant or payout are out of date.',
    shows: 'Nothing: the cause is on our side.',
    ends: 'When all server processes are updated: lists and published events then catch up.',
  },
  silent_merchant: {
    one: 'Merchant status unchanged for too long',
    several: 'Merchant statuses unchanged for too long',
    many: (count) => `${count} merchant statuses unchanged for too long`,
    means:
      'The registration has had the same status for too long. The merchant cannot take payments.',
    shows: 'The status of the company and the missing requirements, as of the last poll.',
    ends: 'When the provider shows another status.',
  },
  failing_endpoint: {
    one: 'Failing webhook endpoint',
    several: 'Failing webhook endpoints',
    many: (count) => `${count} failing webhook endpoints`,
    means:
      'A platform’s endpoint does not accept events. The platform does not learn of payments, and its ' +
      'orders may not be shipped. After three days without a success the endpoint is disabled.',
    shows: 'Nothing: the platform’s server fails.',
    ends: 'When a delivery succeeds, or a person disables the endpoint.',
  },
};
