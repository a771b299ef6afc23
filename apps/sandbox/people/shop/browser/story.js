/** The text of each event for payers. `tone` is the colour of its dot: good, bad, or wait. */
export const STORY = {
  OrderPlaced: { title: 'Order placed', text: 'The shop asked for the money.' },
  OrderPaymentStarted: { title: 'Payment started', text: 'A payment belongs to the order now.' },
  IntentRequested: { title: 'Payment page requested', text: 'Sent to the payment provider.' },
  IntentCreated: { title: 'Payment page ready', text: 'The payer may pay.' },
  IntentRejected: {
    title: 'Payment page refused',
    text: 'The provider rejected the request.',
    tone: 'bad',
  },
  AttemptRefused: {
    title: 'Attempt refused',
    text: 'The bank said no. The payer may try again.',
    tone: 'bad',
  },
  PaymentAuthorized: {
    title: 'Payment authorized',
    text: 'The bank holds the amount.',
    tone: 'good',
  },
  DirectDebitAccepted: { title: 'Direct debit accepted', text: 'The mandate was signed.' },
  PaymentPageCompleted: {
    title: 'Page finished',
    text: 'The payer finished the payment page.',
  },
  OrderAuthorized: { title: 'Order authorized', text: 'The payer has done their part.' },
  AuthorizationExpiring: {
    title: 'Authorization expires soon',
    text: 'It must be captured before it expires.',
    tone: 'wait',
  },
  AuthorizationClosed: {
    title: 'Rest of the authorization released',
    text: 'Nothing more can be captured.',
  },
  CaptureRequested: { title: 'Capture requested', text: 'By the capture policy of the order.' },
  CaptureAccepted: { title: 'Capture accepted', text: 'The money will be moved.', tone: 'good' },
  CaptureRejected: {
    title: 'Capture refused',
    text: 'The provider rejected the request.',
    tone: 'bad',
  },
  OrderPaid: { title: 'Order paid', text: 'The shop can deliver.', tone: 'good' },
  CaptureSent: { title: 'Sent to clearing', text: 'The money is on its way.' },
  PaymentCaptured: { title: 'Money received', text: 'Credited to the merchant.', tone: 'good' },
  CancelRequested: { title: 'Cancellation requested', text: 'Sent to the payment provider.' },
  PaymentCanceled: { title: 'Payment canceled', text: 'Nothing will be debited.', tone: 'bad' },
  AuthorizationExpired: { title: 'Authorization expired', text: 'Never captured.', tone: 'bad' },
  DirectDebitReturned: {
    title: 'Direct debit returned',
    text: 'The bank sent it back.',
    tone: 'bad',
  },
  DebitRequested: {
    title: 'Debit of a mandate requested',
    text: 'No payer is present: a mandate that was signed before is used.',
  },
  DebitRejected: {
    title: 'Debit of a mandate refused',
    text: 'The provider rejected the request.',
    tone: 'bad',
  },
  RefundRequested: { title: 'Refund requested', text: 'Sent to the payment provider.' },
  RefundRejected: {
    title: 'Refund refused',
    text: 'The provider rejected the request.',
    tone: 'bad',
  },
  RefundAbandoned: { title: 'Refund not sent', text: 'The payer was not refunded.', tone: 'bad' },
  RefundObserved: {
    title: 'Refund accepted by the provider',
    text: 'It is sent at the next cut-off.',
  },
  RefundSent: { title: 'Refund sent to clearing', text: 'The money is on its way back.' },
  RefundSucceeded: { title: 'Refund completed', text: 'The payer has it.', tone: 'good' },
  RefundFailed: {
    title: 'Refund failed',
    text: 'No money went back.',
    tone: 'bad',
  },
  DisputeObserved: {
    title: 'Disputed by the payer',
    text: 'The amount and a fee are deducted.',
    tone: 'bad',
  },
  DisputeStatusChanged: {
    title: 'Dispute status changed',
    text: 'Its status has changed.',
    tone: 'wait',
  },
  DisputeReversed: {
    title: 'Dispute won',
    text: 'The disputed amount is returned, the fee is not.',
    tone: 'good',
  },
  RequestResultUnknown: {
    title: 'Result unknown',
    text: 'The provider has not answered. The status is being polled.',
    tone: 'wait',
  },
  RequestResultResolved: {
    title: 'Result resolved',
    text: 'The result of the request is known now.',
  },
  PaymentMismatchObserved: {
    title: 'Status mismatch',
    text: 'An operator will review it.',
    tone: 'bad',
  },
  OrderCancellationRequested: {
    title: 'Cancellation of the order requested',
    text: 'The order is closing.',
  },
  OrderExpiryReached: { title: 'Order expiry reached', text: 'The order is closing.' },
  OrderCaptured: {
    title: 'Further capture of the order',
    text: 'Another capture of the same payment.',
    tone: 'good',
  },
  OrderCanceled: { title: 'Order canceled', text: 'Nothing was debited.', tone: 'bad' },
  OrderExpired: { title: 'Order expired', text: 'It was not paid in time.', tone: 'bad' },
  OrderRefunded: { title: 'Order refunded', text: 'In part or as a whole.' },
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
    text: 'It was cancelled at the provider before it was cleared.',
    tone: 'bad',
  },
  OrderFailed: { title: 'Order failed', text: 'It cannot be paid.', tone: 'bad' },
};

const element = (tag, className, text) => {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
};

const timeOf = ({ at }) => {
  const date = new Date(at ?? Date.now());
  const time = element('time', 'when', date.toLocaleTimeString('en-GB'));
  time.dateTime = date.toISOString();
  time.title = date.toLocaleString('en-GB');
  return time;
};

/** A line of the timeline: title, time, and the event type as in the topics. */
export const storyLine = (type, data) => {
  const { title, text, tone = 'plain' } = STORY[type];
  const line = element('li', 'event', '');
  line.dataset.tone = tone;
  line.dataset.type = type;
  const head = element('div', 'event-head', '');
  head.append(element('h3', 'event-title', title), timeOf(data));
  line.append(head, element('p', 'event-text', text), element('code', 'event-type', type));
  return line;
};
