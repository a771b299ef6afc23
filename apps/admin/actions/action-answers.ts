import { ApiProperty } from '@nestjs/swagger';
import { ACTION_KINDS, ACTION_STATUSES, type ActionKind, type Target } from './action.js';
import { ActionAbout, OF_ONE } from './preview-items.js';

/** Shared by the responses to changes that may need an approval. */
export const WAITS = 'Not null if a second person must approve the change first.';

/** A requested repair or setting. */
export class ActionAnswer {
  @ApiProperty({ description: 'The id of the action request.' })
  id!: string;

  @ApiProperty({ enum: ACTION_KINDS, enumName: 'ActionKind', description: 'The kind of action.' })
  kind!: ActionKind;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The target as it was requested.',
  })
  target!: Target;

  @ApiProperty({ description: 'The type of the subject.' })
  subjectType!: string;

  @ApiProperty({ description: 'The id of the subject.' })
  subjectId!: string;

  @ApiProperty({
    type: ActionAbout,
    nullable: true,
    description: `The amount at the time of the request. ${OF_ONE}`,
  })
  about!: ActionAbout | null;

  @ApiProperty({ description: 'The reason given by the requester.' })
  reason!: string;

  @ApiProperty({
    enum: ACTION_STATUSES,
    enumName: 'ActionStatus',
    description: 'The status of the action.',
  })
  status!: (typeof ACTION_STATUSES)[number];

  @ApiProperty({ description: '`user:<id>`, or `platform:<id> key:<prefix>`.' })
  requestedBy!: string;

  @ApiProperty({ description: 'The requester’s name.' })
  requestedByName!: string;

  @ApiProperty({ format: 'date-time', description: 'When it was requested, wall time.' })
  requestedAt!: Date;

  @ApiProperty({ format: 'date-time', description: 'The end of the approval period, wall time.' })
  expiresAt!: Date;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The id of the user who approved or rejected it; null: undecided.',
  })
  decidedBy!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The name of that user.' })
  decidedByName!: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it was approved or rejected, wall time.',
  })
  decidedAt!: Date | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it ended, wall time; null: still open.',
  })
  endedAt!: Date | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'The result; of a failed action `code` and `message`.',
  })
  outcome!: Readonly<Record<string, unknown>> | null;
}

export class ActionPage {
  @ApiProperty({ type: ActionAnswer, isArray: true })
  items!: readonly ActionAnswer[];

  @ApiProperty({ type: String, nullable: true, description: 'Null on the last page.' })
  nextCursor!: string | null;
}
