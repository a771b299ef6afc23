export const reconciliation = {
  title: 'Reconciliation',
  none: 'No breaks: all lines match.',
  lead:
    'Differences between the ledger and the payout lines of the provider, with the value ' +
    'that each shows.',
  exception: 'Break',
  kind: 'Kind',
  kinds: {
    missing: 'Missing payout lines',
    unknown: 'Not in ledger',
    amount: 'Amount mismatch',
    currency: 'Currency mismatch',
    duplicate: 'Duplicate',
    fee: 'Fee mismatch',
    late: 'Payout overdue',
  } as Readonly<Record<string, string>>,
  states: { open: 'Open', closed: 'Closed' },
  evidence: 'Evidence',
  lines: {
    payment: 'Payment',
    refund: 'Refund',
    dispute: 'Dispute',
    dispute_reversal: 'Dispute won',
    payout: 'Payout',
  },
  ours: 'Ledger:',
  theirs: 'Provider:',
  noEntry: 'no entry',
  thisLine: 'this line',
  closedBy: (who: string) => `Closed by ${who}`,
  autoResolved: 'Auto-resolved',
  keptBack: (balance: string) =>
    `The balance of the provider account is ${balance}: the provider withholds payouts until ` +
    'the balance is no longer negative.',
  sinceFrom: 'From day',
  sinceTo: 'To day',
  age: 'Age',
};

export const payoutLines = {
  title: 'Lines',
  line: 'Line',
  fee: 'Fee',
  matchedTo: 'Matched to',
  notInLedger: 'No ledger entry',
  accepted: 'Accepted line',
  exceptions: 'Breaks',
  agrees: 'Matched',
  differing: 'Breaks only',
  none: 'No lines read from the provider yet.',
  noneDiffers: 'No breaks.',
  ofFigures: 'The totals of the payout differ from its lines or the ledger',
};
