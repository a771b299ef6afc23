import { epochSeconds } from '../../api/epoch-seconds.js';
import type { CardRow } from './card-row.js';

export const cardResource = (row: CardRow) => ({
  id: row.id,
  created: epochSeconds(row.created_at),
  deleted: row.deleted_at !== null,
  brand: row.brand,
  last4: row.last4,
  exp_month: row.exp_month,
  exp_year: row.exp_year,
  country: row.country,
  funding: row.funding,
  network: row.network,
  nature: row.nature,
  name: row.name,
  zip_code: row.zip_code,
  customer: row.customer_id,
  external_id: row.external_id,
});
