/** The texts of a payment's page. */
export const payment = {
  methods: { card: 'Card', sepa: 'SEPA direct debit' },
  method: 'Payment method',
  methodUnknown: 'No attempt yet',
  authentication: {
    succeeded: '3-D Secure succeeded',
    declined: '3-D Secure declined',
    failed: '3-D Secure failed',
    expired: '3-D Secure expired',
    unavailable: '3-D Secure unavailable',
  },
  declined: (reason: string) => `Declined: ${reason}`,
  returned: (reason: string) => `Returned: ${reason}`,
  rejected: (reason: string) => `Rejected by the provider: ${reason}`,
  earlierDeclines: (count: number, reason: string) =>
    count === 1
      ? `1 earlier attempt declined: ${reason}`
      : `${count} earlier attempts declined, the last one: ${reason}`,
  noReason: 'the bank gave no reason',
  withCode: (reason: string, code: string) => `${reason} (${code})`,
  code: (code: string) => `bank code ${code}`,
  merchant: 'Merchant',
  order: 'Order',
  created: 'Created',
  money: 'Money',
  steps: {
    authorized: 'Authorized',
    debited: 'Debit accepted',
    captured: 'Captured',
    refunded: 'Refunded',
    chargedBack: 'Charged back',
    fees: 'Fees',
    net: 'Net',
    payout: 'Payout',
  },
  expires: (time: string) => `expires ${time}`,
  released: (amount: string) => `${amount} released`,
  inProgress: (amount: string) => `${amount} in progress`,
  beforeVat: 'before VAT',
  noEntry: 'not in the ledger yet',
  nextPayout: 'In a later payout',
  noPayout: 'None yet',
  captures: 'Captures',
  refunds: 'Refunds',
  disputes: 'Disputes',
  refundStatuses: {
    queued: 'Queued until clearing',
    requested: 'Requested',
    rejected: 'Not executed',
    to_refund: 'Accepted',
    refund_sent: 'Sent to the bank',
    refunded: 'Refunded',
    not_honored: 'Refused by the bank',
    failed: 'Failed',
  },
  disputeKinds: { chargeback: 'Chargeback', sepa_return: 'Debit returned' },
  disputeStatuses: {
    open: 'Open',
    evidence_pending: 'Evidence needed',
    evidence_sent: 'Evidence sent',
    evidence_verification: 'Evidence in review',
    accepted: 'Accepted',
    won: 'Won',
    lost: 'Lost',
    out_of_time: 'Deadline passed',
    not_contestable: 'Not contestable',
  },
  isFinal: 'Final capture: the rest is released',
  directRefund: 'Made directly at the provider',
  rejection: (reason: string) => `Reason: ${reason}`,
  returnedAmount: 'The amount was returned to the merchant; the fee was not.',
  pending: {
    refundQueued: (amount: string, time: string) =>
      `The refund of ${amount} is requested after clearing, about ${time}.`,
    refundRequested: (amount: string) =>
      `The refund of ${amount} is requested. The provider has not confirmed it yet.`,
    refundSent: (amount: string) => `The refund of ${amount} is on its way to the payer.`,
    captureRequested: (amount: string) =>
      `The capture of ${amount} is requested. The provider has not confirmed it yet.`,
    captureAccepted: (amount: string) =>
      `The capture of ${amount} is accepted. The provider sends it to clearing next.`,
    captureSent: (amount: string) => `The capture of ${amount} is in clearing.`,
    authorized: (time: string) =>
      `The authorization expires on ${time}, unless it is captured before.`,
    open: 'The payer has not paid yet.',
    canceling: 'The cancellation is requested from the provider.',
    dispute: (amount: string) => `The dispute about ${amount} is undecided.`,
  },
  jobs: {
    ready: (work: string) => `${work}: queued for the provider.`,
    calling: (work: string) => `${work}: sent, no response yet.`,
    waiting: (work: string, time: string) => `${work}: tried again on ${time}.`,
    stuck: (work: string, attempts: number) =>
      `${work}: failed ${attempts} times, and is not tried again.`,
  } as {
    readonly ready: (work: string) => string;
    readonly calling: (work: string) => string;
    readonly waiting: (work: string, time: string) => string;
    readonly stuck: (work: string, attempts: number) => string;
  },
};

/** Pending deadlines in sentences, by their kind; `time` is when they are due. */
export const dueSentences: Readonly<Record<string, (time: string) => string>> = {
  'payment.read': (time) => `The payment’s status is read from the provider again on ${time}.`,
  'checkout.expiry': (time) => `The order expires on ${time} if it is not paid.`,
  'checkout.capture': (time) => `The payment is captured on ${time}.`,
  'checkout.warning': (time) =>
    `The platform is warned on ${time} if the authorization is still not captured.`,
  'restore.payment': (time) =>
    `The payment is read from the provider after a database restore on ${time}.`,
  'payout.read': (time) => `The payout’s status is read from the provider again on ${time}.`,
  'payout.lines': (time) => `The lines of the payout are read from the provider on ${time}.`,
  'merchant.company': (time) => `The company’s status is read from the provider again on ${time}.`,
};

/** The reasons of banks, by response code or SEPA reason code. */
export const bankReasons: Readonly<Record<string, string>> = {
  '01': 'Refer to card issuer',
  '03': 'Invalid merchant',
  '04': 'Card to be retained',
  '05': 'Do not honor',
  '12': 'Invalid transaction',
  '13': 'Invalid amount',
  '14': 'Invalid card number',
  '15': 'Unknown issuer',
  '17': 'Canceled by the payer',
  '34': 'Suspected fraud',
  '41': 'Card reported lost',
  '43': 'Card reported stolen',
  '51': 'Insufficient funds',
  '54': 'Expired card',
  '55': 'Incorrect PIN',
  '57': 'Not permitted to the cardholder',
  '59': 'Suspected fraud',
  '61': 'Amount limit exceeded',
  '62': 'Restricted card',
  '63': 'Security violation',
  '65': 'Too many transactions',
  '68': 'Bank responded too late',
  '82': 'Incorrect security code',
  '91': 'Issuer unavailable',
  '96': 'Bank system error',
  A1: '3-D Secure required',
  N7: 'Incorrect security code',
  R0: 'Payment stopped by the payer',
  R1: 'Authorization revoked by the payer',
  '7810': 'Too many declines for this card or account',
  '7811': 'Volume limit exceeded for this card or account',
  '7812': 'Card temporarily frozen',
  '7840': 'Card lost or stolen',
  '7898': 'Bank unavailable',
  '42': 'Duplicate processing',
  '45': 'Transaction disputed',
  '1040': 'Fraud, card absent',
  '1261': 'Duplicate processing',
  '4808': 'Transaction not authorized',
  '4834': 'Duplicate processing',
  '4837': 'Fraud: not authorized by the cardholder',
  '4853': 'Goods or services not as described',
  '4863': 'Cardholder does not recognize the payment',
  AC01: 'Incorrect account number',
  AC04: 'Account closed',
  AC06: 'Account blocked',
  AG01: 'Account does not allow direct debits',
  AM04: 'Insufficient funds',
  AM05: 'Duplicate debit',
  MD01: 'No valid mandate',
  MD06: 'Refund requested by the payer',
  MD07: 'Payer deceased',
  MS02: 'Refused by the payer',
  MS03: 'No reason given by the bank',
};

/** The labels of state fields, by the field's name; a field without a label is in the raw state. */
export const stateLabels: Readonly<Record<string, string>> = {
  status: 'Status',
  amountMinor: 'Amount',
  paidMinor: 'Paid',
  refundedMinor: 'Refunded',
  chargedBackMinor: 'Charged back',
  releasedMinor: 'Released',
  feesMinor: 'Fees',
  feesVatMinor: 'VAT on fees',
  reference: 'Reference',
  orderId: 'Order',
  merchantId: 'Merchant',
  method: 'Payment method',
  policy: 'Capture policy',
  pageCompleted: 'Payment page completed',
  authorizedAt: 'Authorized',
  expiresAt: 'Expires',
  capturedAt: 'Captured',
  expectedAt: 'Expected',
  isReversed: 'Returned to the merchant',
  reason: 'Reason',
  date: 'Date',
  bankDate: 'Arrival date',
};

/** The labels of the numbered items of a state, e.g. `Refund 2`. */
export const stateItems: Readonly<Record<string, (count: number) => string>> = {
  captures: (count) => `Capture ${count}`,
  refunds: (count) => `Refund ${count}`,
  disputes: (count) => `Dispute ${count}`,
};
