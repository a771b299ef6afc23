import type { Schemas } from '../../api/client';

export const actions = {
  column: 'Actions',
  kinds: {
    capture: 'Capture',
    cancel: 'Cancel the order',
    refund: 'Refund',
    reissue_refund: 'Issue the refund again',
    give_up_refund: 'Give up the refund',
    settle_call: 'Settle the call',
    refresh: 'Refresh',
    retry_call: 'Retry',
    retry_reaction: 'Retry the reaction',
    discard_reaction: 'Discard the reaction',
    close_exception: 'Close',
    rebuild_projection: 'Rebuild',
    poll_history: 'Read history again',
    poll_account: 'Read payouts again',
    reprocess_webhook: 'Reprocess',
    create_api_key: 'New API key',
    create_user: 'New user',
    change_role: 'Change role',
    enable_user: 'Enable user',
    reset_password: 'Reset password',
    change_limit: 'Change daily limit',
    switch_account: 'Use for orders',
    disable_account: 'Disable the account',
    withdraw_account: 'Withdraw the account',
  },
  /** Where the row says what is meant. */
  inRow: {
    retry_reaction: 'Retry',
    discard_reaction: 'Discard',
    disable_account: 'Disable',
    withdraw_account: 'Withdraw',
  } as Readonly<Partial<Record<Schemas['ActionKind'], string>>>,
  leads: {
    capture: 'Asks the provider to capture the authorized amount.',
    cancel: 'Asks for the end of the order. Its payment is canceled first, where it can be.',
    refund: 'Gives money back to the payer.',
    reissue_refund: 'Requests the same amount again, in place of the refund that was not made.',
    give_up_refund: 'The payer is not refunded, and nobody is reminded of it any more.',
    settle_call: 'Reads the provider, and records what it shows of the call.',
    refresh: 'Reads the payment at the provider now, and takes in what it shows.',
    retry_call: 'Lets the call be made again. The provider is read first.',
    retry_reaction:
      'Lets the workflow react now to what it failed at, then to what waits behind it.',
    discard_reaction:
      'The workflow never reacts to this: a capture, a cancellation or a report that would follow ' +
      'is not made. What waits behind it is retried.',
    close_exception: 'Says that the difference is explained and needs nothing more.',
    rebuild_projection: 'Makes the list from the log again. It can be read meanwhile.',
    poll_history: 'Reads the statuses of merchants again from this day on.',
    poll_account: 'Reads the payouts of this account again.',
    reprocess_webhook: 'Takes the webhook in once more. What is known already changes nothing.',
    switch_account:
      'New orders of the merchant are paid into this provider account, once the cooling-off is over. ' +
      'Older orders keep theirs.',
    disable_account:
      'No new order uses the provider account, and no other one takes its place. Orders that are ' +
      'there go on to their end.',
    withdraw_account:
      'Orders will not use this provider account. They go on to use the present one.',
  },
  second: 'Money depends on it: a second person must approve it before it is done.',
  secretWaits: 'It begins to work when a second admin has approved it, under Approvals.',
  secondRecords:
    'It moves no money, and decides what is recorded of it: a second person must approve it.',
  dryRun: 'See what would happen',
  ask: 'Ask for approval',
  doIt: 'Do it',
  idle: 'It would change nothing: there is nothing to ask for.',
  preview: 'What would happen',
  events: (count: number) =>
    count === 0
      ? 'No event would be written.'
      : `${count} ${count === 1 ? 'event' : 'events'} would be written:`,
  follows: 'Then, without anybody asking:',
  calls: (count: number) =>
    count === 0
      ? 'The provider would not be called.'
      : `${count} ${count === 1 ? 'call' : 'calls'} to the provider:`,
  money: 'Amount',
  amount: (currency: string) => `Amount in ${currency}`,
  amountHint: 'Empty: all that is left.',
  amountWrong: 'Give an amount above zero, or none for all that is left.',
  of: 'of',
  fromDay: 'From this day on',
  refundIsOthers: 'A refund like it was made by somebody else: make ours too',
  debitIsOthers: 'The debit that a restore lost is of another order: make this one too',
  statuses: {
    pending: 'Waits for approval',
    executing: 'Being done',
    done: 'Done',
    failed: 'Failed',
    rejected: 'Rejected',
    expired: 'Expired',
  },
  waitsForSecond: 'Nothing is done yet. Somebody else finds it under Approvals, for a day.',
  ended: {
    executing: 'It is being done.',
    done: 'It is done.',
    failed: 'It could not be done.',
    rejected: 'It was rejected.',
    expired: 'Nobody approved it in time.',
  },
  passedOn: 'Passed on',
  passedOnLead: 'It is passed on to a worker. What comes of it is shown as it happens.',
  settled: {
    made: 'The provider has made the call, and that is recorded.',
    not_made: 'The refund is recorded as not sent. The payer has not been refunded.',
    others: 'What is there is somebody else’s. Ours is made.',
    forgotten: 'The provider has no such intent: the call ended without it, and is recorded so.',
  },
  toApprovals: 'To the approvals',
};

export const approvals = {
  title: 'Approvals',
  none: 'Nobody has asked for anything.',
  lead: 'What was asked to be put right. What money depends on waits for a second person.',
  approve: 'Approve',
  approveDo: 'Approve, and do it',
  reject: 'Reject',
  withdraw: 'Withdraw',
  own: 'Somebody else must approve it.',
  askedBy: 'Asked by',
  decision: 'Decision',
  decided: (name: string) => `by ${name}`,
  asks: (name: string) => `${name} asks for this because:`,
  leads: {
    reject: 'It will not be done. Who asked sees your reason.',
    withdraw: 'It will not be done.',
  },
};
