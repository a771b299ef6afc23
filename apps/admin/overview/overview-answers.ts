import { ApiProperty } from '@nestjs/swagger';

export const WATERMARK_KINDS = ['history', 'reconciliation'] as const;

export class HourAnswer {
  @ApiProperty({ format: 'date-time' })
  hour!: Date;

  @ApiProperty()
  status!: string;

  @ApiProperty({ type: 'integer' })
  orders!: number;
}

export class OldestOpenAnswer {
  @ApiProperty()
  status!: string;

  @ApiProperty()
  orderId!: string;

  @ApiProperty({ format: 'date-time' })
  placedAt!: Date;
}

export class AttentionAnswer {
  @ApiProperty({ type: 'integer' })
  stuckCalls!: number;

  @ApiProperty({ type: 'integer', description: 'Workflows that could not react.' })
  failedReactions!: number;

  @ApiProperty({ type: 'integer', description: 'Asked for, and not decided by a second person.' })
  approvals!: number;

  @ApiProperty({ type: 'integer', description: 'Payments with a call of unknown outcome.' })
  unknownOutcomes!: number;

  @ApiProperty({ type: 'integer', description: 'Payments that the provider contradicts.' })
  mismatches!: number;

  @ApiProperty({ type: 'integer', description: 'Payments with a refund that was not made.' })
  unmadeRefunds!: number;

  @ApiProperty({ type: 'integer', description: 'Of the reconciliation, open.' })
  exceptions!: number;
}

export class RelayAnswer {
  @ApiProperty({ type: 'integer', description: 'Events not published, counted up to 10 000.' })
  events!: number;

  @ApiProperty({ description: 'Age of the oldest of them.' })
  seconds!: number;
}

export class ProviderHealthAnswer {
  @ApiProperty({ example: 'POST /v2/payment_intents/{id}/capture' })
  route!: string;

  @ApiProperty({ type: 'integer' })
  calls!: number;

  @ApiProperty({ type: 'integer', description: 'Without an answer, or answered 5xx.' })
  failures!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Answered 4xx, as 401 or 429; without 404, 409 and 422.',
  })
  refused!: number;

  @ApiProperty({ description: 'The 95th percentile.' })
  p95Ms!: number;
}

export class ExceptionAgeAnswer {
  @ApiProperty()
  kind!: string;

  @ApiProperty({ type: 'integer', description: 'Whole days of age; 30: a month or more.' })
  days!: number;

  @ApiProperty({ type: 'integer' })
  count!: number;
}

export class WatermarkAnswer {
  @ApiProperty({ enum: WATERMARK_KINDS, enumName: 'WatermarkKind' })
  kind!: (typeof WATERMARK_KINDS)[number];

  @ApiProperty({
    description: 'Of the status history the mode, of the reconciliation the account.',
  })
  of!: string;

  @ApiProperty({ format: 'date', description: 'All before this day has been read.' })
  watermark!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  updatedAt!: Date | null;
}

/** The first page. */
export class OverviewAnswer {
  @ApiProperty({ format: 'date-time', description: 'Business time.' })
  now!: string;

  @ApiProperty({ type: HourAnswer, isArray: true, description: 'Orders of the last day.' })
  byHour!: readonly HourAnswer[];

  @ApiProperty({ type: OldestOpenAnswer, isArray: true })
  oldestOpen!: readonly OldestOpenAnswer[];

  @ApiProperty({ type: AttentionAnswer })
  attention!: AttentionAnswer;

  @ApiProperty({ type: RelayAnswer })
  relay!: RelayAnswer;

  @ApiProperty({
    type: ProviderHealthAnswer,
    isArray: true,
    description: 'Of the last 15 minutes.',
  })
  provider!: readonly ProviderHealthAnswer[];

  @ApiProperty({ type: ExceptionAgeAnswer, isArray: true })
  exceptions!: readonly ExceptionAgeAnswer[];

  @ApiProperty({ type: WatermarkAnswer, isArray: true })
  watermarks!: readonly WatermarkAnswer[];
}
