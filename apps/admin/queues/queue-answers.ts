import { ApiProperty } from '@nestjs/swagger';

export class CursorAnswer {
  @ApiProperty({ description: '`relay`, or `projection:<name>`.' })
  name!: string;

  @ApiProperty({ type: 'integer', description: 'Events not read yet, counted up to 10 000.' })
  events!: number;

  @ApiProperty({ description: 'Age of the oldest of them.' })
  seconds!: number;

  @ApiProperty({ format: 'date-time' })
  movedAt!: Date;
}

class FailedEvent {
  @ApiProperty({ example: 'payment' })
  streamType!: string;

  @ApiProperty({ example: 'pay_3xKvYw0b9LqRn5TzAc7dEf2G' })
  streamId!: string;

  @ApiProperty({ type: 'integer', description: '1 for the first event of its stream.' })
  version!: number;

  @ApiProperty({ example: 'PaymentAuthorized' })
  type!: string;
}

export class FailedReactionAnswer {
  @ApiProperty({ description: 'The workflow.', example: 'checkout' })
  saga!: string;

  @ApiProperty({ description: 'The order or merchant that it is about.' })
  key!: string;

  @ApiProperty({ description: 'Names what it could not react to; `discard_reaction` repeats it.' })
  stimulus!: string;

  @ApiProperty({ type: FailedEvent, nullable: true, description: 'Null: it is a deadline.' })
  event!: FailedEvent | null;

  @ApiProperty({ type: String, nullable: true, example: 'checkout.expiry' })
  deadline!: string | null;

  @ApiProperty({ type: 'integer', description: 'Reactions that wait, the failed one included.' })
  waiting!: number;

  @ApiProperty()
  error!: string;

  @ApiProperty({ format: 'date-time', description: 'Wall time.' })
  failingSince!: string;

  @ApiProperty({ type: 'integer' })
  attempts!: number;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'The next automatic retry, wall time. Null: blocked until a person acts.',
  })
  retryAt!: string | null;
}

export class StuckCallAnswer {
  @ApiProperty()
  jobId!: string;

  @ApiProperty({ example: 'capture' })
  kind!: string;

  @ApiProperty()
  subjectId!: string;

  @ApiProperty({ description: 'Why it is stuck.' })
  note!: string;

  @ApiProperty({ type: 'integer' })
  ageSeconds!: number;
}

export class OpenCountAnswer {
  @ApiProperty({ example: 'waiting' })
  state!: string;

  @ApiProperty({ type: 'integer', description: 'Up to 10 000.' })
  count!: number;

  @ApiProperty()
  oldestSeconds!: number;
}

export class DeadlineAnswer {
  @ApiProperty({ example: 'payment.read' })
  kind!: string;

  @ApiProperty({ type: 'integer', description: 'Up to 10 000.' })
  overdue!: number;

  @ApiProperty({ type: 'integer', description: 'Up to 10 000, those that are due included.' })
  waiting!: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  nextAt!: Date | null;
}

export class TransactionAnswer {
  @ApiProperty({ description: 'Application and database.' })
  holder!: string;

  @ApiProperty()
  seconds!: number;
}

export class QueuesAnswer {
  @ApiProperty({ type: CursorAnswer, isArray: true, description: 'Who reads the log.' })
  cursors!: readonly CursorAnswer[];

  @ApiProperty({ type: OpenCountAnswer, isArray: true, description: 'Calls that are not done.' })
  calls!: readonly OpenCountAnswer[];

  @ApiProperty({ type: OpenCountAnswer, description: 'Webhooks that are not handled.' })
  webhooks!: OpenCountAnswer;

  @ApiProperty({ type: DeadlineAnswer, isArray: true })
  deadlines!: readonly DeadlineAnswer[];

  @ApiProperty({
    type: TransactionAnswer,
    nullable: true,
    description: 'The oldest writing transaction: it holds all readers of the log back.',
  })
  oldestTransaction!: TransactionAnswer | null;
}

export class FailedReactionList {
  @ApiProperty({
    type: FailedReactionAnswer,
    isArray: true,
    description: 'Longest failing first, at most 1000.',
  })
  items!: readonly FailedReactionAnswer[];
}

export class StuckList {
  @ApiProperty({ type: StuckCallAnswer, isArray: true, description: 'Oldest first, at most 1000.' })
  items!: readonly StuckCallAnswer[];
}
