import { epochSeconds } from '../../api/epoch-seconds.js';
import type { SubscriptionRow } from './subscription-row.js';

export const subscriptionResource = (row: SubscriptionRow) => ({
  id: row.id,
  created: epochSeconds(row.created_at),
  deleted: row.deleted_at !== null,
  status: row.status,
  customer: row.customer_id,
  items: row.items.map(({ price, quantity }) => ({ price, quantity })),
  card: row.card_id,
  sepa: row.sepa_id,
});
