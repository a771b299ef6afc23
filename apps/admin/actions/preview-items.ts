import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { LIMIT_HOLDERS, LIMIT_UNITS, LIMITED_OPERATIONS } from '#operations';
import { EVENT_TYPES } from '#orchestrator';
import { AnyObject, Field, Integer, ListOf, Nullable, OneOf } from '#platform';
import { ROLES } from '../access/role.js';
import { CODE_DOCS, VALUE_DOCS } from './preview-item-docs.js';

/** The type of a preview item's value; a list is an enum. */
type Kind = 'string' | 'integer' | readonly string[];

type ValueOf<K extends Kind> = K extends readonly (infer One)[]
  ? One
  : K extends 'integer'
    ? number
    : string;

/** The values that belong to each code. */
type Table = Readonly<Record<string, Readonly<Record<string, Kind>>>>;

/**
 * An item of a preview: a code with values. The console has a text for each code in each language,
 * and does not compile without one.
 */
type Item<T extends Table> = {
  [Code in keyof T]: { readonly code: Code } & {
    readonly [Name in keyof T[Code]]: ValueOf<T[Code][Name]>;
  };
}[keyof T];

const CALLS = {
  intent_read: {},
  request_queued: { call: 'string', subjectId: 'string' },
} as const satisfies Table;

const FOLLOWS = {
  later_requests_sent: {},
  reaction_retried: { saga: 'string', stimulus: 'string' },
  later_reactions_run: { saga: 'string' },
  refund_searched: { subjectId: 'string' },
  call_searched: { call: 'string', subjectId: 'string' },
  list_rebuilt: {},
  history_read: {},
  history_read_from: { day: 'string', days: 'integer' },
  account_read: {},
  webhook_read: {},
} as const satisfies Table;

const NOTES = {
  recent_refunds: { count: 'integer' },
  resolved_as: {
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
  key_activated: { prefix: 'string', platformId: 'string', scopes: 'string' },
  user_activated: { name: 'string', role: ROLES },
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

/** A provider request that the action queues or sends itself. */
export type CallItem = Item<typeof CALLS>;
/** A follow-up action of the workers. */
export type Follow = Item<typeof FOLLOWS>;
/** A further effect, or a fact relevant to the decision. */
export type Note = Item<typeof NOTES>;

const schemaOf = (kind: Kind) =>
  typeof kind === 'string' ? { type: kind } : { type: 'string', enum: [...kind] };

const valueSchema = (code: string, [name, kind]: readonly [string, Kind]) => {
  const docs: Readonly<Record<string, object | undefined>> = VALUE_DOCS;
  return [name, { ...schemaOf(kind), ...(docs[`${code}.${name}`] ?? docs[name]) }] as const;
};

const codeDocs: Readonly<Record<string, string | undefined>> = CODE_DOCS;

/** The OpenAPI schema of a list of preview items with these codes. */
const listOf = (table: Table, description: string): ApiPropertyOptions => ({
  type: 'array',
  description,
  items: {
    oneOf: Object.entries(table).map(([code, values]) => ({
      type: 'object',
      required: ['code', ...Object.keys(values)],
      properties: {
        code: { ...schemaOf([code]), description: codeDocs[code] ?? '' },
        ...Object.fromEntries(Object.entries(values).map((value) => valueSchema(code, value))),
      },
    })),
  },
});

const PREVIEW_LISTS = {
  calls: listOf(CALLS, 'Provider requests that would be queued or sent.'),
  follows: listOf(
    FOLLOWS,
    'Follow-up actions of the workers, which may send provider requests. The provider is not ' +
      'called if both `calls` and this are empty.',
  ),
  notes: listOf(NOTES, 'Further effects and facts relevant to the decision.'),
};

class PreviewEvent {
  @Field('The type of the event’s stream.')
  streamType!: string;

  @Field('The id of the event’s stream.')
  streamId!: string;

  @OneOf(EVENT_TYPES, 'The type of the event.', 'EventType')
  type!: string;

  @AnyObject('The data of the event.')
  data!: Readonly<Record<string, unknown>>;
}

/** The amount that an action affects. */
export class ActionAbout {
  @OneOf(['order', 'payment'], 'The type of the entity.')
  subjectType!: 'order' | 'payment';

  @Field('The id of the order or payment.')
  subjectId!: string;

  @Integer('The affected amount in minor units.')
  amountMinor!: number;

  @Integer('The full amount of the order or payment, in minor units.')
  ofMinor!: number;

  @Field('ISO 4217, lower case.')
  currency!: string;
}

export const OF_ONE = 'Null if the action does not affect an amount of one payment.';

/** The effect that an action would have. */
export class PreviewAnswer {
  @Nullable(ActionAbout, OF_ONE)
  about!: ActionAbout | null;

  @ListOf(PreviewEvent, 'The events that would be recorded.')
  events!: readonly PreviewEvent[];

  @ApiProperty(PREVIEW_LISTS.calls)
  calls!: readonly CallItem[];

  @ApiProperty(PREVIEW_LISTS.follows)
  follows!: readonly Follow[];

  @ApiProperty(PREVIEW_LISTS.notes)
  notes!: readonly Note[];

  @Field('Send it as `seen`: the action is rejected if its effect has changed.')
  digest!: string;
}

export type Preview = Omit<PreviewAnswer, 'digest'>;
