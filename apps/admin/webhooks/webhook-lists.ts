import type { List } from '#lists';
import { DELIVERY_LIST } from '#webhook';

const { subject: _bySubject, ...DELIVERY_FILTERS } = DELIVERY_LIST.filters;

/** The webhooks that are sent to the endpoints of platforms: one row for each event and endpoint. */
export const SENT_WEBHOOK_LIST: List = {
  ...DELIVERY_LIST,
  columns: {
    ...DELIVERY_LIST.columns,
    createdAt: {
      sql: 'created_at',
      holds: 'instant',
      means: 'When the webhook was requested, wall-clock time.',
    },
    host: {
      sql: `(SELECT e.host FROM webhook_endpoints e WHERE e.id = webhook_deliveries.endpoint_id)`,
      nullable: true,
      means: 'The host to which the webhook is sent.',
    },
    lastResult: {
      sql: `coalesce(attempts -> -1 ->> 'status', attempts -> -1 ->> 'error')`,
      nullable: true,
      means: 'The HTTP status of the last attempt, or why there was no response; null: no attempt.',
    },
  },
  // Delivery filters require the platform, because without the platform no index finds the
  // deliveries of a subject.
  filters: { ...DELIVERY_FILTERS, platformId: { is: 'id', where: 'platform_id = ?' } },
};

export const WEBHOOK_LIST: List = {
  name: 'webhooks',
  items: 'Webhooks',
  item: 'Webhook',
  from: 'webhooks_received',
  id: 'id',
  idIs: 'number',
  columns: {
    id: { sql: 'id::text' },
    receivedAt: {
      sql: 'received_at',
      holds: 'instant',
      means: 'When the webhook arrived, wall-clock time.',
    },
    accountId: { sql: 'account_id' },
    eventId: { sql: 'event_id', means: "The provider's event id." },
    type: { sql: 'type', means: 'The type of the provider’s event.' },
    intentId: { sql: 'intent_id', nullable: true, means: 'The provider’s intent, if any.' },
    tries: { sql: 'tries', holds: 'integer', means: 'Failed attempts to process the webhook.' },
    handledAt: {
      sql: 'handled_at',
      holds: 'instant',
      nullable: true,
      means: 'When the webhook was processed, wall-clock time; null: not yet.',
    },
    note: { sql: 'note', means: 'The result of the processing.' },
  },
  filters: {
    state: {
      is: 'case',
      where: { open: 'handled_at IS NULL', handled: 'handled_at IS NOT NULL' },
    },
    accountId: { is: 'id', where: 'account_id = ?' },
    intentId: { is: 'id', where: 'intent_id = ?', means: 'The id of the intent (`pi_…`).' },
    eventId: { is: 'id', where: 'event_id = ?', means: 'The id of the event (`evt_…`).' },
  },
  sorts: { received: { by: 'received_at', of: 'instant' } },
};

/** The list of refused webhooks. At most ten refused webhooks per second are stored. */
export const REFUSED_WEBHOOK_LIST: List = {
  name: 'webhooks-refused',
  items: 'RefusedWebhooks',
  item: 'Refused',
  from: 'webhooks_refused',
  id: 'id',
  idIs: 'number',
  columns: {
    id: { sql: 'id::text' },
    receivedAt: {
      sql: 'received_at',
      holds: 'instant',
      means: 'When the webhook arrived, wall-clock time.',
    },
    accountId: { sql: 'account_id', nullable: true, means: 'Null if the account is unknown.' },
    reason: {
      sql: 'reason',
      means: 'Why the webhook was rejected; the response to the sender did not contain the reason.',
    },
    bodyBytes: { sql: 'body_bytes', holds: 'integer', means: 'The size of the body.' },
    bodySha256: {
      sql: `encode(body_sha256, 'hex')`,
      means: 'Hexadecimal SHA-256 of the body.',
    },
  },
  filters: { accountId: { is: 'id', where: 'account_id = ?' } },
  sorts: { received: { by: 'received_at', of: 'instant' } },
};
