import type { List } from '#lists';

export const WEBHOOK_LIST: List = {
  name: 'webhooks',
  items: 'Webhooks',
  item: 'Webhook',
  from: 'webhooks_received',
  id: 'id',
  idIs: 'number',
  columns: {
    id: { sql: 'id::text' },
    receivedAt: { sql: 'received_at', holds: 'instant' },
    accountId: { sql: 'account_id' },
    eventId: { sql: 'event_id', means: "The provider's." },
    type: { sql: 'type' },
    intentId: { sql: 'intent_id', nullable: true },
    tries: { sql: 'tries', holds: 'integer' },
    handledAt: { sql: 'handled_at', holds: 'instant', nullable: true },
    note: { sql: 'note', means: 'What came of it.' },
  },
  filters: {
    state: {
      is: 'case',
      where: { open: 'handled_at IS NULL', handled: 'handled_at IS NOT NULL' },
    },
    accountId: { is: 'id', where: 'account_id = ?' },
    intentId: { is: 'id', where: 'intent_id = ?', means: "The provider's (`pi_…`)." },
    eventId: { is: 'id', where: 'event_id = ?', means: "The provider's (`evt_…`)." },
  },
  sorts: { received: { by: 'received_at', of: 'instant' } },
};

/** At most ten a second are kept. */
export const REFUSED_WEBHOOK_LIST: List = {
  name: 'webhooks-refused',
  items: 'RefusedWebhooks',
  item: 'Refused',
  from: 'webhooks_refused',
  id: 'id',
  idIs: 'number',
  columns: {
    id: { sql: 'id::text' },
    receivedAt: { sql: 'received_at', holds: 'instant' },
    accountId: { sql: 'account_id', nullable: true, means: 'Null: none of ours.' },
    reason: { sql: 'reason', means: 'Whoever sent it was not told.' },
    bodyBytes: { sql: 'body_bytes', holds: 'integer' },
    bodySha256: {
      sql: `encode(body_sha256, 'hex')`,
      means: 'Hexadecimal SHA-256: the same body again is the same.',
    },
  },
  filters: { accountId: { is: 'id', where: 'account_id = ?' } },
  sorts: { received: { by: 'received_at', of: 'instant' } },
};
