import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { StructuredCloudEvent } from '#kafka';

/** An event as the topics publish it; docs/generated/schemas describes its data. */
export class CloudEventAnswer implements StructuredCloudEvent {
  @ApiProperty({ enum: ['1.0'] })
  specversion!: string;

  @ApiProperty({
    format: 'uuid',
    description: 'The event’s id, the same in every redelivery.',
  })
  id!: string;

  @ApiProperty({ example: 'payment-orchestrator.OrderPaid' })
  type!: string;

  @ApiProperty({ example: '/payment-orchestrator/order' })
  source!: string;

  @ApiProperty({
    description: 'The id of the order, payment, payout, merchant or provider account.',
  })
  subject!: string;

  @ApiProperty({ format: 'date-time', description: 'Business time.' })
  time!: string;

  @ApiProperty({
    pattern: '^[0-9]{10}$',
    description: 'The version in its stream, ten digits with leading zeros, e.g. `0000000003`.',
  })
  sequence!: string;

  @ApiProperty({ example: 'urn:payment-orchestrator:schema:OrderPaid:1' })
  dataschema!: string;

  @ApiProperty({ enum: ['application/json'] })
  datacontenttype!: string;

  @ApiProperty({ description: "The order's id for all that happens for an order." })
  correlationid!: string;

  @ApiProperty({
    description: 'The id of the event, request, webhook or deadline that caused this event.',
  })
  causationid!: string;

  @ApiProperty({ description: 'Who caused it.' })
  actor!: string;

  @ApiPropertyOptional({ description: 'W3C trace context of the request that started it.' })
  traceparent?: string;

  @ApiProperty({ type: 'object', additionalProperties: true })
  data!: Readonly<Record<string, unknown>>;
}
