import { ApiProperty } from '@nestjs/swagger';
import { DateTime, Field, Integer, ListOf, Nullable, NullableDateTime } from '#platform';
import { listOf } from '../shared/docs.js';

export class CursorAnswer {
  @Field('`relay`, or `projection:<name>`.')
  name!: string;

  @Integer('Events not consumed yet, counted up to 10 000.')
  events!: number;

  @Field('The age of the oldest of these events, in seconds.')
  seconds!: number;

  @DateTime('When the consumer last advanced, wall-clock time.')
  movedAt!: Date;
}

class FailedEvent {
  @Field('The type of the event’s stream.', { example: 'payment' })
  streamType!: string;

  @Field('The id of the event’s stream.', { example: 'pay_3xKvYw0b9LqRn5TzAc7dEf2G' })
  streamId!: string;

  @Integer('The version of the event; 1 for the first event of its stream.')
  version!: number;

  @Field('The type of the event.', { example: 'PaymentAuthorized' })
  type!: string;
}

export class FailedReactionAnswer {
  @Field('The workflow.', { example: 'checkout' })
  saga!: string;

  @Field('The order or merchant of the workflow.')
  key!: string;

  @Field(
    'The event or deadline that the reaction failed at; `discard_reaction` must name this value.',
  )
  stimulus!: string;

  @Nullable(FailedEvent, 'The event; null: a deadline.')
  event!: FailedEvent | null;

  @Nullable(String, 'The kind of the deadline; null: an event.', { example: 'checkout.expiry' })
  deadline!: string | null;

  @Integer('Queued reactions, including the failed reaction.')
  waiting!: number;

  @Field('The error of the last attempt.')
  error!: string;

  @DateTime('When the first attempt failed, wall-clock time.')
  failingSince!: string;

  @Integer('The number of failed attempts.')
  attempts!: number;

  @NullableDateTime('The next automatic retry, wall-clock time; null: blocked until a user acts.')
  retryAt!: string | null;
}

export class OpenCountAnswer {
  @Field('The state of the work.', { example: 'waiting' })
  state!: string;

  @Integer('The number of requests or webhooks in this state, counted up to 10 000.')
  count!: number;

  @Field('The age of the oldest request or webhook in this state, in seconds.')
  oldestSeconds!: number;
}

export class DeadlineAnswer {
  @Field('The kind of job.', { example: 'payment.read' })
  kind!: string;

  @Integer('Overdue jobs, counted up to 10 000.')
  overdue!: number;

  @Integer('Scheduled jobs, including overdue jobs, counted up to 10 000.')
  waiting!: number;

  @NullableDateTime('When the next scheduled job is due, business time; null: no job is scheduled.')
  nextAt!: Date | null;
}

export class TransactionAnswer {
  @Field('The application and database that hold the transaction.')
  holder!: string;

  @Field('The age of the transaction, in seconds.')
  seconds!: number;
}

export class QueuesAnswer {
  @ListOf(CursorAnswer, 'The consumers of the event log.')
  cursors!: readonly CursorAnswer[];

  @ListOf(OpenCountAnswer, 'Open provider requests by state.')
  calls!: readonly OpenCountAnswer[];

  @ApiProperty({ type: OpenCountAnswer, description: 'Webhooks not processed yet.' })
  webhooks!: OpenCountAnswer;

  @ListOf(DeadlineAnswer, 'Scheduled jobs by kind.')
  deadlines!: readonly DeadlineAnswer[];

  @Nullable(
    TransactionAnswer,
    'The oldest open writing transaction: log consumers wait for its end.',
  )
  oldestTransaction!: TransactionAnswer | null;
}

export class FailedReactionList extends listOf(
  FailedReactionAnswer,
  'At most 1000; those that have failed for the longest time first.',
) {}
