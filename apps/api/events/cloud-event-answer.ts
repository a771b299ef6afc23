import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { StructuredCloudEvent } from '#kafka';
import { AnyObject, DateTime, Field, OneOf } from '#platform';

/** An event as the topics publish it; docs/generated/schemas describes the event's data. */
export class CloudEventAnswer implements StructuredCloudEvent {
  @OneOf(['1.0'])
  specversion!: string;

  @Field('The event’s id, the same in every redelivery.', { format: 'uuid' })
  id!: string;

  @Field('The event type, as on the topic.', { example: 'payment-orchestrator.OrderPaid' })
  type!: string;

  @ApiProperty({ example: '/payment-orchestrator/order' })
  source!: string;

  @Field('The id of the order, payment, payout, merchant, provider account or webhook endpoint.')
  subject!: string;

  @DateTime('Business time.')
  time!: string;

  @Field('The event’s version in its stream, ten digits with leading zeros, e.g. `0000000003`.', {
    pattern: '^[0-9]{10}$',
  })
  sequence!: string;

  @ApiProperty({ example: 'urn:payment-orchestrator:schema:OrderPaid:1' })
  dataschema!: string;

  @OneOf(['application/json'])
  datacontenttype!: string;

  @Field('The order’s id for every event of an order and its payments.')
  correlationid!: string;

  @Field('The id of the event, request, webhook or deadline that caused this event.')
  causationid!: string;

  @Field('Who caused the event.')
  actor!: string;

  @ApiPropertyOptional({
    description: 'The platform; missing in events of release 0.2.0 and earlier.',
  })
  platformid?: string;

  @ApiPropertyOptional({
    description:
      'The merchant; missing in events of release 0.2.0 and earlier, and for payments that they began.',
  })
  merchantid?: string;

  @ApiPropertyOptional({ description: 'W3C trace context of the request that caused the event.' })
  traceparent?: string;

  @AnyObject()
  data!: Readonly<Record<string, unknown>>;
}
