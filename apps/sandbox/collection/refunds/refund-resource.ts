import { epochSeconds } from '../../api/epoch-seconds.js';
import type { RefundRow } from './refund-row.js';

export const refundResource = (row: RefundRow) => ({
  id: row.id,
  created: epochSeconds(row.created_at),
  status: row.status,
  payment: row.payment_id,
  amount: row.amount,
  currency: row.currency,
  payout: row.payout_id,
});
