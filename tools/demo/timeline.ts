import type { MerchantEvent } from '#onboarding';
import type { OrderEvent } from '#order';
import type { PaymentEvent } from '#payment';
import type { Entry } from './event-stream.js';

/** An event by the name that the shop gives it, too. */
export const TITLES: Readonly<Record<(OrderEvent | PaymentEvent)['type'], string>> = {
  OrderPlaced: 'Order placed',
  OrderPaymentStarted: 'Payment started',
  IntentRequested: 'Payment page requested',
  IntentCreated: 'Payment page ready',
  IntentRejected: 'Payment page refused',
  AttemptRefused: 'Attempt refused',
  PaymentAuthorized: 'Payment authorized',
  DirectDebitAccepted: 'Direct debit accepted',
  PageFinished: 'Page finished',
  OrderAuthorized: 'Order authorized',
  AuthorizationExpiring: 'Authorization ends soon',
  CaptureRequested: 'Capture requested',
  CaptureAccepted: 'Capture accepted',
  OrderPaid: 'Order paid',
  OrderCaptured: 'Further part of the order paid',
  CaptureSent: 'Sent to clearing',
  PaymentCaptured: 'Money received',
  CancelRequested: 'Cancellation requested',
  PaymentCanceled: 'Payment canceled',
  AuthorizationExpired: 'Authorization expired',
  AuthorizationClosed: 'Rest of the authorization released',
  DirectDebitReturned: 'Direct debit returned',
  DebitRequested: 'Debit of a mandate requested',
  DebitRejected: 'Debit of a mandate refused',
  RefundRequested: 'Refund requested',
  RefundRejected: 'Refund refused',
  RefundGivenUp: 'Refund given up',
  RefundObserved: 'Refund taken by the provider',
  RefundSent: 'Refund sent to clearing',
  RefundSucceeded: 'Money given back',
  RefundFailed: 'Refund did not come about',
  DisputeObserved: 'Disputed by the payer',
  DisputeMoved: 'Dispute went on',
  DisputeReversed: 'Dispute won',
  OutcomeUnknown: 'Waiting for certainty',
  OutcomeSettled: 'Certain again',
  ProviderMismatchObserved: 'Something does not add up',
  OrderCancellationRequested: 'Cancellation asked for',
  OrderExpiryReached: 'Time is over',
  OrderCanceled: 'Order canceled',
  OrderExpired: 'Order expired',
  OrderFailed: 'Order failed',
  OrderRefunded: 'Order refunded',
  OrderChargedBack: 'Order charged back',
  OrderDisputeWon: 'Dispute of the order won',
  OrderDebitReturned: 'Debit of the order came back',
  OrderPaymentLost: 'Payment of the order lost',
};

/** What happens for a merchant; the shop tells of orders only. */
const MERCHANT_TITLES: Readonly<Record<MerchantEvent['type'], string>> = {
  MerchantDrafted: 'Merchant drafted',
  DetailsRevised: 'Details changed',
  RegistrationRequested: 'Registration asked for',
  RegistrationRejected: 'Registration refused',
  RegistrationFoundAbsent: 'No company was made',
  CompanyRegistered: 'Company registered',
  CompanyAccountFound: 'Company account seen',
  CompanyStatusChanged: 'Company status',
  CompanyStatusConfirmed: 'Company status confirmed',
  EarlierStatusFound: 'Earlier status found',
  RequirementsObserved: 'What is missing',
  SubscriptionLinkOffered: 'Subscription link ready',
  DocumentsUploaded: 'Documents sent',
  DocumentRemoved: 'Document removed',
  KeysRequested: 'Keys asked for',
  AccountAttached: 'Keys received',
  MerchantOpened: 'Open for orders',
  MerchantClosed: 'Closed for new orders',
  TerminalRequested: 'Terminal asked for',
  TerminalOrdered: 'Terminal ordered',
  TerminalOrderRejected: 'Terminal refused',
  TerminalObserved: 'Terminal status',
  TerminalCancelRequested: 'Terminal order being cancelled',
  CompanyCallUnknown: 'Waiting for certainty',
  CompanyCallSettled: 'Certain again',
  CompanyFellSilent: 'Nothing heard for too long',
  PersonalDataErased: 'Personal data erased',
  CompanyMismatchObserved: 'Something does not add up',
  CompanyMismatchesReviewed: 'Looked into',
};

/** What an event says beside its name, where that is worth a word. */
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

/** `42.50 EUR`. Every currency of the provider's has two decimals. */
export const money = (minor: number, currency: string): string =>
  `${(minor / 100).toFixed(2)} ${currency.toUpperCase()}`;

/** A line of the story: business time, what happened, to what, and by whom. */
export const eventLine = (
  { at, subjectType, subjectId, actor }: Pick<Entry, 'at' | 'subjectType' | 'subjectId' | 'actor'>,
  title: string,
  dim: (text: string) => string,
): string => {
  const subject = `${subjectType} ${subjectId.slice(0, 12)}…`;
  const when = `${at.slice(5, 10)} ${at.slice(11, 19)}`;
  return `  ${dim(when)}  ${title.padEnd(WIDTH)} ${dim(`${subject}  ${actor}`)}`;
};

/** An event as a line of the story. */
export const lineOf = (entry: Entry, dim: (text: string) => string): string => {
  const name = ALL_TITLES[entry.type] ?? entry.type.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
  return eventLine(entry, `${name}${detailOf(entry)}`, dim);
};
