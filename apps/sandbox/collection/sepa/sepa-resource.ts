import { epochSeconds } from '../../api/epoch-seconds.js';
import type { SepaRow } from './sepa-row.js';

export const sepaResource = (row: SepaRow) => ({
  id: row.id,
  created: epochSeconds(row.created_at),
  deleted: row.deleted_at !== null,
  last4: row.last4,
  name: row.name,
  bic: row.bic,
  customer: row.customer_id,
  date_mandate: row.date_mandate,
  mandate: row.mandate,
});
