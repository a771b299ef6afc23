import { type AmountText, limitsText, type PreviewTexts } from '../preview-text';
import { settings } from './administration';
import { lists } from './lists';
import { workflows } from './operations';
import { lowerFirst } from '../lower-first';
import { aspects } from './sentences/mismatch';

/** The names of provider requests, by their kind. */
export const calls: Readonly<Record<string, string>> = {
  create_intent: 'Payment intent creation',
  debit_mandate: 'Mandate debit',
  capture: 'Capture',
  cancel: 'Cancellation',
  refund: 'Refund',
  create_company: 'Company registration',
  order_terminal: 'Payment terminal order',
  cancel_terminal: 'Payment terminal cancellation',
  fetch_keys: 'Retrieval of API keys',
};

/** The name of a workflow, for use within a sentence. */
const workflowOf = (saga: string): string =>
  `the ${workflows[saga]?.toLowerCase() ?? saga} workflow`;

/** The kinds of holders of a limit, for use within a sentence. */
const kindsOfHolder = { key: 'API key', platform: 'platform', mandate: 'mandate' };

/** The visible platforms and merchants, and the limits per action. */
const accessOf = (
  { visible, limits }: { readonly visible: string; readonly limits: string },
  amount: AmountText,
): string =>
  `Sees ${visible || 'everything'}; highest amounts of one action: ` +
  `${limits === '' ? 'no limit' : limitsText(limits, amount)}.`;

const statuses: Readonly<Record<string, string>> = lists.paymentStatus;

/** The name of a provider request, for use within a sentence. */
export const callOf = (call: string): string => lowerFirst(calls[call] ?? call);

/** The texts of a preview, by their code. */
export const previewTexts: PreviewTexts = {
  intent_read: () =>
    'Read the payment intent from the provider, with its payments, refunds and disputes.',
  request_queued: ({ call, subjectId }) => `Queue the ${callOf(call)} for ${subjectId}.`,
  later_requests_sent: () => 'Send the requests of the payment that wait for this request to end.',
  reaction_retried: ({ saga, stimulus }) =>
    `Run ${workflowOf(saga)} for ${stimulus}, then for the events and scheduled jobs queued ` +
    'behind it, and send the resulting requests to the provider.',
  later_reactions_run: ({ saga }) =>
    `Run ${workflowOf(saga)} for the events and scheduled jobs queued behind the discarded one, ` +
    'and send the resulting requests to the provider.',
  refund_searched: ({ subjectId }) =>
    `Read ${subjectId} from the provider; a refund that may have been sent is not sent again.`,
  call_searched: ({ call, subjectId }) =>
    `Read ${subjectId} from the provider; send the ${callOf(call)} only if the provider has not ` +
    'executed it yet.',
  requests_searched: ({ call, count }) =>
    `Read the results of ${count} failed ${count === 1 ? 'request' : 'requests'} ` +
    `(${callOf(call)}) from the provider; ` +
    'send each only if the provider has not executed it yet.',
  refunds_searched: ({ count }) =>
    `Read the results of ${count} failed ${count === 1 ? 'refund' : 'refunds'} from the ` +
    'provider; a refund that may have been sent is not sent again. If the provider does not show ' +
    'it, use Resolve unknown result, then Reissue refund.',
  list_rebuilt: () =>
    'Rebuild the read model from the event log; until the rebuild ends, lists show the current ' +
    'table.',
  history_read: () => 'Read the status history since the polling watermark from the provider.',
  history_read_from: ({ day, days }) =>
    `Read the status history since ${day} from the provider: ` +
    `${days} ${days === 1 ? 'day' : 'days'}.`,
  account_read: () =>
    'Read the payouts, refunds and disputes of the account from the provider, and reconcile them.',
  webhook_read: () =>
    'Read the payment, payout or company that the webhook is about from the provider.',
  webhooks_sent: ({ host, openCount, laterCount }) =>
    `Send ${openCount} ${openCount === 1 ? 'webhook' : 'webhooks'} to ${host} now.` +
    (laterCount > 0 ? ` ${laterCount} more wait: request the action again afterwards.` : ''),
  recent_refunds: ({ count }) =>
    `${count} ${count === 1 ? 'refund was' : 'refunds were'} already requested in the console ` +
    'within the last 24 hours. Check that this is not a duplicate.',
  equal_refunds: ({ count, amountMinor, currency }, amount) =>
    `${count} other ${count === 1 ? 'refund' : 'refunds'} of ${amount(amountMinor, currency)} of this ` +
    `payment ${count === 1 ? 'is' : 'are'} made or in progress. Check that the payer is still owed ` +
    'this refund.',
  resolved_as: ({ intent, call, outcome }) => {
    if (outcome === 'forgotten') {
      return (
        `The provider no longer has the payment intent: the ${callOf(call)} is recorded as ended ` +
        'without effect.'
      );
    }
    const results = {
      made: 'was executed',
      not_made: 'was not executed',
      others: 'found there belongs to another request, so our request is sent',
    };
    return `The provider shows ${intent}: the ${callOf(call)} ${results[outcome]}.`;
  },
  refund_shown: ({ refundId, amountMinor, currency }, amount) =>
    `The payment intent has the refund ${refundId} of ${amount(amountMinor, currency)}.`,
  payer_not_refunded: ({ amountMinor, currency }, amount) =>
    `The payer has not been refunded ${amount(amountMinor, currency)}; this action does not ` +
    'refund this amount.',
  amount_concerned: ({ amountMinor, currency }, amount) =>
    `The action concerns ${amount(amountMinor, currency)}.`,
  requests_fixed: ({ count }) =>
    `Retries exactly ${count === 1 ? 'this request' : `these ${count} requests`}; fails if they ` +
    'change before the approval.',
  requests_left: ({ count }) =>
    `${count} further ${count === 1 ? 'request' : 'requests'} of the incident: request the action again ` +
    'for them afterwards.',
  mismatch_reviewed: ({ aspect, expected, observed }) =>
    `Reviewed: the ${aspects[aspect] ?? aspect} is “${expected}” in our records and “${observed}” at the provider.`,
  status_shown: ({ status }) => `The status at the provider is “${statuses[status] ?? status}”.`,
  reaction_discarded: ({ saga, stimulus }) =>
    `The reaction of ${workflowOf(saga)} to ${stimulus} is discarded permanently.`,
  reaction_waits: ({ saga }) =>
    `The reaction of ${workflowOf(saga)} currently fails: its follow-up actions wait for a retry ` +
    '(Queues, Failed automatic reactions).',
  known_changes_nothing: () =>
    'If the provider shows only what is already recorded, nothing changes.',
  orders_switched: ({ merchantId, mode, from, to, hours }) =>
    `New ${mode} orders of ${merchantId} use ${to}` +
    `${from === '' ? '' : ` instead of ${from}`}, ` +
    (hours === 0
      ? 'immediately.'
      : `${hours} ${hours === 1 ? 'hour' : 'hours'} after the approval.`),
  orders_not_before: ({ time }) => `Orders do not use the account before ${time}.`,
  account_used_now: ({ merchantId, mode }) =>
    `New ${mode} orders of ${merchantId} currently use the account: they will be rejected.`,
  account_not_used: ({ merchantId, mode }) =>
    `New ${mode} orders of ${merchantId} do not use the account: nothing changes for them.`,
  line_accepted: ({ amountMinor, bookedMinor, feeMinor, bookedFeeMinor, currency }, amount) =>
    `The provider’s line has the amount ${amount(amountMinor, currency)} and the fee ` +
    `${amount(feeMinor, currency)}, and the ledger contains ${amount(bookedMinor, currency)} and ` +
    `${amount(bookedFeeMinor, currency)}. The ledger books the difference: ` +
    `${amount(amountMinor - bookedMinor, currency)} and a fee of ` +
    `${amount(feeMinor - bookedFeeMinor, currency)}. The next comparison closes the break.`,
  exception_closed: () => 'The break is closed. Later provider data may open a new break.',
  key_activated: ({ prefix, platformId, scopes }) =>
    `The key ${prefix} of the platform ${platformId} becomes active with the permissions ` +
    `(scopes) ${scopes}.`,
  endpoint_created: ({ platformId, host, eventTypes, merchantId }) =>
    `The platform ${platformId} receives ` +
    `${eventTypes === '*' ? 'all events' : `the events ${eventTypes}`} of ` +
    `${merchantId === '' ? 'all merchants' : `the merchant ${merchantId}`} at ${host}.`,
  user_activated: ({ name, role, ...access }, amount) =>
    `${name} can sign in with the ${role} role. ${accessOf(access, amount)}`,
  role_changes: ({ name, before, role, ...access }, amount) =>
    `${name}: role changes from ${before} to ${role}. ${accessOf(access, amount)}`,
  access_changes: ({ name, visibleBefore, limitsBefore, ...access }, amount) =>
    `${name}, until now: ${accessOf({ visible: visibleBefore, limits: limitsBefore }, amount)} ` +
    `After the approval: ${accessOf(access, amount)}`,
  user_enabled: ({ name, role }) => `${name} can sign in again with the ${role} role.`,
  limit_changes: ({ holder, holderId, operation, unit, before, daily }, amount) =>
    `The daily limit of ${lowerFirst(settings.operations[operation])} changes from ${before} ` +
    `to ${daily} ` +
    (unit === 'amount'
      ? `minor units of each currency (in euros: from ${amount(before, 'eur')} to ` +
        `${amount(daily, 'eur')}). `
      : `${daily === 1 ? 'operation' : 'operations'}. `) +
    (holderId === '*'
      ? `Applies to every ${kindsOfHolder[holder]} without a limit of its own.`
      : `Applies to: ${settings.holders[holder]}, ${holderId}.`),
  identity_registered: ({ name, role, email }) =>
    `The person with the email address ${email} at the identity provider can sign in as ${name} ` +
    `(${role}).`,
  second_factor_reset: ({ name, role }) =>
    `The sessions of ${name} (${role}) end, and the second factor is deleted.`,
  password_reset: ({ name, role }) =>
    `The sessions of ${name} (${role}) end, and the one-time password becomes active.`,
};
