import { ApiProperty } from '@nestjs/swagger';
import { DateTime, Field, Integer, Nullable, NullableDateTime, OneOf } from '#platform';
import type { KnownEndpoint } from '#webhook';

const REASONS = ['requested', 'operator', 'failing', 'unsubscribed'] as const;

/** A URL of the platform to which events are sent. */
export class EndpointAnswer {
  @Field('The id of the webhook endpoint, `whe_…`.')
  id!: string;

  @Field('The host of the URL. `GET …/secret` returns the whole URL.', {
    example: 'hooks.platform.example',
  })
  host!: string;

  @ApiProperty({
    type: [String],
    description: 'Patterns of the event types that are sent.',
    example: ['Order*', 'PaymentCaptured'],
  })
  eventTypes!: readonly string[];

  @Nullable(String, 'Only events of this merchant are sent; null: the events of all merchants.')
  merchantId!: string | null;

  @OneOf(['enabled', 'disabled'])
  status!: 'enabled' | 'disabled';

  @ApiProperty({
    type: String,
    enum: REASONS,
    nullable: true,
    description:
      'Why the endpoint is disabled. `requested`: by you. `operator`: by an operator. `failing`: no delivery has succeeded ' +
      'for three days. `unsubscribed`: the endpoint has responded with the status 410.',
  })
  disabledReason!: string | null;
}

/** A webhook endpoint with the state of its deliveries. */
export class EndpointStateAnswer extends EndpointAnswer {
  @NullableDateTime('The first failed attempt since the last success; null after a success.')
  failingSince!: Date | null;

  @Integer(
    'The number of deliveries without an attempt left. Later events of the same order, payment, ' +
      'payout, merchant or account wait until you redeliver or discard them.',
  )
  failedDeliveries!: number;

  @DateTime()
  createdAt!: Date;
}

/** The URL and the secrets of a webhook endpoint. */
export class EndpointSecretAnswer {
  @Field('The whole URL.', { format: 'uri' })
  url!: string;

  @Field(
    'The secret with which to verify the header `webhook-signature`, as Standard Webhooks define it.',
    { example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAAAAAAAAAAA=' },
  )
  secret!: string;

  @Nullable(
    String,
    'The secret before the last rotation, with which messages are signed, too, for 24 hours; ' +
      'otherwise null.',
  )
  formerSecret!: string | null;
}

export const endpointAnswer = (id: string, endpoint: KnownEndpoint): EndpointAnswer => {
  const { host, eventTypes, merchantId } = endpoint.terms;
  return {
    id,
    host,
    eventTypes,
    merchantId,
    status: endpoint.status,
    disabledReason: endpoint.status === 'disabled' ? endpoint.reason : null,
  };
};
