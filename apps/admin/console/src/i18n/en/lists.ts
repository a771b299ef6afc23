export const lists = {
  orders: {
    title: 'Orders',
    lead: 'What platforms asked to be paid, newest first.',
    order: 'Order',
    payment: 'Payment',
    placed: 'Placed',
  },
  orderStatus: {
    open: 'Open', authorized: 'Authorized', closing: 'Closing', paid: 'Paid',
    canceled: 'Canceled', expired: 'Expired', failed: 'Failed',
  },
  payments: {
    title: 'Payments',
    lead: 'One provider intent each, newest first.',
    refunded: 'Refunded',
    intent: 'Provider intent',
    requested: 'Requested',
    unknown: 'Outcome unknown',
    mismatched: 'Contradicted',
    disputed: 'Disputed',
  },
  paymentStatus: {
    requested: 'Requested', rejected: 'Rejected', open: 'Open', processing: 'Processing',
    authorized: 'Authorized', to_capture: 'Capture accepted', capture_sent: 'Sent to clearing',
    captured: 'Captured', canceled: 'Canceled', expired: 'Expired', returned: 'Returned',
  },
  payouts: {
    title: 'Payouts',
    lead: 'What the provider pays to merchants, and whether each line agrees with our record.',
    payout: 'Payout',
    reconciled: 'Lines',
    linesNotRead: 'Not read yet',
    matched: (count: number) => `${count} ${count === 1 ? 'agrees' : 'agree'}`,
    exceptions: (count: number) => `${count} ${count === 1 ? 'exception' : 'exceptions'}`,
    see: 'See them',
    fees: 'Fees with VAT',
    date: 'Date',
    atBank: 'At the bank',
  },
  payoutStatus: {
    pending: 'Pending', to_pay: 'To pay', sent: 'Sent', paid: 'Paid', failed: 'Failed',
  },
};
