import type { ToldWords } from '../../actions/told';

/** Calls to the provider by what they do. */
export const calls: Readonly<Record<string, string>> = {
  create_intent: 'creation of the intent', debit_mandate: 'debit of the mandate',
  capture: 'capture', cancel: 'cancellation', refund: 'refund',
  create_company: 'registration of the company', order_terminal: 'order of a terminal',
  cancel_terminal: 'cancellation of a terminal', fetch_keys: 'fetching of the keys',
};

const callOf = (call: string): string => calls[call] ?? call;

/** What a dry run tells. */
export const told: ToldWords = {
  intent_read: () => 'The intent and its details are read.',
  call_asked: ({ call, subjectId }) => `The ${callOf(call)} for ${subjectId} is asked for.`,
  payment_canceled: () => 'The payment is canceled at the provider, where there is one to cancel.',
  later_calls_made: () => 'Later calls of the payment, which this one holds back, are made.',
  messages_taken: ({ consumer, eventType, version }) =>
    `${consumer} takes ${eventType} (version ${version}) and what came after it, and asks the ` +
    'provider for what follows from them.',
  later_messages_taken: ({ consumer }) =>
    `${consumer} takes what came after it, and asks the provider for what follows from that.`,
  refund_looked_for: ({ subjectId }) =>
    `A worker reads ${subjectId} at the provider: a refund that may have been sent is not sent again.`,
  call_looked_for: ({ call, subjectId }) =>
    `A worker reads ${subjectId} at the provider: the ${callOf(call)} is sent only where the ` +
    'provider does not show it.',
  list_rebuilt: () => 'A worker makes it anew from the log; the present one is read until then.',
  history_read: () =>
    'A worker reads the status history at the provider from where it had come to.',
  history_read_from: ({ day, days }) =>
    `A worker reads the status history at the provider from ${day} on: ` +
    `${days} ${days === 1 ? 'day' : 'days'}.`,
  account_read: () =>
    'A worker reads its payouts, refunds and disputes at the provider, and reconciles.',
  webhook_read: () => 'A worker reads from the provider what the webhook is about.',
  refunds_lately: ({ count }) =>
    `People have made ${count} ${count === 1 ? 'refund' : 'refunds'} of it within a day: ` +
    'is this another one?',
  settled_as: ({ intent, call, outcome }) => {
    const settled = {
      made: 'was made', not_made: 'was not made', others: 'is somebody else’s, and ours is made',
    };
    return `The provider shows ${intent}: the ${callOf(call)} ${settled[outcome]}.`;
  },
  refund_shown: ({ refundId, amountMinor, currency }, amount) =>
    `It has the refund ${refundId} of ${amount(amountMinor, currency)}.`,
  status_shown: ({ status }) => `The provider shows ${status}.`,
  message_passed: ({ consumer, eventType, version }) =>
    `${consumer} goes past ${eventType} (version ${version}) without its effect.`,
  known_changes_nothing: () => 'What is known already changes nothing.',
  exception_closed: () => 'The exception is closed. Facts that come later may open another one.',
};
