import { LIMIT_HOLDERS, LIMIT_UNITS, LIMITED_OPERATIONS } from '#operations';
import { ROLES } from '../access/role.js';

/** The type of a preview item's value; a list contains the possible values. */
export type Kind = 'string' | 'integer' | readonly string[];

type ValueOf<K extends Kind> = K extends readonly (infer One)[]
  ? One
  : K extends 'integer'
    ? number
    : string;

/** The values of a preview item, by the item's code. */
export type Table = Readonly<Record<string, Readonly<Record<string, Kind>>>>;

/**
 * An item of a preview: a code with values. The console has a text for each code in each language,
 * and does not compile without one.
 */
type Item<T extends Table> = {
  [Code in keyof T]: { readonly code: Code } & {
    readonly [Name in keyof T[Code]]: ValueOf<T[Code][Name]>;
  };
}[keyof T];

export const CALLS = {
  intent_read: {},
  request_queued: { call: 'string', subjectId: 'string' },
} as const satisfies Table;

export const FOLLOWS = {
  later_requests_sent: {},
  reaction_retried: { saga: 'string', stimulus: 'string' },
  later_reactions_run: { saga: 'string' },
  refund_searched: { subjectId: 'string' },
  call_searched: { call: 'string', subjectId: 'string' },
  requests_searched: { call: 'string', count: 'integer' },
  refunds_searched: { count: 'integer' },
  list_rebuilt: {},
  history_read: {},
  history_read_from: { day: 'string', days: 'integer' },
  account_read: {},
  webhook_read: {},
  webhooks_sent: { host: 'string', openCount: 'integer', laterCount: 'integer' },
} as const satisfies Table;

/** The platforms and merchants that a user will see, and the amount limits per action. */
const ACCESS = { visible: 'string', limits: 'string' } as const;

export const NOTES = {
  recent_refunds: { count: 'integer' },
  equal_refunds: { count: 'integer', amountMinor: 'integer', currency: 'string' },
  resolved_as: {
    intent: 'string',
    call: 'string',
    outcome: ['made', 'not_made', 'others', 'forgotten'],
  },
  refund_shown: { refundId: 'string', amountMinor: 'integer', currency: 'string' },
  payer_not_refunded: { amountMinor: 'integer', currency: 'string' },
  amount_concerned: { amountMinor: 'integer', currency: 'string' },
  requests_fixed: { count: 'integer', fingerprint: 'string' },
  requests_left: { count: 'integer' },
  status_shown: { status: 'string' },
  mismatch_reviewed: { aspect: 'string', expected: 'string', observed: 'string' },
  reaction_discarded: { saga: 'string', stimulus: 'string' },
  reaction_waits: { saga: 'string' },
  known_changes_nothing: {},
  exception_closed: {},
  line_accepted: {
    amountMinor: 'integer',
    bookedMinor: 'integer',
    feeMinor: 'integer',
    bookedFeeMinor: 'integer',
    currency: 'string',
  },
  key_activated: { prefix: 'string', platformId: 'string', scopes: 'string' },
  user_activated: { name: 'string', role: ROLES, ...ACCESS },
  role_changes: { name: 'string', before: ROLES, role: ROLES, ...ACCESS },
  access_changes: {
    name: 'string',
    role: ROLES,
    visibleBefore: 'string',
    limitsBefore: 'string',
    ...ACCESS,
  },
  user_enabled: { name: 'string', role: ROLES },
  password_reset: { name: 'string', role: ROLES },
  second_factor_reset: { name: 'string', role: ROLES },
  identity_registered: { name: 'string', role: ROLES, email: 'string' },
  endpoint_created: {
    platformId: 'string',
    host: 'string',
    eventTypes: 'string',
    merchantId: 'string',
  },
  limit_changes: {
    holder: LIMIT_HOLDERS,
    holderId: 'string',
    operation: LIMITED_OPERATIONS,
    unit: LIMIT_UNITS,
    before: 'integer',
    daily: 'integer',
  },
  orders_switched: {
    merchantId: 'string',
    mode: 'string',
    from: 'string',
    to: 'string',
    hours: 'integer',
  },
  orders_not_before: { time: 'string' },
  account_used_now: { merchantId: 'string', mode: 'string' },
  account_not_used: { merchantId: 'string', mode: 'string' },
} as const satisfies Table;

/** A provider request that the action queues or sends itself. */
export type CallItem = Item<typeof CALLS>;
/** A follow-up action of the workers. */
export type Follow = Item<typeof FOLLOWS>;
/** A further effect, or a fact relevant to the decision. */
export type Note = Item<typeof NOTES>;
