import { assert } from '#kernel';
import { AnyObject, DateTime, Field, ListOf, Nullable, NullableDateTime, OneOf } from '#platform';
import { ACTION_KINDS, ACTION_STATUSES, type ActionKind, type Target } from './action.js';
import { ActionAbout, ActionAmount, OF_ONE } from './preview-items.js';

/** The description of `action` in responses to changes that may need an approval. */
export const WAITS = 'Not null if a second person must approve the change first.';

/** A requested repair or setting. */
export class ActionAnswer {
  @Field('The id of the action request.')
  id!: string;

  @OneOf(ACTION_KINDS, 'The kind of action.', 'ActionKind')
  kind!: ActionKind;

  @AnyObject('The target of the action, as requested.')
  target!: Target;

  @Field('The type of the entity that the action affects.')
  subjectType!: string;

  @Field('The id of the entity that the action affects.')
  subjectId!: string;

  @Nullable(ActionAbout, `The affected amount, as of the time of the request. ${OF_ONE}`)
  about!: ActionAbout | null;

  @ListOf(
    ActionAmount,
    'The amounts that the action affects, one for each currency, as of the time of the request. ' +
      'The limits of users apply to them. The amount of a break is the money at risk.',
  )
  amounts!: readonly ActionAmount[];

  @Field('The reason given by the requester.')
  reason!: string;

  @OneOf(ACTION_STATUSES, 'The status of the action.', 'ActionStatus')
  status!: (typeof ACTION_STATUSES)[number];

  @Field('`user:<id>`, or `platform:<id> key:<prefix>`.')
  requestedBy!: string;

  @Field('The requester’s name.')
  requestedByName!: string;

  @DateTime('When the action was requested, wall-clock time.')
  requestedAt!: Date;

  @DateTime('The end of the approval period, wall-clock time.')
  expiresAt!: Date;

  @Nullable(
    String,
    'The id of the user who approved or rejected the action; null: no decision yet.',
  )
  decidedBy!: string | null;

  @Nullable(String, 'The name of the user who approved or rejected the action.')
  decidedByName!: string | null;

  @NullableDateTime('When the action was approved or rejected, wall-clock time.')
  decidedAt!: Date | null;

  @NullableDateTime('When the action ended, wall-clock time; null: still open.')
  endedAt!: Date | null;

  @AnyObject('The result of the action; for a failed action its `code` and `message`.', {
    nullable: true,
  })
  outcome!: Readonly<Record<string, unknown>> | null;
}

/** The path of an action, for the header Location. */
export const actionPath = (action: Pick<ActionAnswer, 'id'> | null): string => {
  assert(action !== null, 'a change that is not made yet is an action');
  return `/v1/actions/${action.id}`;
};

export class ActionPage {
  @ListOf(ActionAnswer)
  items!: readonly ActionAnswer[];

  @Nullable(String, 'Null on the last page.')
  nextCursor!: string | null;
}
