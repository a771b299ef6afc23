import type { Schemas } from '../../api/client';

/** Why a retry does not send the refund again, and what the user can do instead. */
const REFUND_ONLY_READ =
  'A refund that may have been sent is not sent again: only its result is read. If the provider ' +
  'does not show it, use Resolve unknown result, then Reissue refund.';

export const actions = {
  column: 'Actions',
  kinds: {
    capture: 'Capture',
    cancel: 'Cancel order',
    refund: 'Refund',
    reissue_refund: 'Reissue refund',
    abandon_refund: 'Abandon refund',
    review_mismatches: 'Mark status mismatches as reviewed',
    resolve_result: 'Resolve unknown result',
    refresh: 'Refresh from the provider',
    retry_request: 'Retry request',
    retry_requests: 'Retry all requests of incident',
    retry_reaction: 'Retry automatic reaction',
    discard_reaction: 'Discard automatic reaction',
    close_exception: 'Close reconciliation break',
    accept_line: 'Accept line of the provider',
    rebuild_projection: 'Rebuild read model',
    poll_history: 'Refresh status history',
    poll_account: 'Refresh payouts from the provider',
    reprocess_webhook: 'Reprocess webhook',
    create_api_key: 'Create API key',
    create_user: 'Create user',
    change_access: 'Change access',
    change_role: 'Change role',
    enable_user: 'Enable user',
    reset_password: 'Reset password',
    reset_second_factor: 'Reset second factor',
    register_identity: 'Link single sign-on',
    change_limit: 'Change daily limit',
    switch_account: 'Use provider account for new orders',
    disable_account: 'Disable provider account',
    withdraw_account: 'Withdraw provider account request',
    disable_endpoint: 'Disable webhook endpoint',
    enable_endpoint: 'Enable webhook endpoint',
    redeliver_webhooks: 'Redeliver webhooks',
    create_endpoint: 'Create webhook endpoint',
  },
  /** Shorter labels for buttons in a row that names the subject. */
  inRow: {
    resolve_result: 'Resolve',
    retry_request: 'Retry',
    retry_requests: 'Retry all',
    retry_reaction: 'Retry',
    discard_reaction: 'Discard',
    close_exception: 'Close',
    accept_line: 'Accept line',
    poll_account: 'Refresh',
    rebuild_projection: 'Rebuild',
    reprocess_webhook: 'Reprocess',
    disable_account: 'Disable',
    withdraw_account: 'Withdraw',
    disable_endpoint: 'Disable',
    enable_endpoint: 'Enable',
    redeliver_webhooks: 'Redeliver',
  } as Readonly<Partial<Record<Schemas['ActionKind'], string>>>,
  leads: {
    capture:
      'Requests the capture of the amount in the preview. A final capture releases the rest of ' +
      'the authorization.',
    cancel:
      'Requests the cancellation of the order. Its payment is canceled first. If the payment can no ' +
      'longer be canceled and is captured, the order becomes paid: refund it then.',
    refund: 'Requests a refund to the payer.',
    reissue_refund: 'Requests a new refund of the same amount to replace the failed one.',
    abandon_refund: 'Closes the failed refund without a new one. The payer is not refunded.',
    review_mismatches:
      'Records that the differences between our records and the provider were reviewed. Nothing else ' +
      'changes, and no money moves. The case of the mismatch ends.',
    resolve_result: 'Reads the payment from the provider and records the result of the request.',
    refresh: 'Reads the payment from the provider now and records its status.',
    retry_request:
      'Queues the request again. First its result is read from the provider: a request that the ' +
      'provider has already executed is not sent again. ' +
      REFUND_ONLY_READ,
    retry_requests:
      'Queues all failed requests of the incident again. First their results are read from the ' +
      'provider: a request that the provider has already executed is not sent again. ' +
      REFUND_ONLY_READ,
    retry_reaction:
      'Runs the workflow again for the event or scheduled job at which it failed, then for the ' +
      'events and scheduled jobs queued behind it.',
    discard_reaction:
      'Permanently discards the reaction to this event or scheduled job: the captures, ' +
      'cancellations or notifications that would have resulted do not happen. The events and ' +
      'scheduled jobs queued behind it are then processed.',
    close_exception:
      'Records that the break is explained and needs no further action. Nothing is booked.',
    accept_line:
      'Records that the provider’s line is right: the ledger books the difference, so that it equals ' +
      'the provider’s books, and the next comparison closes the break.',
    rebuild_projection:
      'Rebuilds the read model, a table behind the lists, from the event log. Until the rebuild ' +
      'ends, lists show the current table.',
    poll_history:
      'Reads again, from the provider, the status history of all merchants of this mode, ' +
      'starting at this day.',
    poll_account:
      'Reads the payouts, refunds and disputes of this account from the provider again, and ' +
      'reconciles them.',
    reprocess_webhook:
      'Processes the webhook again: the payment, payout or company that it is about is read from ' +
      'the provider now. If its state is already recorded, nothing changes.',
    switch_account:
      'New orders of the merchant use this provider account after the waiting period. ' +
      'Existing orders keep their account.',
    disable_account:
      'New orders can no longer use this provider account, and no other account replaces it. ' +
      'Existing orders are completed.',
    withdraw_account:
      'Withdraws the request to use this provider account. Orders keep the current provider ' +
      'account.',
    disable_endpoint:
      'Events are no longer sent, but wait. They are sent if the endpoint is enabled in time: ' +
      'each event is deleted after 30 days by default.',
    enable_endpoint:
      'Pending events are sent; those of the same order or payment in their original sequence. To ' +
      'send failed ones, use Redeliver webhooks.',
    redeliver_webhooks:
      'Now sends the undelivered webhooks to the endpoint, those of the same order or payment in ' +
      'their original sequence. Each gets a new series of attempts. The platform may receive an ' +
      'event twice.',
  },
  second: 'This action affects money: a second person must approve it.',
  secretWaits:
    'The password or key works only after a second admin has approved the request under Approvals.',
  secondRecords:
    'This action moves no money but changes what is recorded about money: a second person must ' +
    'approve it.',
  runPreview: 'Preview',
  requestApproval: 'Request approval',
  run: 'Run',
  noEffect: 'This action would change nothing.',
  preview: 'Preview',
  events: (count: number) =>
    count === 0
      ? 'No event would be recorded.'
      : `${count} ${count === 1 ? 'event' : 'events'} would be recorded:`,
  follows: 'Follow-up actions:',
  calls: (count: number) =>
    count === 0
      ? 'No request would be sent to the provider.'
      : `${count} provider ${count === 1 ? 'request' : 'requests'}:`,
  money: 'Amount',
  amount: (currency: string) => `Amount in ${currency}`,
  amountHint: 'Leave empty for the full remaining amount.',
  amountWrong: 'Enter an amount above zero, or leave empty for the full remaining amount.',
  of: 'of',
  fromDay: 'From',
  refundIsOthers:
    'Select only if the provider shows a refund of this amount that is not this request: ours is ' +
    'then sent as well, and the payer receives both.',
  debitIsOthers:
    'Select only if the debit that the provider shows belongs to another order, which was lost ' +
    'in the database restore: the debit of this order is then sent as well, and the payer is ' +
    'debited for both orders.',
  statuses: {
    pending: 'Awaiting approval',
    executing: 'In progress',
    done: 'Done',
    failed: 'Failed',
    rejected: 'Rejected',
    expired: 'Expired',
  },
  waitsForSecond: 'A second person must approve the action under Approvals within a day.',
  ended: {
    executing: 'The action is in progress.',
    done: 'The action is done.',
    failed: 'The action failed.',
    rejected: 'The action was rejected.',
    expired: 'The action was not approved in time and is not executed.',
  },
  passedOn: 'Queued',
  passedOnLead:
    'The action is executed in the background. The page of the payment, order or other affected ' +
    'object shows the result.',
  resolved: {
    made: 'The provider executed the request. The result is recorded.',
    not_made: 'The refund is recorded as not executed: the payer has not been refunded.',
    others: 'The operation found at the provider belongs to another request. Our request is sent.',
    forgotten:
      'The provider no longer has the payment intent. The request is recorded as ended ' +
      'without effect.',
  },
  toApprovals: 'View approvals',
};

export const approvals = {
  title: 'Approvals',
  none: 'No action requests.',
  lead:
    'Actions that users requested. Actions that affect money need the approval of a second ' +
    'person.',
  approve: 'Approve',
  approveDo: 'Approve and run',
  reject: 'Reject',
  withdraw: 'Withdraw',
  own: 'You requested this action: another person must approve it.',
  askedBy: 'Requested by',
  decision: 'Decision',
  decided: (name: string) => `by ${name}`,
  reasonOf: (name: string, reason: string) => `Reason given by ${name}: “${reason}”`,
  leads: {
    reject: 'The action will not be executed. The requester sees your reason.',
    withdraw: 'The action will not be executed.',
  },
};
