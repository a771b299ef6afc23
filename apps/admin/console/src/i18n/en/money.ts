export const reconciliation = {
  title: 'Reconciliation',
  lead: 'Lines that do not agree, with what each side says.',
  kind: 'Kind',
  kinds: {
    missing: 'Missing', unknown: 'Unknown', amount: 'Other amount', currency: 'Other currency',
    duplicate: 'Twice', fee: 'Other fee', late: 'Late',
  } as Readonly<Record<string, string>>,
  states: { open: 'Open', closed: 'Closed' },
  evidence: 'Evidence',
  lines: { payment: 'Payment', refund: 'Refund', dispute: 'Dispute', payout: 'Payout' },
  ours: 'Ours:',
  theirs: 'Provider:',
  closedBy: (who: string) => `Closed by ${who}`,
  facts: 'later facts',
  age: 'Since',
};

export const payoutLines = {
  title: 'Lines',
  line: 'Line',
  fee: 'Fee',
  matchedTo: 'Matched to',
  notInLedger: 'Nothing in our ledger',
  exceptions: 'Exceptions',
  agrees: 'Agrees',
  differing: 'Only those that differ',
  none: 'No line is read yet.',
  noneDiffers: 'No line differs.',
  ofFigures: 'The payout’s own figures differ',
};

export const merchants = {
  title: 'Merchants',
  lead: 'From draft to available: who is where, and what is missing.',
  view: 'How to show them',
  board: 'Board',
  list: 'List',
  all: 'See all',
  none: 'No merchant is drafted yet.',
  openForOrders: 'takes orders',
  orders: 'Takes orders',
  mode: 'Mode',
  company: 'Company at the provider',
  drafted: 'Drafted',
  missing: 'Missing:',
  refusedFor: 'Refused for:',
  more: (count: number) => `and ${count} more`,
  statuses: {
    draft: 'Draft', requested: 'Requested', rejected: 'Rejected', notComplete: 'Not complete',
    pendingActivation: 'In review', validated: 'Validated', available: 'Available',
    pendingDeactivation: 'Being closed', deactivate: 'Closed',
  } as Readonly<Record<string, string>>,
};
