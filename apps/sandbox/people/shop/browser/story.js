import { FRENCH } from './story-fr.js';

/**
 * The English texts of each event for payers. `tone` is the colour of the event's dot: good, bad,
 * wait.
 */
export const STORY = {
  OrderPlaced: { title: 'Order placed', text: 'The shop requests the payment.' },
  OrderPaymentStarted: { title: 'Payment started', text: 'A payment was created for the order.' },
  IntentRequested: {
    title: 'Payment page requested',
    text: 'The request was sent to the payment provider.',
  },
  IntentCreated: { title: 'Payment page ready', text: 'The payer can pay.' },
  IntentRejected: {
    title: 'Payment page rejected',
    text: 'The provider rejected the request.',
    tone: 'bad',
  },
  AttemptRefused: {
    title: 'Attempt declined',
    text: 'The bank declined the attempt. The payer can try again.',
    tone: 'bad',
  },
  PaymentAuthorized: {
    title: 'Payment authorized',
    text: 'The bank holds the amount.',
    tone: 'good',
  },
  DirectDebitAccepted: { title: 'Direct debit accepted', text: 'The mandate was signed.' },
  PaymentPageCompleted: {
    title: 'Payment page completed',
    text: 'The payer completed the payment page.',
  },
  OrderAuthorized: { title: 'Order authorized', text: 'The payer has nothing more to do.' },
  AuthorizationExpiring: {
    title: 'Authorization expires soon',
    text: 'The amount must be captured before the authorization expires.',
    tone: 'wait',
  },
  AuthorizationClosed: {
    title: 'Remaining authorization released',
    text: 'Nothing more can be captured.',
  },
  CaptureRequested: {
    title: 'Capture requested',
    text: 'The order’s capture policy requires the capture.',
  },
  CaptureAccepted: { title: 'Capture accepted', text: 'The money will be moved.', tone: 'good' },
  CaptureRejected: {
    title: 'Capture rejected',
    text: 'The provider rejected the request.',
    tone: 'bad',
  },
  OrderPaid: { title: 'Order paid', text: 'The shop can deliver.', tone: 'good' },
  CaptureSent: { title: 'Sent to clearing', text: 'The money is on its way.' },
  PaymentCaptured: {
    title: 'Money received',
    text: 'The money was credited to the merchant.',
    tone: 'good',
  },
  CancelRequested: {
    title: 'Cancellation requested',
    text: 'The request was sent to the payment provider.',
  },
  PaymentCanceled: { title: 'Payment canceled', text: 'Nothing will be debited.', tone: 'bad' },
  AuthorizationExpired: {
    title: 'Authorization expired',
    text: 'The amount was not captured in time.',
    tone: 'bad',
  },
  DirectDebitReturned: {
    title: 'Direct debit returned',
    text: 'The payer’s bank returned the debit.',
    tone: 'bad',
  },
  DebitRequested: {
    title: 'Mandate debit requested',
    text: 'The debit uses a signed mandate; the payer is not present.',
  },
  DebitRejected: {
    title: 'Mandate debit rejected',
    text: 'The provider rejected the request.',
    tone: 'bad',
  },
  RefundQueued: {
    title: 'Refund queued until clearing',
    text: 'The refund is requested after the payment has been cleared.',
  },
  RefundRequested: {
    title: 'Refund requested',
    text: 'The request was sent to the payment provider.',
  },
  RefundRejected: {
    title: 'Refund rejected',
    text: 'The provider rejected the request.',
    tone: 'bad',
  },
  RefundAbandoned: { title: 'Refund abandoned', text: 'The payer is not refunded.', tone: 'bad' },
  RefundObserved: {
    title: 'Refund accepted by the provider',
    text: 'The refund is sent at the next cut-off.',
  },
  RefundSent: { title: 'Refund sent to clearing', text: 'The money is on its way back.' },
  RefundSucceeded: {
    title: 'Refund completed',
    text: 'The payer has received the money.',
    tone: 'good',
  },
  RefundFailed: {
    title: 'Refund failed',
    text: 'The payer has not been refunded.',
    tone: 'bad',
  },
  DisputeObserved: {
    title: 'Disputed by the payer',
    text: 'The amount and a fee are deducted.',
    tone: 'bad',
  },
  DisputeStatusChanged: {
    title: 'Dispute status changed',
    text: 'The provider reports a new status.',
    tone: 'wait',
  },
  DisputeReversed: {
    title: 'Dispute won',
    text: 'The amount is returned to the merchant, but not the fee.',
    tone: 'good',
  },
  RequestResultUnknown: {
    title: 'Result unknown',
    text: 'The provider has not responded. The status is polled until the result is known.',
    tone: 'wait',
  },
  RequestResultResolved: {
    title: 'Result resolved',
    text: 'The result of the request is known now.',
  },
  PaymentMismatchObserved: {
    title: 'Status mismatch',
    text: 'An operator will review the mismatch.',
    tone: 'bad',
  },
  PaymentMismatchesReviewed: {
    title: 'Status mismatches reviewed',
    text: 'Operators have reviewed the mismatch.',
  },
  OrderCancellationRequested: {
    title: 'Order cancellation requested',
    text: 'The order is being canceled.',
  },
  OrderExpiryReached: { title: 'Order expiry reached', text: 'The order is expiring.' },
  OrderCaptured: {
    title: 'Further partial capture',
    text: 'A further capture of the same payment.',
    tone: 'good',
  },
  OrderCaptureCorrected: {
    title: 'Amount of a capture changed by the provider',
    text: 'The provider captured another amount.',
  },
  OrderCanceled: { title: 'Order canceled', text: 'Nothing was debited.', tone: 'bad' },
  OrderExpired: { title: 'Order expired', text: 'The order was not paid in time.', tone: 'bad' },
  OrderRefunded: { title: 'Order refunded', text: 'The payment was refunded in full or in part.' },
  OrderChargedBack: {
    title: 'Order charged back',
    text: 'The payer disputed the payment.',
    tone: 'bad',
  },
  OrderDisputeWon: {
    title: 'Dispute of the order won',
    text: 'The payer’s bank returns the amount.',
    tone: 'good',
  },
  OrderDebitReturned: {
    title: 'Direct debit of the order returned',
    text: 'The payer’s bank returned the debit.',
    tone: 'bad',
  },
  OrderPaymentVoided: {
    title: 'Payment of the order voided',
    text: 'The payment was canceled at the provider before clearing.',
    tone: 'bad',
  },
  OrderFailed: { title: 'Order failed', text: 'The order cannot be paid.', tone: 'bad' },
};

const isFrench = document.documentElement.lang === 'fr';
const LOCALE = isFrench ? 'fr-FR' : 'en-GB';

const element = (tag, className, text) => {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
};

const timeOf = ({ at }) => {
  const date = new Date(at ?? Date.now());
  const time = element('time', 'when', date.toLocaleTimeString(LOCALE));
  time.dateTime = date.toISOString();
  time.title = date.toLocaleString(LOCALE);
  return time;
};

/** A line of the timeline: title, time, and the event type as in the topics. */
export const storyLine = (type, data) => {
  const { title, text, tone = 'plain' } = { ...STORY[type], ...(isFrench && FRENCH[type]) };
  const line = element('li', 'event', '');
  line.dataset.tone = tone;
  line.dataset.type = type;
  const head = element('div', 'event-head', '');
  head.append(element('h3', 'event-title', title), timeOf(data));
  line.append(head, element('p', 'event-text', text), element('code', 'event-type', type));
  return line;
};
