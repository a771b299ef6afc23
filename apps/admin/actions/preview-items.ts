import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { EVENT_TYPES } from '#orchestrator';
import { AnyObject, Field, Integer, ListOf, Nullable, OneOf } from '#platform';
import {
  CALLS,
  type CallItem,
  type Follow,
  FOLLOWS,
  type Kind,
  type Note,
  NOTES,
  type Table,
} from './preview-codes.js';
import { CODE_DOCS, VALUE_DOCS } from './preview-item-docs.js';

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
  notes: listOf(NOTES, 'Further effects, and facts that the user should consider before deciding.'),
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

/** An amount of an action. */
export class ActionAmount {
  @Integer('In minor units.')
  amountMinor!: number;

  @Field('ISO 4217, lower case.')
  currency!: string;
}

export const OF_ONE = 'Null unless the action affects an amount of one payment or order.';

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

  @Field('Send this digest as `seen`: the action is rejected if its effect has changed since.')
  digest!: string;
}

export type Preview = Omit<PreviewAnswer, 'digest'>;
