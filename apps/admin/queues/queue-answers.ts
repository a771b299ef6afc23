import { ApiProperty } from '@nestjs/swagger';
import { listOf } from '../shared/docs.js';

export class CursorAnswer {
  @ApiProperty({ description: '`relay`, or `projection:<name>`.' })
  name!: string;

  @ApiProperty({ type: 'integer', description: 'Events not consumed yet, counted up to 10 000.' })
  events!: number;

  @ApiProperty({ description: 'Age of the oldest of them, in seconds.' })
  seconds!: number;

  @ApiProperty({ format: 'date-time', description: 'When it last advanced, wall time.' })
  movedAt!: Date;
}

class FailedEvent {
  @ApiProperty({ example: 'payment', description: 'The type of the event’s stream.' })
  streamType!: string;

  @ApiProperty({
    example: 'pay_3xKvYw0b9LqRn5TzAc7dEf2G',
    description: 'The id of the event’s stream.',
  })
  streamId!: string;

  @ApiProperty({ type: 'integer', description: '1 for the first event of its stream.' })
  version!: number;

  @ApiProperty({ example: 'PaymentAuthorized', description: 'The type of the event.' })
  type!: string;
}

export class FailedReactionAnswer {
  @ApiProperty({ description: 'The workflow.', example: 'checkout' })
  saga!: string;

  @ApiProperty({ description: 'The order or merchant of the workflow.' })
  key!: string;

  @ApiProperty({ description: 'The trigger; `discard_reaction` must name it.' })
  stimulus!: string;

  @ApiProperty({ type: FailedEvent, nullable: true, description: 'The event; null: a deadline.' })
  event!: FailedEvent | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'checkout.expiry',
    description: 'The kind of the deadline; null: an event.',
  })
  deadline!: string | null;

  @ApiProperty({ type: 'integer', description: 'Queued reactions, including the failed one.' })
  waiting!: number;

  @ApiProperty({ description: 'The error of the last attempt.' })
  error!: string;

  @ApiProperty({ format: 'date-time', description: 'When the first attempt failed, wall time.' })
  failingSince!: string;

  @ApiProperty({ type: 'integer', description: 'The number of failed attempts.' })
  attempts!: number;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'The next automatic retry, wall time; null: blocked until a user acts.',
  })
  retryAt!: string | null;
}

export class StuckCallAnswer {
  @ApiProperty({ description: 'The id of the queued request.' })
  jobId!: string;

  @ApiProperty({ example: 'capture', description: 'The kind of request.' })
  kind!: string;

  @ApiProperty({ description: 'The payment or merchant of the request.' })
  subjectId!: string;

  @ApiProperty({ description: 'The last error.' })
  note!: string;

  @ApiProperty({ type: 'integer', description: 'Seconds since the last change.' })
  ageSeconds!: number;
}

export class OpenCountAnswer {
  @ApiProperty({ example: 'waiting', description: 'The state of the work.' })
  state!: string;

  @ApiProperty({ type: 'integer', description: 'Up to 10 000.' })
  count!: number;

  @ApiProperty({ description: 'Age of the oldest, in seconds.' })
  oldestSeconds!: number;
}

export class DeadlineAnswer {
  @ApiProperty({ example: 'payment.read', description: 'The kind of job.' })
  kind!: string;

  @ApiProperty({ type: 'integer', description: 'Up to 10 000.' })
  overdue!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Scheduled jobs, including overdue ones, counted up to 10 000.',
  })
  waiting!: number;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the next one is due, business time; null: none.',
  })
  nextAt!: Date | null;
}

export class TransactionAnswer {
  @ApiProperty({ description: 'The application and database that hold the transaction.' })
  holder!: string;

  @ApiProperty({ description: 'Its age in seconds.' })
  seconds!: number;
}

export class QueuesAnswer {
  @ApiProperty({
    type: CursorAnswer,
    isArray: true,
    description: 'The consumers of the event log.',
  })
  cursors!: readonly CursorAnswer[];

  @ApiProperty({
    type: OpenCountAnswer,
    isArray: true,
    description: 'Open provider requests by state.',
  })
  calls!: readonly OpenCountAnswer[];

  @ApiProperty({ type: OpenCountAnswer, description: 'Webhooks not processed yet.' })
  webhooks!: OpenCountAnswer;

  @ApiProperty({ type: DeadlineAnswer, isArray: true, description: 'Scheduled jobs by kind.' })
  deadlines!: readonly DeadlineAnswer[];

  @ApiProperty({
    type: TransactionAnswer,
    nullable: true,
    description: 'The oldest writing transaction, which holds back all log consumers.',
  })
  oldestTransaction!: TransactionAnswer | null;
}

export class FailedReactionList extends listOf(
  FailedReactionAnswer,
  'Longest failing first, at most 1000.',
) {}

export class StuckList extends listOf(StuckCallAnswer, 'Oldest first, at most 1000.') {}
