import { epochSeconds } from '../../api/epoch-seconds.js';
import type { IntentRow } from './intent-row.js';

export const intentResource = (row: IntentRow, baseUrl: string) => ({
  id: row.id,
  url: `${baseUrl}/pay/${row.id}`,
  status: row.status,
  created_at: epochSeconds(row.created_at),
  amount: row.amount,
  currency: row.currency,
  capture: row.capture,
  methods_allowed: row.methods_allowed,
  threeds: row.threeds,
  description: row.description,
  customer: row.customer_id,
  card: row.card_id,
  sepa: row.sepa_id,
  order_id: row.order_id,
  unique_id: row.unique_id,
  return_url: row.return_url,
  date_settlement: row.date_settlement,
  metadata: row.metadata,
  billing_address: row.billing_address,
  shipping_address: row.shipping_address,
  payment: row.payment_id,
});
