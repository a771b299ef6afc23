import { ApiProperty } from '@nestjs/swagger';
import { EVENT_TYPES } from '#orchestrator';
import {
  ACTION_KINDS,
  ACTION_STATUSES,
  type About,
  type ActionKind,
  digestOf,
  type Preview,
  type Target,
} from './action.js';
import { type Follow, type Note, TOLD_LISTS, type ToldCall } from './told.js';

class PreviewEvent {
  @ApiProperty()
  streamType!: string;

  @ApiProperty()
  streamId!: string;

  @ApiProperty({ enum: EVENT_TYPES, enumName: 'EventType' })
  type!: string;

  @ApiProperty({ type: 'object', additionalProperties: true })
  data!: Readonly<Record<string, unknown>>;
}

/** The money that an action is about. */
class ActionAbout {
  @ApiProperty({ enum: ['order', 'payment'] })
  subjectType!: string;

  @ApiProperty()
  subjectId!: string;

  @ApiProperty({ type: 'integer' })
  amountMinor!: number;

  @ApiProperty({ type: 'integer', description: 'All that the order or payment is about.' })
  ofMinor!: number;

  @ApiProperty()
  currency!: string;
}

const OF_ONE = 'Null where no money is meant, or none of one payment.';

/** What would be done; nothing has been. */
export class PreviewAnswer {
  @ApiProperty({ type: ActionAbout, nullable: true, description: OF_ONE })
  about!: ActionAbout | null;

  @ApiProperty({ type: PreviewEvent, isArray: true, description: 'That would be written.' })
  events!: readonly PreviewEvent[];

  @ApiProperty(TOLD_LISTS.calls)
  calls!: readonly ToldCall[];

  @ApiProperty(TOLD_LISTS.follows)
  follows!: readonly Follow[];

  @ApiProperty(TOLD_LISTS.notes)
  notes!: readonly Note[];

  @ApiProperty({ description: 'To be sent as `seen`: then this is done, or nothing.' })
  digest!: string;
}

export const previewAnswer = (preview: Preview): PreviewAnswer => ({
  ...preview,
  digest: digestOf(preview),
});

/** Of an answer to a change that may wait. */
export const WAITS = 'Not null: nothing is changed before a second person approves this.';

/** What somebody asked to be put right, or to be set otherwise. */
export class ActionAnswer {
  @ApiProperty()
  id!: string;

  @ApiProperty({ enum: ACTION_KINDS, enumName: 'ActionKind' })
  kind!: ActionKind;

  @ApiProperty({ type: 'object', additionalProperties: true })
  target!: Target;

  @ApiProperty()
  subjectType!: string;

  @ApiProperty()
  subjectId!: string;

  @ApiProperty({
    type: ActionAbout,
    nullable: true,
    description: `As it was asked for. ${OF_ONE}`,
  })
  about!: About | null;

  @ApiProperty()
  reason!: string;

  @ApiProperty({ enum: ACTION_STATUSES, enumName: 'ActionStatus' })
  status!: (typeof ACTION_STATUSES)[number];

  @ApiProperty()
  requestedBy!: string;

  @ApiProperty()
  requestedByName!: string;

  @ApiProperty({ format: 'date-time' })
  requestedAt!: Date;

  @ApiProperty({ format: 'date-time', description: 'Until when it may be approved.' })
  expiresAt!: Date;

  @ApiProperty({ type: String, nullable: true })
  decidedBy!: string | null;

  @ApiProperty({ type: String, nullable: true })
  decidedByName!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  decidedAt!: Date | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  endedAt!: Date | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'What came of it; of one that failed `code` and `message`.',
  })
  outcome!: Readonly<Record<string, unknown>> | null;
}

export class ActionPage {
  @ApiProperty({ type: ActionAnswer, isArray: true })
  items!: readonly ActionAnswer[];

  @ApiProperty({ type: String, nullable: true, description: 'Null on the last page.' })
  nextCursor!: string | null;
}
