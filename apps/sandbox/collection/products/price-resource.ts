import { epochSeconds } from '../../api/epoch-seconds.js';
import type { PriceRow } from './price-row.js';

export const priceResource = (row: PriceRow) => ({
  id: row.id,
  created: epochSeconds(row.created_at),
  deleted: row.deleted_at !== null,
  product: row.product_id,
  amount: row.amount,
  currency: row.currency,
  interval: row.interval,
  interval_count: row.interval_count,
});
