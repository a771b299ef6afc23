import type { CallItem, Follow, Note } from './preview-codes.js';

type Item = CallItem | Follow | Note;
type Code = Item['code'];
/** The name of a value in any item of a preview. */
type Name = Item extends infer One
  ? One extends Item
    ? Exclude<keyof One, 'code'>
    : never
  : never;

/** What each item of a preview says, for the OpenAPI document. */
export const CODE_DOCS: Readonly<Record<Code, string>> = {
  intent_read: 'The intent is read from the provider.',
  request_queued: 'A provider request is queued.',
  later_requests_sent: 'The requests of the payment that wait for this request to end are sent.',
  reaction_retried: 'The failed reaction is run again, then the reactions queued behind it.',
  later_reactions_run: 'The reactions queued behind the discarded reaction are run.',
  refund_searched:
    'The refund is searched for at the provider, and not sent again if an earlier request may have made it.',
  call_searched:
    'The result is searched for at the provider; the request is sent only if there is no result.',
  requests_searched:
    'The result of each request is searched for at the provider; a request is sent only if there is no result.',
  refunds_searched:
    'Each refund is searched for at the provider, and not sent again if an earlier request may have made it.',
  list_rebuilt: 'The read model is rebuilt from the event log.',
  history_read: 'The status history from the polling watermark on will be read from the provider.',
  history_read_from:
    'The status history from the requested day on will be read from the provider again.',
  account_read: 'The payouts, refunds and disputes of the account are read from the provider.',
  webhook_read: 'The object that the webhook names is read from the provider.',
  webhooks_sent: 'The open deliveries are sent to the endpoint, those of one subject in order.',
  recent_refunds: 'Refunds of the payment were requested in the console within the last day.',
  equal_refunds: 'Other refunds of the payment of the same amount, made or in progress.',
  resolved_as: 'How the provider’s state resolves the failed request.',
  refund_shown: 'A refund that the provider shows.',
  payer_not_refunded:
    'An amount that the payer has not been refunded, and that this action does not refund.',
  amount_concerned:
    'The money that is concerned: the sum of the requests’ payments and refunds, or the money at risk of a break.',
  requests_fixed:
    'Exactly these requests are retried; if others joined or some were retried meanwhile, the action fails.',
  requests_left: 'Further requests of the incident that the action does not retry.',
  mismatch_reviewed:
    'A value that the provider shows and that contradicts the recorded value; the review ends its case.',
  status_shown: 'The status that the provider shows.',
  reaction_discarded: 'The failed reaction is skipped permanently.',
  reaction_waits: 'The workflow’s reaction to this action currently fails, and waits for a retry.',
  known_changes_nothing: 'States that are already recorded do not change.',
  exception_closed: 'The reconciliation break is closed.',
  line_accepted:
    'The ledger will contain the amount and the fee that the provider shows for the line; amounts of ' +
    'refunds and disputes are negative.',
  key_activated: 'The API key can be used.',
  user_activated: 'The user can sign in.',
  role_changes: 'The role of the user changes.',
  access_changes: 'What a user may see, and up to which amounts the user may act, changes.',
  user_enabled: 'The disabled user can sign in again.',
  password_reset: 'The user’s sessions end, and a one-time password becomes valid.',
  second_factor_reset: 'The user’s sessions end, and the second factor is deleted.',
  identity_registered:
    'The person with this email address at the identity provider can sign in as the user.',
  limit_changes: 'A daily limit changes.',
  endpoint_created: 'Events of the platform are sent to a new webhook endpoint.',
  orders_switched: 'New orders of the merchant use a different provider account.',
  orders_not_before: 'New orders use the account at this time at the earliest.',
  account_used_now: 'New orders use the account now; after the action they will be rejected.',
  account_not_used: 'New orders do not use the account, so the action changes nothing for them.',
};

interface ValueDocs {
  readonly description: string;
  readonly example?: string | number;
}

/** What each value of an item means, in all items that do not override the meaning. */
export const VALUE_DOCS: Readonly<Record<Name, ValueDocs>> &
  Readonly<Partial<Record<`${Code}.${Name}`, ValueDocs>>> = {
  call: { description: 'The kind of the provider request.', example: 'capture' },
  subjectId: { description: 'The payment or merchant of the request.', example: 'pay_…' },
  saga: { description: 'The workflow.', example: 'checkout' },
  stimulus: {
    description: 'The type of the event or the kind of the deadline that triggers the reaction.',
    example: 'PaymentAuthorized',
  },
  day: { description: 'The first day that is read, in Paris time.', example: '2026-03-02' },
  days: { description: 'The number of days that are read.', example: 3 },
  count: { description: 'The number of refunds or requests.', example: 1 },
  fingerprint: {
    description: 'Equal for equal sets of requests, 8 hexadecimal digits.',
    example: '5f0c21ab',
  },
  intent: {
    description: 'The provider’s intent and its status.',
    example: 'pi_… captured',
  },
  outcome: {
    description:
      '`made`: the request was executed. `not_made`: not executed. `others`: what the provider ' +
      'shows belongs to another request, so the failed request is sent. `forgotten`: the ' +
      'provider no ' +
      'longer has the intent, and the payment ends by its recorded state.',
  },
  refundId: { description: 'The provider’s refund.', example: 'refd_…' },
  amountMinor: { description: 'The amount in minor units.', example: 1_250 },
  bookedMinor: { description: 'The amount in the ledger, in minor units.', example: 1_250 },
  feeMinor: { description: 'The fee that the provider shows, in minor units.', example: 24 },
  bookedFeeMinor: { description: 'The fee in the ledger, in minor units.', example: 21 },
  currency: { description: 'ISO 4217, lower case.', example: 'eur' },
  aspect: { description: 'What contradicts, e.g. the status.', example: 'status' },
  expected: { description: 'The value in our records.', example: 'captured' },
  observed: { description: 'The value at the provider.', example: 'canceled' },
  status: { description: 'The status in the words of the provider.', example: 'captured' },
  prefix: { description: 'The public prefix of the API key.', example: 'po_4fK2' },
  platformId: {
    description: 'The platform of the key or of the webhook endpoint.',
    example: 'shop',
  },
  scopes: { description: 'The scopes of the key, separated by commas.', example: 'orders:write' },
  email: {
    description: 'The email address, which the identity provider must have verified.',
    example: 'jane@company.example',
  },
  name: { description: 'The name of the user.', example: 'jane' },
  role: { description: 'The role of the user after the action.' },
  before: { description: 'The current daily limit: minor units of each currency, or a count.' },
  'role_changes.before': { description: 'The current role of the user.' },
  visible: {
    description: 'The platforms and merchants that the user will see; empty: everything.',
    example: 'shop, mall merchant-7',
  },
  limits: {
    description: 'The highest amounts of one action in minor units; empty: any amount.',
    example: '50000 eur',
  },
  visibleBefore: {
    description: 'The platforms and merchants that the user sees now; empty: all.',
    example: 'shop',
  },
  limitsBefore: {
    description: 'The highest amounts now, in minor units; empty: any amount.',
    example: '10000 eur',
  },
  holder: { description: 'What the limit applies to: an API key, a platform or a mandate.' },
  holderId: { description: 'The id of the key, platform or mandate.', example: 'shop' },
  operation: { description: 'The limited operation.' },
  unit: {
    description: '`amount`: minor units of each currency a day. `count`: operations a day.',
  },
  daily: { description: 'The new daily limit, in the same unit.', example: 1_000_000 },
  merchantId: { description: 'The merchant.', example: 'mer_…' },
  'endpoint_created.merchantId': {
    description: 'The merchant whose events are sent; empty: the events of all merchants.',
    example: 'merchant-7',
  },
  openCount: {
    description: 'The number of deliveries that are sent, at most 10,000.',
    example: 12,
  },
  laterCount: { description: 'Further open deliveries, for a later request.', example: 0 },
  host: { description: 'The host of the URL.', example: 'hooks.platform.example' },
  eventTypes: {
    description: 'The patterns of the event types that are sent, separated by commas.',
    example: 'Order*, PaymentCaptured',
  },
  mode: { description: 'The environment of the provider.', example: 'test' },
  from: {
    description: 'The provider account that new orders use now; empty if there is none.',
    example: 'acc_…',
  },
  to: { description: 'The provider account that new orders will use.', example: 'acc_…' },
  hours: {
    description: 'Hours between the approval and the first use; 0: immediately.',
    example: 24,
  },
  time: { description: 'The instant, ISO 8601 in UTC.', example: '2026-03-02T10:00:00.000Z' },
};
