import { ApiProperty } from '@nestjs/swagger';

export const WATERMARK_KINDS = ['history', 'reconciliation'] as const;

export class HourAnswer {
  @ApiProperty({ format: 'date-time', description: 'The start of the hour, business time.' })
  hour!: Date;

  @ApiProperty({ description: 'The current status of the orders.' })
  status!: string;

  @ApiProperty({ type: 'integer', description: 'The number of orders placed in this hour.' })
  orders!: number;
}

export class OldestOpenAnswer {
  @ApiProperty({ description: 'The open status.' })
  status!: string;

  @ApiProperty({ description: 'The oldest order in this status.' })
  orderId!: string;

  @ApiProperty({ format: 'date-time', description: 'When it was placed, business time.' })
  placedAt!: Date;
}

export class AttentionAnswer {
  @ApiProperty({ type: 'integer', description: 'Provider requests whose retries are exhausted.' })
  failedRequests!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Workflows with a failed reaction, retrying or blocked.',
  })
  failedReactions!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Action requests awaiting the approval of a second person.',
  })
  approvals!: number;

  @ApiProperty({ type: 'integer', description: 'Payments with a request of unknown result.' })
  unknownResults!: number;

  @ApiProperty({ type: 'integer', description: 'Payments with a status mismatch.' })
  mismatches!: number;

  @ApiProperty({ type: 'integer', description: 'Payments with a failed refund.' })
  rejectedRefunds!: number;

  @ApiProperty({ type: 'integer', description: 'Open reconciliation breaks.' })
  exceptions!: number;
}

export class RelayAnswer {
  @ApiProperty({ type: 'integer', description: 'Events not published yet, counted up to 10 000.' })
  events!: number;

  @ApiProperty({ description: 'Age of the oldest of them, in seconds.' })
  seconds!: number;
}

export class ProviderHealthAnswer {
  @ApiProperty({
    example: 'POST /v2/payment_intents/{id}/capture',
    description: 'The method and path of the requests.',
  })
  route!: string;

  @ApiProperty({ type: 'integer', description: 'The number of requests.' })
  calls!: number;

  @ApiProperty({ type: 'integer', description: 'Requests without a response, or with a 5xx.' })
  failures!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Requests with a 4xx such as 401 or 429; except 404, 409 and 422.',
  })
  refused!: number;

  @ApiProperty({ description: 'The 95th percentile of their duration.' })
  p95Ms!: number;
}

export class ExceptionAgeAnswer {
  @ApiProperty({ description: 'The kind of break.' })
  kind!: string;

  @ApiProperty({ type: 'integer', description: 'Whole days of age; 30: a month or more.' })
  days!: number;

  @ApiProperty({ type: 'integer', description: 'The number of open breaks of this kind and age.' })
  count!: number;
}

export class WatermarkAnswer {
  @ApiProperty({ enum: WATERMARK_KINDS, enumName: 'WatermarkKind', description: 'What is polled.' })
  kind!: (typeof WATERMARK_KINDS)[number];

  @ApiProperty({
    description: 'The mode of a status history, or the account of a reconciliation.',
  })
  of!: string;

  @ApiProperty({ format: 'date', description: 'Everything before this day has been polled.' })
  watermark!: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it last advanced, wall time; null: unknown.',
  })
  updatedAt!: Date | null;
}

/** The first page. */
export class OverviewAnswer {
  @ApiProperty({ format: 'date-time', description: 'The current business time.' })
  now!: string;

  @ApiProperty({
    type: HourAnswer,
    isArray: true,
    description: 'Orders of the last 24 hours, by hour and status.',
  })
  byHour!: readonly HourAnswer[];

  @ApiProperty({
    type: OldestOpenAnswer,
    isArray: true,
    description: 'The oldest order of each open status.',
  })
  oldestOpen!: readonly OldestOpenAnswer[];

  @ApiProperty({ type: AttentionAnswer, description: 'The number of open issues by kind.' })
  attention!: AttentionAnswer;

  @ApiProperty({ type: RelayAnswer, description: 'The lag of the relay to Kafka.' })
  relay!: RelayAnswer;

  @ApiProperty({
    type: ProviderHealthAnswer,
    isArray: true,
    description: 'Provider requests of the last 15 minutes, by route.',
  })
  provider!: readonly ProviderHealthAnswer[];

  @ApiProperty({
    type: ExceptionAgeAnswer,
    isArray: true,
    description: 'Open reconciliation breaks by kind and age.',
  })
  exceptions!: readonly ExceptionAgeAnswer[];

  @ApiProperty({
    type: WatermarkAnswer,
    isArray: true,
    description: 'The days up to which data without webhooks has been polled.',
  })
  watermarks!: readonly WatermarkAnswer[];
}
