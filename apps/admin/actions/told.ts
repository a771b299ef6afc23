import type { ApiPropertyOptions } from '@nestjs/swagger';
import { LIMIT_HOLDERS, LIMIT_UNITS, LIMITED_OPERATIONS } from '#operations';
import { ROLES } from '../access/role.js';

/** What a value is; a list: one of these. */
type Kind = 'string' | 'integer' | readonly string[];

type ValueOf<K extends Kind> = K extends readonly (infer One)[]
  ? One
  : K extends 'integer'
    ? number
    : string;

/** The values that the words of each code are made with. */
type Table = Readonly<Record<string, Readonly<Record<string, Kind>>>>;

/**
 * What a dry run tells is a code with its values: the console says it in its reader's language, and
 * does not compile before each of its languages has words for each code.
 */
type Told<T extends Table> = {
  [Code in keyof T]: { readonly code: Code } & {
    readonly [Name in keyof T[Code]]: ValueOf<T[Code][Name]>;
  };
}[keyof T];

const CALLS = {
  intent_read: {},
  call_asked: { call: 'string', subjectId: 'string' },
} as const satisfies Table;

const FOLLOWS = {
  later_calls_made: {},
  reaction_retried: { saga: 'string', stimulus: 'string' },
  later_reactions_made: { saga: 'string' },
  refund_looked_for: { subjectId: 'string' },
  call_looked_for: { call: 'string', subjectId: 'string' },
  list_rebuilt: {},
  history_read: {},
  history_read_from: { day: 'string', days: 'integer' },
  account_read: {},
  webhook_read: {},
} as const satisfies Table;

const NOTES = {
  refunds_lately: { count: 'integer' },
  settled_as: {
    intent: 'string',
    call: 'string',
    outcome: ['made', 'not_made', 'others', 'forgotten'],
  },
  refund_shown: { refundId: 'string', amountMinor: 'integer', currency: 'string' },
  payer_not_refunded: { amountMinor: 'integer', currency: 'string' },
  status_shown: { status: 'string' },
  reaction_discarded: { saga: 'string', stimulus: 'string' },
  reaction_waits: { saga: 'string' },
  known_changes_nothing: {},
  exception_closed: {},
  key_begins: { prefix: 'string', platformId: 'string', scopes: 'string' },
  user_begins: { name: 'string', role: ROLES },
  role_changes: { name: 'string', before: ROLES, role: ROLES },
  user_enabled: { name: 'string', role: ROLES },
  password_reset: { name: 'string', role: ROLES },
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

/** A call to the provider that is asked for, or that an action makes itself. */
export type ToldCall = Told<typeof CALLS>;
/** What workers would do then. */
export type Follow = Told<typeof FOLLOWS>;
/** What else would happen, or is to be known. */
export type Note = Told<typeof NOTES>;

const schemaOf = (kind: Kind) =>
  typeof kind === 'string' ? { type: kind } : { type: 'string', enum: [...kind] };

/** A list of these, each code with its values, as the API's document has it. */
const listOf = (table: Table, description: string): ApiPropertyOptions => ({
  type: 'array',
  description,
  items: {
    oneOf: Object.entries(table).map(([code, values]) => ({
      type: 'object',
      required: ['code', ...Object.keys(values)],
      properties: {
        code: schemaOf([code]),
        ...Object.fromEntries(Object.entries(values).map(([name, kind]) => [name, schemaOf(kind)])),
      },
    })),
  },
});

export const TOLD_LISTS = {
  calls: listOf(CALLS, 'Calls to the provider that are asked for or made.'),
  follows: listOf(
    FOLLOWS,
    'What workers would do then, calls to the provider among it. Only where `calls` and this are ' +
      'empty is the provider not called.',
  ),
  notes: listOf(NOTES, 'What else would happen.'),
};
