import { type List } from '#lists';

export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'skipped'] as const;

/** The deliveries: one for each event and each endpoint to which the event is sent. */
export const DELIVERY_LIST = {
  name: 'webhook-deliveries',
  items: 'WebhookDeliveries',
  item: 'WebhookDelivery',
  from: 'webhook_deliveries',
  platform: 'platform_id',
  id: 'id',
  columns: {
    id: { sql: 'id' },
    endpointId: { sql: 'endpoint_id', means: 'The id of the webhook endpoint, `whe_…`.' },
    platformId: { sql: 'platform_id' },
    eventId: { sql: 'event_id', means: 'The id of the event; it is also the `webhook-id`.' },
    eventType: { sql: 'event_type', means: 'The type of the event, e.g. `OrderPaid`.' },
    subject: {
      sql: 'stream_id',
      means: 'The id of the order, payment, payout, merchant, provider account or endpoint.',
    },
    version: { sql: 'version', holds: 'integer', means: 'The version of the event.' },
    state: {
      sql: 'state',
      oneOf: DELIVERY_STATES,
      means:
        '`failed`: no attempt is left, and later events of the same subject wait until this ' +
        'delivery succeeds or is discarded. `skipped`: not sent, because the delivery was ' +
        'discarded or the endpoint was deleted.',
    },
    attempts: {
      sql: 'jsonb_array_length(attempts)',
      holds: 'integer',
      means: 'The number of logged attempts, at most 20.',
    },
    createdAt: { sql: 'created_at', holds: 'instant' },
    endedAt: {
      sql: 'ended_at',
      holds: 'instant',
      nullable: true,
      means: 'When the delivery succeeded, failed or was skipped; null before.',
    },
  },
  filters: {
    endpointId: { is: 'id', where: 'endpoint_id = ?' },
    state: { is: 'several', of: DELIVERY_STATES, where: 'state = ?' },
    subject: { is: 'id', where: 'stream_id = ?' },
    from: { is: 'instant', where: 'created_at >= ?' },
    to: { is: 'instant', where: 'created_at < ?' },
  },
  sorts: { created: { by: 'created_at', of: 'instant' } },
} as const satisfies List;
