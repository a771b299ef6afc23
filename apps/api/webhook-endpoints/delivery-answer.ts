import { DateTime, Field, Integer, ListOf, Nullable, NullableDateTime, OneOf } from '#platform';
import { DELIVERY_STATES } from '#webhook';

/** One request to a webhook endpoint. */
export class AttemptAnswer {
  @DateTime(
    'Real time; also the header `webhook-timestamp`, in seconds. If the host has no public address: ' +
      'when the attempt was recorded.',
  )
  at!: string;

  @Field('The host to which the request was sent.')
  host!: string;

  @Integer('How long the attempt lasted, in milliseconds; 0 if the host has no public address.')
  tookMs!: number;

  @Nullable('integer', 'The HTTP status of the response; null without a response.')
  status!: number | null;

  @Nullable(
    String,
    'Why there was no response, e.g. `timeout`, `ECONNREFUSED`, or `no_public_address` (the host ' +
      'name does not exist, or has an address that is not public); otherwise null.',
  )
  error!: string | null;

  @Nullable(String, 'The first 1,000 characters of the response; null without a response.')
  response!: string | null;
}

/** The delivery of an event to a webhook endpoint, with its attempts. */
export class DeliveryAnswer {
  @Field('The id of the delivery, `whm_…`.')
  id!: string;

  @Field('The id of the webhook endpoint, `whe_…`.')
  endpointId!: string;

  @Field('The id of the event, which is also the header `webhook-id`.', { format: 'uuid' })
  eventId!: string;

  @Field('The type of the event.', { example: 'OrderPaid' })
  eventType!: string;

  @Field('The id of the order, payment, payout, merchant, provider account or endpoint.')
  subject!: string;

  @Integer('The version of the event.')
  version!: number;

  @OneOf(
    DELIVERY_STATES,
    '`pending`: attempts follow, after the endpoint is enabled. `failed`: no attempt is left, and ' +
      'later events of the same subject wait. `skipped`: not sent, because the delivery was ' +
      'discarded or the endpoint was deleted.',
  )
  state!: (typeof DELIVERY_STATES)[number];

  @ListOf(AttemptAnswer, 'The last 20 attempts, oldest first.')
  attempts!: readonly AttemptAnswer[];

  @DateTime('The instant of the creation, in UTC, in real time.')
  createdAt!: Date;

  @NullableDateTime(
    'When the delivery succeeded, failed or was skipped, in real time; null before.',
  )
  endedAt!: Date | null;
}
