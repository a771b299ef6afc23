import { epochSeconds } from '../../api/epoch-seconds.js';
import type { DisputeRow } from './dispute-row.js';

export const disputeResource = (row: DisputeRow) => ({
  id: row.id,
  created: epochSeconds(row.created_at),
  status: row.status,
  type: row.type,
  payment: row.payment_id,
  payment_intent: row.intent_id,
  order_id: row.order_id,
  amount: row.amount,
  currency: row.currency,
  fee: row.fee,
  response: row.response,
  payout: row.payout_id,
});
