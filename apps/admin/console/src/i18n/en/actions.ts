import type { Schemas } from '../../api/client';

export const actions = {
  column: 'Actions',
  kinds: {
    capture: 'Capture',
    cancel: 'Cancel order',
    refund: 'Refund',
    reissue_refund: 'Reissue refund',
    abandon_refund: 'Abandon refund',
    resolve_result: 'Resolve unknown result',
    refresh: 'Refresh',
    retry_request: 'Retry request',
    retry_reaction: 'Retry reaction',
    discard_reaction: 'Discard reaction',
    close_exception: 'Close break',
    rebuild_projection: 'Rebuild',
    poll_history: 'Poll status history',
    poll_account: 'Poll payouts',
    reprocess_webhook: 'Reprocess',
    create_api_key: 'Create API key',
    create_user: 'Create user',
    change_role: 'Change role',
    enable_user: 'Enable user',
    reset_password: 'Reset password',
    change_limit: 'Change daily limit',
    switch_account: 'Use for orders',
    disable_account: 'Disable account',
    withdraw_account: 'Withdraw account',
  },
  /** Shorter labels for buttons in a row that names the subject. */
  inRow: {
    retry_request: 'Retry',
    retry_reaction: 'Retry',
    discard_reaction: 'Discard',
    close_exception: 'Close',
    poll_account: 'Poll',
    disable_account: 'Disable',
    withdraw_account: 'Withdraw',
  } as Readonly<Partial<Record<Schemas['ActionKind'], string>>>,
  leads: {
    capture: 'Requests the capture of the authorized amount from the provider.',
    cancel: 'Requests the cancellation of the order. Its payment is canceled first, if possible.',
    refund: 'Requests a refund to the payer.',
    reissue_refund: 'Requests a new refund of the same amount to replace the failed one.',
    abandon_refund: 'Closes the failed refund without a new one. The payer is not refunded.',
    resolve_result: 'Reads the payment at the provider and records the result of the request.',
    refresh: 'Reads the payment at the provider now and records its status.',
    retry_request: 'Queues the request again. The provider is read before the request is sent.',
    retry_reaction: 'Runs the failed workflow step again, then the triggers queued behind it.',
    discard_reaction:
      'Skips this trigger for good: the captures, cancellations or reports that would follow are ' +
      'not made. The triggers queued behind it are retried.',
    close_exception: 'Records that the break is explained and needs no further action.',
    rebuild_projection: 'Rebuilds the read model from the event log. It stays readable meanwhile.',
    poll_history: 'Reads the merchant status history at the provider again, from this day on.',
    poll_account: 'Reads the payouts of this account at the provider again.',
    reprocess_webhook: 'Processes the webhook again. States already recorded do not change.',
    switch_account:
      'New orders of the merchant use this provider account after the cooling-off period. ' +
      'Existing orders keep their account.',
    disable_account:
      'New orders can no longer use this provider account, and no other account replaces it. ' +
      'Existing orders are completed.',
    withdraw_account: 'Withdraws the request. Orders keep the current provider account.',
  },
  second: 'This action affects money: a second person must approve it.',
  secretWaits: 'It becomes active when a second admin approves it under Approvals.',
  secondRecords:
    'This action moves no money but changes the records: a second person must approve it.',
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
  refundIsOthers: 'The refund at the provider was made by another party: make this one as well',
  debitIsOthers: 'The debit lost in the restore belongs to another order: make this one as well',
  statuses: {
    pending: 'Awaiting approval',
    executing: 'In progress',
    done: 'Done',
    failed: 'Failed',
    rejected: 'Rejected',
    expired: 'Expired',
  },
  waitsForSecond: 'A second person must approve it under Approvals within a day.',
  ended: {
    executing: 'The action is in progress.',
    done: 'The action is done.',
    failed: 'The action failed.',
    rejected: 'The action was rejected.',
    expired: 'The approval period expired.',
  },
  passedOn: 'Queued',
  passedOnLead: 'A worker executes the action. The page shows the result.',
  resolved: {
    made: 'The provider executed the request. The result is recorded.',
    not_made: 'The refund is recorded as not made. The payer has not been refunded.',
    others: 'The refund at the provider belongs to another party. The request is sent.',
    forgotten: 'The provider does not have the intent. The request is recorded as ended.',
  },
  toApprovals: 'View approvals',
};

export const approvals = {
  title: 'Approvals',
  none: 'No action requests.',
  lead: 'Action requests. Those that affect money need the approval of a second person.',
  approve: 'Approve',
  approveDo: 'Approve and run',
  reject: 'Reject',
  withdraw: 'Withdraw',
  own: 'Needs the approval of another person.',
  askedBy: 'Requested by',
  decision: 'Decision',
  decided: (name: string) => `by ${name}`,
  reasonOf: (name: string, reason: string) => `Reason given by ${name}: “${reason}”`,
  leads: {
    reject: 'The action will not be executed. The requester sees your reason.',
    withdraw: 'The action will not be executed.',
  },
};
