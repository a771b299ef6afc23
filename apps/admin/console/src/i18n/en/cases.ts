import { caseKinds } from './case-kinds';

export const cases = {
  title: 'Cases',
  lead: 'Everything that needs action, the most urgent first. A case ends when its cause has ended.',
  none: 'No open cases: every request succeeded, every refund was paid, every payout matches.',
  kinds: caseKinds,
  /** The statuses of refund cases. */
  refundParts: {
    failed: 'Retries exhausted',
    unknown: 'Unknown result',
    not_made: 'Not made by the provider',
    dispute_won: 'Dispute won, not refundable',
    reissued: 'Reissued, not paid yet',
    retried: 'Retried, not accepted yet',
    accepted: 'Accepted, not paid yet',
  } as Readonly<Record<string, string>>,
  kind: 'Kind',
  incident: 'Incident',
  case: 'Case',
  subject: 'Subject',
  atRisk: 'At risk',
  since: 'Since',
  deadline: 'Deadline',
  actsNext: 'Waiting for',
  acts: {
    operator: 'Operator',
    approver: 'Approver',
    platform: 'Platform',
    provider: 'Provider',
  },
  owner: 'Owner',
  owners: { mine: 'Mine', none: 'Without an owner' },
  noOwner: 'None',
  snoozed: 'Snoozed',
  snoozes: { true: 'Snoozed only' },
  notSnoozed: 'Not snoozed',
  open: 'View',
  showAll: 'Show all',
  hide: 'Hide',
  ofIncident: 'Cases of the incident',
  more: (count: number) => `and ${count} more`,
  retryAll: 'Retry all',
  incidentOf: (title: string, account: string) => `${title}, ${account}`,
  atRiskOf: (amounts: string) => `${amounts} at risk`,
  countOf: (count: number) => `${count} ${count === 1 ? 'case' : 'cases'}`,
  all: 'All cases',
  closed:
    'This case is closed, because its cause has ended. The history shows what people did about it.',
  notFound: 'This case is not open',
  notFoundHint:
    'The cause of the case has ended. The page of the affected payment, order or merchant shows what happened.',
  playbook: 'What to do',
  means: 'What it means',
  shows: 'What the provider shows',
  ends: 'When it ends',
  recommended: 'Recommended',
  alternatives: 'Alternatives',
  recorded: 'Recorded reason:',
  openSubject: 'Open the affected object',
  awaitsApproval: 'An action on this case awaits the approval of a second person.',
  ownRequest: 'You requested the action that awaits approval: another person must approve it.',
  steps: {
    review_mismatches:
      'Mark status mismatches as reviewed, with the provider’s answer as the reason, when nothing remains to be ' +
      'done. If money must move, request that action first. A second person approves, and the case ends.',
    pay_otherwise:
      'Ask the merchant to transfer the money to the payer: the provider never refunds a payment that was ' +
      'disputed, even if the dispute was won.',
    resolve_result:
      'Resolve unknown result: the result is read from the provider, and the request is recorded ' +
      'as executed or not executed.',
    reissue_refund:
      'Reissue refund: the provider did not make it, and the payer is owed the money.',
    abandon_refund:
      'Abandon refund, if the payer is not owed the money, e.g. because it was paid in another way.',
    await_refund:
      'Wait until the provider has paid the refund. If it fails, this case asks for the next step.',
    refresh: 'Refresh from the provider: the status of the payment is read and recorded now.',
    retry_request:
      'Retry request: its result is read from the provider first, and what the provider has ' +
      'executed is not sent again.',
    retry_requests:
      'Retry all requests of incident, when the provider responds again: one preview and one approval. ' +
      'What the provider has executed is not sent again.',
    retry_refund:
      'Retry request: the refund is searched for at the provider first, and is not sent again if it may ' +
      'have been sent. If the provider does not show it: Resolve unknown result, then Reissue refund.',
    retry_refunds:
      'Retry all requests of incident, when the provider responds again: one preview and one approval. ' +
      'The refunds are searched for at the provider first, and none that may have been sent is sent again. ' +
      'For each that the provider does not show: Resolve unknown result, then Reissue refund.',
    capture: 'Capture, if the goods were or will be delivered.',
    ask_platform_capture: 'Ask the platform to capture or cancel the order before the deadline.',
    await_retry:
      'Wait for the next retry. If the provider rejects the stored API key, ask the platform to ' +
      'register the provider account again with a valid key (POST /v1/provider-accounts). For ' +
      'any other repeated rejection, ask the provider.',
    await_result: 'Wait for the next read from the provider, which may show the result.',
    compare: 'Compare both values in the timeline, and ask the provider which is right.',
    close_exception:
      'Close reconciliation break when it is explained, with the explanation as the reason.',
    accept_line:
      'Accept line of the provider, if it is right: the contract confirms the fee, or the merchant the ' +
      'payment.',
    read_evidence:
      'Compare the payout’s lines with the ledger, and ask the provider to explain the difference.',
    retry_reaction:
      'Ask the technical team to repair the cause, e.g. by a new release, then press Retry ' +
      'automatic reaction.',
    discard_reaction:
      'On Queues, Failed automatic reactions, press Discard if the captures, cancellations or ' +
      'notifications must not happen. This is permanent.',
    upgrade: 'Ask the technical team to update every server process to the newest release.',
    complete_registration:
      'Ask the platform to complete the registration: the merchant’s page here shows what is ' +
      'missing.',
    ask_provider: 'Ask the provider why the review of the company takes so long.',
    repair_endpoint:
      'Ask the platform to repair its endpoint. The events wait, and are then sent in order.',
    redeliver_webhooks:
      'Redeliver webhooks, when the platform has repaired the endpoint: the waiting ones are sent now.',
    enable_endpoint: 'Enable webhook endpoint when the platform has repaired it.',
    keep_disabled:
      'The endpoint was disabled automatically. If the platform no longer needs it, press Disable webhook ' +
      'endpoint: it stays off, and the case ends.',
    disable_endpoint: 'Disable webhook endpoint, if the platform no longer needs it.',
  },
  take: 'Assign to me',
  selected: (cases: number) => (cases === 1 ? '1 case' : `${cases} cases`),
  tooManySelected: (most: number) => `To assign or snooze cases together, select at most ${most}.`,
  skipped: (count: number) =>
    count === 1
      ? '1 case has another owner and was not assigned.'
      : `${count} cases have another owner and were not assigned.`,
  staleIncidents: (count: number) =>
    count === 1
      ? '1 selected incident has changed or ended meanwhile: none of its cases was changed.'
      : `${count} selected incidents have changed or ended meanwhile: none of their cases was changed.`,
  refused: (count: number) =>
    count === 1 ? '1 case could not be changed:' : `${count} cases could not be changed:`,
  release: 'Unassign',
  ownedBy: (name: string) => `Owned by ${name}`,
  snooze: 'Snooze',
  wake: 'Show again',
  wakeLead: 'The list shows the case again now.',
  snoozeLead:
    'The list hides the case for the chosen time. The deadline of the case stays the same.',
  snoozeFor: 'Hide for',
  days: (count: number) => `${count} ${count === 1 ? 'day' : 'days'}`,
  snoozedUntil: 'Snoozed until',
  comment: 'Comment',
  commentHint: 'Stored permanently. Do not include personal data.',
  addComment: 'Add comment',
  history: 'History',
  noHistory: 'Nothing was done about this case yet.',
  notesOfSubject: 'History of cases',
  deeds: {
    taken: 'became the owner of the case',
    released: 'is no longer the owner of the case',
    comment: 'commented',
    snoozed: 'snoozed the case',
    woken: 'ended the snooze',
    'action.requested': 'requested',
    'action.approved': 'approved',
    'action.rejected': 'rejected',
    'action.done': 'Done:',
    'action.failed': 'Failed:',
  },
};
