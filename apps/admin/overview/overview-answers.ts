import { ApiProperty } from '@nestjs/swagger';
import { DateTime, Field, Integer, ListOf, NullableDateTime, OneOf } from '#platform';
import { ACCOUNT_MODES, type AccountMode, type Operation, OPERATIONS } from '#psp';

export const WATERMARK_KINDS = ['history', 'reconciliation'] as const;

export class HourAnswer {
  @DateTime('The start of the hour, business time.')
  hour!: Date;

  @Field('The current status of the orders.')
  status!: string;

  @Integer('The number of orders placed in this hour.')
  orders!: number;
}

export class OldestOpenAnswer {
  @Field('The status of the open orders.')
  status!: string;

  @Field('The oldest order in this status.')
  orderId!: string;

  @DateTime('When the order was placed, business time.')
  placedAt!: Date;
}

export class RelayAnswer {
  @Integer('Events not published yet, counted up to 10 000.')
  events!: number;

  @Field('The age of the oldest of these events, in seconds.')
  seconds!: number;
}

export class ProviderHealthAnswer {
  @Field('Method and path of the requests.', {
    example: 'POST /v2/payment_intents/{id}/capture',
  })
  route!: string;

  @OneOf(
    [...OPERATIONS, 'other'],
    'What the requests do; `other`: no provider has such a request.',
    'ProviderOperation',
  )
  operation!: Operation | 'other';

  @Integer('The number of requests.')
  calls!: number;

  @Integer('Requests with a 5xx response or without a response.')
  failures!: number;

  @Integer('Requests with a 4xx such as 401 or 429, but not 404, 409 or 422.')
  refused!: number;

  @Field('The 95th percentile of the requests’ duration.')
  p95Ms!: number;
}

export class ExceptionAgeAnswer {
  @Field('The kind of break.')
  kind!: string;

  @Integer('The age of the breaks in whole days; 30: a month or more.')
  days!: number;

  @Integer('The number of open breaks of this kind and age.')
  count!: number;
}

export class WatermarkAnswer {
  @OneOf(WATERMARK_KINDS, 'The kind of data that is polled.', 'WatermarkKind')
  kind!: (typeof WATERMARK_KINDS)[number];

  @Field('The mode of a status history, or the account of a reconciliation.')
  of!: string;

  @Field('Everything before this day has been polled.', { format: 'date' })
  watermark!: string;

  @NullableDateTime('When the watermark last advanced, wall-clock time; null: unknown.')
  updatedAt!: Date | null;
}

/** The data of the overview page. */
export class OverviewAnswer {
  @DateTime('The current business time.')
  now!: string;

  @OneOf(
    ACCOUNT_MODES,
    'The mode of the counted orders and breaks: live if any provider account or merchant is live, ' +
      'otherwise test.',
    'AccountMode',
  )
  mode!: AccountMode;

  @ListOf(HourAnswer, 'Orders of the last 24 hours, by hour and status.')
  byHour!: readonly HourAnswer[];

  @ListOf(OldestOpenAnswer, 'The oldest order of each open status.')
  oldestOpen!: readonly OldestOpenAnswer[];

  @Integer('Action requests awaiting the approval of a second person, in both modes.')
  approvals!: number;

  @ApiProperty({ type: RelayAnswer, description: 'The lag of the relay to Kafka.' })
  relay!: RelayAnswer;

  @ListOf(ProviderHealthAnswer, 'Provider requests of the last 15 minutes, by route.')
  provider!: readonly ProviderHealthAnswer[];

  @ListOf(ExceptionAgeAnswer, 'Open reconciliation breaks by kind and age.')
  exceptions!: readonly ExceptionAgeAnswer[];

  @ListOf(WatermarkAnswer, 'The days up to which data without webhooks has been polled.')
  watermarks!: readonly WatermarkAnswer[];
}
