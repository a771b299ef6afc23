import type { MerchantEvent } from '#onboarding';
import type { OrderEvent } from '#order';
import type { PaymentEvent } from '#payment';
import type { Entry } from './event-stream.js';

/** The names of events, equal to those that the demo shop shows. */
export const TITLES: Readonly<Record<(OrderEvent | PaymentEvent)['type'], string>> = {
  OrderPlaced: 'Order placed',
  OrderPaymentStarted: 'Payment started',
  IntentRequested: 'Payment page requested',
  IntentCreated: 'Payment page ready',
  IntentRejected: 'Payment page rejected',
  AttemptRefused: 'Attempt declined',
  PaymentAuthorized: 'Payment authorized',
  DirectDebitAccepted: 'Direct debit accepted',
  PaymentPageCompleted: 'Payment page completed',
  OrderAuthorized: 'Order authorized',
  AuthorizationExpiring: 'Authorization expires soon',
  CaptureRequested: 'Capture requested',
  CaptureAccepted: 'Capture accepted',
  OrderPaid: 'Order paid',
  OrderCaptured: 'Further partial capture',
  OrderCaptureCorrected: 'Amount of a capture changed by the provider',
  CaptureSent: 'Sent to clearing',
  PaymentCaptured: 'Money received',
  CancelRequested: 'Cancellation requested',
  PaymentCanceled: 'Payment canceled',
  AuthorizationExpired: 'Authorization expired',
  CaptureRejected: 'Capture rejected',
  AuthorizationClosed: 'Remaining authorization released',
  DirectDebitReturned: 'Direct debit returned',
  DebitRequested: 'Mandate debit requested',
  DebitRejected: 'Mandate debit rejected',
  RefundQueued: 'Refund queued until clearing',
  RefundRequested: 'Refund requested',
  RefundRejected: 'Refund rejected',
  RefundAbandoned: 'Refund abandoned',
  RefundObserved: 'Refund accepted by the provider',
  RefundSent: 'Refund sent to clearing',
  RefundSucceeded: 'Refund completed',
  RefundFailed: 'Refund failed',
  DisputeObserved: 'Disputed by the payer',
  DisputeStatusChanged: 'Dispute status changed',
  DisputeReversed: 'Dispute won',
  RequestResultUnknown: 'Result unknown',
  RequestResultResolved: 'Result resolved',
  PaymentMismatchObserved: 'Status mismatch',
  PaymentMismatchesReviewed: 'Status mismatches reviewed',
  OrderCancellationRequested: 'Order cancellation requested',
  OrderExpiryReached: 'Order expiry reached',
  OrderCanceled: 'Order canceled',
  OrderExpired: 'Order expired',
  OrderFailed: 'Order failed',
  OrderRefunded: 'Order refunded',
  OrderChargedBack: 'Order charged back',
  OrderDisputeWon: 'Dispute of the order won',
  OrderDebitReturned: 'Direct debit of the order returned',
  OrderPaymentVoided: 'Payment of the order voided',
};

/** The names of a merchant's events, which the demo shop does not show. */
const MERCHANT_TITLES: Readonly<Record<MerchantEvent['type'], string>> = {
  MerchantDrafted: 'Merchant drafted',
  DetailsRevised: 'Details changed',
  RegistrationRequested: 'Registration requested',
  RegistrationRejected: 'Registration rejected',
  RegistrationNotFound: 'Registration not found at the provider',
  CompanyRegistered: 'Company registered',
  CompanyAccountObserved: 'Provider account found',
  CompanyStatusChanged: 'Company status changed',
  CompanyStatusConfirmed: 'Company status confirmed',
  EarlierStatusObserved: 'Earlier status of the company found later',
  RequirementsObserved: 'Registration requirements read',
  SubscriptionLinkAvailable: 'Subscription link ready',
  DocumentsUploaded: 'Documents sent',
  DocumentRemoved: 'Document removed',
  CompanyKeysRequested: 'Company API keys requested',
  AccountAttached: 'Provider account attached',
  MerchantEnabled: 'Merchant enabled for orders',
  MerchantDisabled: 'Merchant disabled for new orders',
  TerminalRequested: 'Payment terminal requested',
  TerminalOrdered: 'Payment terminal ordered',
  TerminalOrderRejected: 'Payment terminal order rejected',
  TerminalObserved: 'Payment terminal status read',
  TerminalCancelRequested: 'Payment terminal cancellation requested',
  CompanyRequestResultUnknown: 'Result unknown',
  CompanyRequestResultResolved: 'Result resolved',
  CompanyStatusOverdue: 'Company status unchanged for too long',
  PersonalDataErased: 'Personal data erased',
  CompanyMismatchObserved: 'Status mismatch',
  CompanyMismatchesReviewed: 'Status mismatches reviewed',
};

/** The detail that is printed after an event's name, such as an amount. */
const detailOf = ({ type, data }: Entry): string => {
  if (type === 'DocumentsUploaded') return `: ${String(data['kind'])}`;
  if (/^(?:CompanyStatus|EarlierStatus|TerminalObserved)/.test(type)) {
    return `: ${String(data['status'])}`;
  }
  if (type !== 'RequirementsObserved') return '';
  const missing = (data['missing'] as readonly string[]).map((item) =>
    item.replace(/\.pers_.*/, ''),
  );
  return missing.length > 2 ? `: ${missing.length} items` : `: ${missing.join(', ') || 'nothing'}`;
};

const ALL_TITLES: Readonly<Record<string, string>> = { ...TITLES, ...MERCHANT_TITLES };

const WIDTH = 44;

/** Formats an amount, such as `42.50 EUR`. All currencies of the provider have two decimals. */
export const money = (minor: number, currency: string): string =>
  `${(minor / 100).toFixed(2)} ${currency.toUpperCase()}`;

/**
 * Formats a line of the demo's output: business time, the event's name, its subject, and its actor.
 */
export const eventLine = (
  { at, subjectType, subjectId, actor }: Pick<Entry, 'at' | 'subjectType' | 'subjectId' | 'actor'>,
  title: string,
  dim: (text: string) => string,
): string => {
  const subject = `${subjectType} ${subjectId.slice(0, 12)}…`;
  const when = `${at.slice(5, 10)} ${at.slice(11, 19)}`;
  return `  ${dim(when)}  ${title.padEnd(WIDTH)} ${dim(`${subject}  ${actor}`)}`;
};

/** Formats an event as a line of the demo's output. */
export const lineOf = (entry: Entry, dim: (text: string) => string): string => {
  const name = ALL_TITLES[entry.type] ?? entry.type.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
  return eventLine(entry, `${name}${detailOf(entry)}`, dim);
};
