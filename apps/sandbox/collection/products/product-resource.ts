import { epochSeconds } from '../../api/epoch-seconds.js';
import type { ProductRow } from './product-row.js';

export const productResource = (row: ProductRow) => ({
  id: row.id,
  created: epochSeconds(row.created_at),
  deleted: row.deleted_at !== null,
  name: row.name,
  description: row.description,
  metadata: row.metadata,
});
