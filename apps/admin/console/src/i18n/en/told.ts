import type { ToldWords } from '../told-words';
import { workflows } from './watch';

/** Calls to the provider by what they do. */
export const calls: Readonly<Record<string, string>> = {
  create_intent: 'creation of the intent',
  debit_mandate: 'debit of the mandate',
  capture: 'capture',
  cancel: 'cancellation',
  refund: 'refund',
  create_company: 'registration of the company',
  order_terminal: 'order of a terminal',
  cancel_terminal: 'cancellation of a terminal',
  fetch_keys: 'fetching of the keys',
};

/** Workflows, in a sentence. */
const workflowOf = (saga: string): string =>
  `the ${workflows[saga]?.toLowerCase() ?? saga} workflow`;

const callOf = (call: string): string => calls[call] ?? call;

/** What a dry run tells. */
export const told: ToldWords = {
  intent_read: () => 'The intent and its details are read.',
  call_asked: ({ call, subjectId }) => `The ${callOf(call)} for ${subjectId} is asked for.`,
  later_calls_made: () => 'Later calls of the payment, which this one holds back, are made.',
  reaction_retried: ({ saga, stimulus }) =>
    `A worker lets ${workflowOf(saga)} react to ${stimulus}, then to what waits behind it, and ` +
    'sends the provider what follows.',
  later_reactions_made: ({ saga }) =>
    `A worker lets ${workflowOf(saga)} react to all that waits behind it, and sends the provider ` +
    'what follows.',
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
      made: 'was made',
      not_made: 'was not made',
      others: 'is somebody else’s, and ours is made',
      forgotten: 'ends without it',
    };
    return `The provider shows ${intent}: the ${callOf(call)} ${settled[outcome]}.`;
  },
  refund_shown: ({ refundId, amountMinor, currency }, amount) =>
    `It has the refund ${refundId} of ${amount(amountMinor, currency)}.`,
  payer_not_refunded: ({ amountMinor, currency }, amount) =>
    `The payer has not been refunded ${amount(amountMinor, currency)}, and is not by this.`,
  status_shown: ({ status }) => `The provider shows ${status}.`,
  reaction_discarded: ({ saga, stimulus }) =>
    `What ${workflowOf(saga)} would have done on ${stimulus} is never done.`,
  reaction_waits: ({ saga }) =>
    `${workflowOf(saga)} cannot react to this now: what would follow from it waits for a retry ` +
    '(Queues, Failed reactions).',
  known_changes_nothing: () => 'What is known already changes nothing.',
  orders_switched: ({ merchantId, mode, from, to, hours }) =>
    `New ${mode} orders of ${merchantId} are paid into ${to}` +
    `${from === '' ? '' : ` instead of ${from}`}, ` +
    `${hours === 0 ? 'at once' : `${hours} hours after the approval`}.`,
  orders_not_before: ({ time }) => `Not before ${time}.`,
  account_used_now: ({ merchantId, mode }) =>
    `New ${mode} orders of ${merchantId} use it now: they are refused from then on.`,
  account_not_used: ({ merchantId, mode }) =>
    `New ${mode} orders of ${merchantId} do not use it now: they go on as they do.`,
  exception_closed: () => 'The exception is closed. Facts that come later may open another one.',
  key_begins: ({ prefix, platformId, scopes }) =>
    `The key ${prefix} of the platform ${platformId} begins to work, for ${scopes}.`,
  user_begins: ({ name, role }) => `${name} may sign in, as ${role}.`,
  role_changes: ({ name, before, role }) => `${name} becomes ${role}, and is ${before} now.`,
  user_enabled: ({ name, role }) => `${name} may sign in again, as ${role}.`,
  limit_changes: ({ holder, holderId, operation, unit, before, daily }) =>
    `The daily limit ${holder}.${operation}.${unit} of ${holderId} is ${before}, and becomes ${daily}` +
    (unit === 'amount' ? ' (minor units of each currency).' : '.'),
  password_reset: ({ name, role }) =>
    `The sessions of ${name} (${role}) end, and the one-time password that was shown begins to work.`,
};
