import { ApiProperty } from '@nestjs/swagger';

export class CursorAnswer {
  @ApiProperty({ description: '`relay`, or `projection:<name>`.' })
  name!: string;

  @ApiProperty({ type: 'integer', description: 'Events not read yet, counted up to 10 000.' })
  events!: number;

  @ApiProperty({ description: 'Age of the oldest of them.' })
  seconds!: number;

  @ApiProperty({ format: 'date-time' })
  movedAt!: string;
}

export class ConsumerAnswer {
  @ApiProperty()
  consumer!: string;

  @ApiProperty({
    type: 'integer', nullable: true, description: 'Not taken yet; null: Kafka does not say.',
  })
  messages!: number | null;
}

export class ParkedAnswer {
  @ApiProperty()
  consumer!: string;

  @ApiProperty()
  streamType!: string;

  @ApiProperty()
  streamId!: string;

  @ApiProperty({ type: 'integer', description: 'Of the event that could not be taken.' })
  version!: number;

  @ApiProperty()
  eventType!: string;

  @ApiProperty()
  error!: string;

  @ApiProperty({ format: 'date-time' })
  parkedAt!: string;

  @ApiProperty({ type: 'integer' })
  tries!: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  releaseRequestedAt!: string | null;
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
  nextAt!: string | null;
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

  @ApiProperty({ type: ConsumerAnswer, isArray: true, description: 'Who reads the topics.' })
  consumers!: readonly ConsumerAnswer[];

  @ApiProperty({ type: OpenCountAnswer, isArray: true, description: 'Calls that are not done.' })
  calls!: readonly OpenCountAnswer[];

  @ApiProperty({ type: OpenCountAnswer, description: 'Webhooks that are not handled.' })
  webhooks!: OpenCountAnswer;

  @ApiProperty({ type: DeadlineAnswer, isArray: true })
  deadlines!: readonly DeadlineAnswer[];

  @ApiProperty({
    type: TransactionAnswer, nullable: true,
    description: 'The oldest writing transaction: it holds all readers of the log back.',
  })
  oldestTransaction!: TransactionAnswer | null;
}

export class ParkedList {
  @ApiProperty({ type: ParkedAnswer, isArray: true, description: 'Oldest first, at most 1000.' })
  items!: readonly ParkedAnswer[];
}

export class StuckList {
  @ApiProperty({ type: StuckCallAnswer, isArray: true, description: 'Oldest first, at most 1000.' })
  items!: readonly StuckCallAnswer[];
}
