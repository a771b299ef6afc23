import { epochSeconds } from '../../api/epoch-seconds.js';
import type { AddressRow } from './address-row.js';

export const addressResource = (row: AddressRow) => ({
  id: row.id,
  created_at: epochSeconds(row.created_at),
  deleted: row.deleted_at !== null,
  zip_code: row.zip_code,
  city: row.city,
  country: row.country,
  line1: row.line1,
  line2: row.line2,
  line3: row.line3,
  state: row.state,
  metadata: row.metadata,
});
