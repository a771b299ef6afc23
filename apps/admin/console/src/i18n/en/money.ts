export const reconciliation = {
  title: 'Reconciliation',
  none: 'Every line agrees: there is no exception.',
  lead: 'Lines that do not agree, with what each side says.',
  exception: 'Exception',
  kind: 'Kind',
  kinds: {
    missing: 'Missing', unknown: 'Unknown', amount: 'Other amount', currency: 'Other currency',
    duplicate: 'Twice', fee: 'Other fee', late: 'Late',
  } as Readonly<Record<string, string>>,
  states: { open: 'Open', closed: 'Closed' },
  evidence: 'Evidence',
  lines: {
    payment: 'Payment', refund: 'Refund', dispute: 'Dispute', dispute_reversal: 'Dispute won',
    payout: 'Payout',
  },
  ours: 'Ours:',
  theirs: 'Provider:',
  closedBy: (who: string) => `Closed by ${who}`,
  facts: 'later facts',
  keptBack: (balance: string) =>
    `The account stands at ${balance}: the provider pays nothing out until that is made up.`,
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
  lead:
    'From draft to available: who is where, and what is missing. Whose account was registered ' +
    'with its key was not onboarded here, and is not shown.',
  view: 'How to show them',
  board: 'Board',
  list: 'List',
  all: 'See all',
  none: 'No merchant is drafted yet.',
  openForOrders: 'takes orders',
  orders: 'Takes orders',
  mode: 'Mode',
  company: 'Company',
  drafted: 'Drafted',
  missing: 'Missing:',
  refusedFor: 'Refused for:',
  more: (count: number) => `and ${count} more`,
  requirements: {
    'legal-form': 'legal form', 'legal-id': 'legal id', 'legal-name': 'legal name',
    'date-registration': 'date of registration', url: 'website',
    'headquarters-address': 'address of the headquarters', iban: 'IBAN', services: 'services',
    'activity-reference': 'activity code', user: 'user', owners: 'owners',
    representatives: 'representatives', signature: 'signature',
    'documents.kbis': 'Kbis extract', 'documents.iban': 'proof of the IBAN',
    'documents.idcard': 'identity card',
  } as Readonly<Record<string, string>>,
  statuses: {
    draft: 'Draft', requested: 'Requested', rejected: 'Rejected', notComplete: 'Not complete',
    pendingActivation: 'In review', validated: 'Validated', available: 'Available',
    pendingDeactivation: 'Being closed', deactivate: 'Closed',
  } as Readonly<Record<string, string>>,
};
