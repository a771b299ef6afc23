import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { StructuredCloudEvent } from '#kafka';

/** An event as the topics publish it; its data is described in docs/generated/schemas. */
export class CloudEventAnswer implements StructuredCloudEvent {
  @ApiProperty({ enum: ['1.0'] })
  specversion!: string;

  @ApiProperty({ format: 'uuid', description: 'The same in every repetition.' })
  id!: string;

  @ApiProperty({ example: 'payment-orchestrator.OrderPaid' })
  type!: string;

  @ApiProperty({ example: '/payment-orchestrator/order' })
  source!: string;

  @ApiProperty({ description: 'The id of the order, payment, payout or merchant.' })
  subject!: string;

  @ApiProperty({ format: 'date-time', description: 'Business time.' })
  time!: string;

  @ApiProperty({ pattern: '^[0-9]{10}$', description: 'The version, ten digits.' })
  sequence!: string;

  @ApiProperty({ example: 'urn:payment-orchestrator:schema:OrderPaid:1' })
  dataschema!: string;

  @ApiProperty({ enum: ['application/json'] })
  datacontenttype!: string;

  @ApiProperty({ description: "The order's id for all that happens for an order." })
  correlationid!: string;

  @ApiProperty({ description: 'The event, request, webhook or deadline that this follows from.' })
  causationid!: string;

  @ApiProperty({ description: 'Who caused it.' })
  actor!: string;

  @ApiPropertyOptional({ description: 'W3C trace context of the request that began it.' })
  traceparent?: string;

  @ApiProperty({ type: 'object', additionalProperties: true })
  data!: Readonly<Record<string, unknown>>;
}
