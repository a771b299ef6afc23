import type { Schemas } from '../../api/client';

type CaseKind = Schemas['CaseKind'];

/** The texts of one kind of case. */
export interface CaseText {
  readonly one: string;
  /** The title of an incident; `isOutage`: the provider did not respond, or failed itself. */
  readonly many: (count: number, isOutage: boolean) => string;
  readonly means: string;
  readonly shows: string;
  readonly ends: string;
}

const kinds: Readonly<Record<CaseKind, CaseText>> = {
  unpaid_refund: {
    one: 'Refund not paid to the payer',
    many: (count) => `${count} refunds not paid to their payers`,
    means:
      'A refund was requested, and the payer does not have the money. Either the request failed, its ' +
      'result is unknown, or the provider did not make the refund.',
    shows:
      'The refunds of the payment intent. One of the requested amount that our records do not show ' +
      'as made may be the refund that we requested.',
    ends:
      'When the payer has the money, or when two people decide with a reason that no refund is owed. ' +
      'Neither a new refund request nor its acceptance by the provider ends the case.',
  },
  failed_request: {
    one: 'Failed provider request',
    many: (count, isOutage) =>
      isOutage
        ? `Provider outage: ${count} failed requests`
        : `${count} failed requests, one cause`,
    means:
      'A request to the provider failed until its retries were exhausted. Later requests of the same ' +
      'payment or merchant wait behind it.',
    shows:
      'The payment intent with its captures and refunds. A request without a response may have ' +
      'been executed.',
    ends: 'When the request has been executed, or its result is recorded.',
  },
  rejected_capture: {
    one: 'Rejected capture',
    many: (count) => `${count} captures rejected for the same reason`,
    means: 'The provider rejected a capture: the merchant is not paid.',
    shows: 'The authorization, which is still open until its deadline, and the rejection’s reason.',
    ends: 'When another capture is requested, or the payment ends.',
  },
  lapsing_authorization: {
    one: 'Authorization about to expire',
    many: (count) => `${count} authorizations about to expire`,
    means:
      'The payer’s money is authorized and not captured. After the deadline it can no longer be ' +
      'captured, and the merchant is not paid.',
    shows: 'The authorization with its expiry, and no capture.',
    ends:
      'When the payment is captured or canceled, or when its authorization expires: then the merchant ' +
      'is not paid.',
  },
  unknown_result: {
    one: 'Unknown result',
    many: (count) => `${count} requests with an unknown result`,
    means:
      'The provider did not respond to a request, so it may or may not have been executed. Its ' +
      'result is read from the provider again, at growing intervals.',
    shows: 'Nothing yet that proves the result.',
    ends:
      'When the result is read from the provider. If no read shows it, the case becomes a failed ' +
      'request.',
  },
  mismatch: {
    one: 'Status mismatch',
    many: (count) => `${count} status mismatches of the same kind`,
    means:
      'The provider shows something that contradicts what we requested, or what it showed before.',
    shows:
      'A value that differs from our records. The timeline of the payment or merchant ' +
      'shows both values.',
    ends:
      'When two people record the review, with a reason. A later mismatch opens the case ' +
      'again.',
  },
  reconciliation_break: {
    one: 'Reconciliation break',
    many: (count) => `${count} reconciliation breaks of the same kind`,
    means: 'The ledger and a payout of the provider differ.',
    shows: 'The lines of the payout, beside the entries of the ledger that they are compared with.',
    ends: 'When later facts explain the difference, or two people close it with a reason.',
  },
  failed_reaction: {
    one: 'Failed automatic reaction',
    many: (count) => `${count} automatic reactions failed with the same error`,
    means:
      'A workflow could not react to an event. Captures, cancellations or notifications that should ' +
      'follow do not happen, and later events of the same order or merchant wait.',
    shows: 'Nothing: the failure is on our side.',
    ends: 'When the reaction succeeds, or two people discard it with a reason.',
  },
  blocked_stream: {
    one: 'Blocked stream',
    many: (count) => `${count} blocked streams`,
    means:
      'Part of our system still runs an old version. Until it is updated, the lists or the ' +
      'published events of this order, payment, merchant or payout are out of date.',
    shows: 'Nothing: the cause is on our side.',
    ends: 'When all server processes are updated: lists and published events then catch up.',
  },
  silent_merchant: {
    one: 'Merchant status unchanged for too long',
    many: (count) => `${count} merchant statuses unchanged for too long`,
    means:
      'The registration has had the same status for too long. The merchant cannot take payments.',
    shows: 'The status of the company and the missing requirements, as of the last poll.',
    ends: 'When the provider shows another status.',
  },
  failing_endpoint: {
    one: 'Failing webhook endpoint',
    many: (count) => `${count} failing webhook endpoints`,
    means:
      'A platform’s endpoint does not accept events. The platform does not learn of payments, and its ' +
      'orders may not be shipped. After three days without a success the endpoint is disabled.',
    shows: 'Nothing: the platform’s server fails.',
    ends: 'When a delivery succeeds, or a person disables the endpoint.',
  },
};

export const cases = {
  title: 'Cases',
  lead: 'Everything that needs action, the most urgent first. A case ends when its cause has ended.',
  none: 'No open cases: every request succeeded, every refund was paid, every payout matches.',
  kinds,
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
    accept_fee: 'Accept fee of the provider, if the contract confirms it.',
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
