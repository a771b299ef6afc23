import type {
  AttemptStatus,
  AuthenticationOutcome,
  CompanyStatus,
  DisputeStatus,
  DocumentKind,
  IntentStatus,
  PayoutStatus,
  ReachedStatus,
  RefundStatus,
  TerminalStatus,
  Unrecognized,
} from '#psp';

/**
 * The mapping of the provider's statuses to ours: docs/provider/payments.md#payment-status, and
 * docs/provider/payments-completion.md#states. Nothing else maps them. A status that is missing
 * here becomes `unrecognized …`, and so counts as pending.
 */

type Words<T> = Readonly<Record<string, T>>;

/** Statuses that have the same name at the provider and here. */
const same = <T extends string>(...statuses: readonly T[]): Words<T> =>
  Object.fromEntries(statuses.map((status) => [status, status]));

const INTENT: Words<IntentStatus> = {
  ...same<IntentStatus>(
    'processing',
    'authorized',
    'to_capture',
    'capture_sent',
    'captured',
    'canceled',
    'unpaid',
  ),
  require_payment_method: 'open',
  require_authentication: 'open',
  require_authorization: 'open',
};

const ATTEMPT = same<AttemptStatus>(
  'processing',
  'authorized',
  'to_capture',
  'capture_sent',
  'captured',
  'disputed',
  'canceled',
  'expired',
  'refused',
  'failed',
);

/** The provider's words for the outcome of a 3-D Secure authentication that has ended. */
const AUTHENTICATION: Words<AuthenticationOutcome> = {
  ...same<AuthenticationOutcome>('declined', 'failed', 'expired', 'unavailable'),
  success: 'succeeded',
};

const REFUND = same<RefundStatus>('to_refund', 'refund_sent', 'refunded', 'not_honored', 'failed');

const DISPUTE = same<DisputeStatus>(
  'open',
  'evidence_pending',
  'evidence_sent',
  'evidence_verification',
  'accepted',
  'won',
  'lost',
  'out_of_time',
  'not_contestable',
);

const PAYOUT = same<PayoutStatus>('pending', 'to_pay', 'sent', 'paid', 'failed');

const COMPANY: Words<CompanyStatus> = {
  ...same<CompanyStatus>('validated', 'available'),
  notComplete: 'incomplete',
  pendingActivation: 'in_review',
  pendingDeactivation: 'closing',
  deactivate: 'closed',
};

const TERMINAL: Words<TerminalStatus> = {
  ...same<TerminalStatus>('shipped', 'activated', 'deactivated'),
  pendingOrder: 'pending',
  orderCancelled: 'canceled',
  orderInProgress: 'in_progress',
  // The provider's API spells this status without an e.
  delivred: 'delivered',
  posLostByCarrier: 'lost',
  pendingPosReturn: 'return_pending',
  poskeptByMerchant: 'kept',
  posReturned: 'returned',
};

const DOCUMENT: Words<DocumentKind> = {
  kbis: 'registration_extract',
  iban: 'bank_account_proof',
  idcard: 'identity_card',
};

const reading =
  <T extends string>(words: Words<T>) =>
  (status: string): T | Unrecognized =>
    (Object.hasOwn(words, status) ? words[status] : undefined) ?? `unrecognized ${status}`;

export const intentStatus = reading(INTENT);
export const attemptStatus = reading(ATTEMPT);

/** The outcome of a 3-D Secure authentication; null before its end, and for an unknown status. */
export const authenticationOutcome = (status: string | null): AuthenticationOutcome | null =>
  (status !== null && Object.hasOwn(AUTHENTICATION, status) ? AUTHENTICATION[status] : null) ??
  null;

export const refundStatus = reading(REFUND);
export const disputeStatus = reading(DISPUTE);
export const payoutStatus = reading(PAYOUT);
export const companyStatus = reading(COMPANY);
export const terminalStatus = reading(TERMINAL);
export const documentKind = reading(DOCUMENT);

/**
 * The payment status that follows from an attempt's status. Earlier statuses of an attempt are not
 * listed, because no payment status follows from them.
 */
const REACHED_BY_ATTEMPT: Words<ReachedStatus> = {
  capture_sent: 'capture_sent',
  captured: 'captured',
  disputed: 'captured',
};

export const reachedByAttempt = (status: string | null): ReachedStatus =>
  REACHED_BY_ATTEMPT[status ?? ''] ?? null;

/**
 * The statuses of a refund that was sent. A refund can be requested once the capture was sent, and
 * is sent after the capture is completed (docs/provider/payments.md#payment-status). So a sent refund
 * implies that the payment was captured.
 */
const REFUND_HAS_LEFT: ReadonlySet<string> = new Set(['refund_sent', 'refunded', 'not_honored']);

export const reachedByRefund = (status: string): ReachedStatus =>
  REFUND_HAS_LEFT.has(status) ? 'captured' : 'capture_sent';

const HAS_LEFT: ReadonlySet<string | null> = new Set<AttemptStatus>(['capture_sent', 'captured']);

/**
 * The intent of a direct debit is `processing` until the debit has settled. The status of its
 * latest attempt shows that the debit was sent, after which the debit can be refunded but not
 * canceled.
 */
export const statusWithAttempt = (
  intent: IntentStatus | Unrecognized,
  latestAttempt: string | null,
): IntentStatus | Unrecognized =>
  intent === 'processing' && HAS_LEFT.has(latestAttempt) ? 'capture_sent' : intent;

/**
 * Our statuses of an intent that may have refunds. In earlier statuses an intent has no refunds,
 * and before `captured` it has no disputes. A returned debit (`unpaid`) may have refunds that
 * failed when it was returned.
 */
const MAY_BE_REFUNDED: ReadonlySet<string> = new Set<IntentStatus>([
  'capture_sent',
  'captured',
  'unpaid',
]);
const MAY_BE_DISPUTED: ReadonlySet<string> = new Set<IntentStatus>(['captured']);

/** Whether an intent with this status (our word) may have refunds. */
export const mayBeRefunded = (status: string): boolean => MAY_BE_REFUNDED.has(status);
export const mayBeDisputed = (status: string): boolean => MAY_BE_DISPUTED.has(status);
