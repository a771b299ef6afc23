import { epochSeconds } from '../../api/epoch-seconds.js';
import type { CustomerRow } from './customer-row.js';

export const customerResource = (row: CustomerRow) => ({
  id: row.id,
  created: epochSeconds(row.created_at),
  deleted: row.deleted_at !== null,
  email: row.email,
  mobile: row.mobile,
  name: row.name,
  date_birth: row.date_birth,
  legal_id: row.legal_id,
  country: row.country,
  external_id: row.external_id,
  billing_address: row.billing_address,
  shipping_address: row.shipping_address,
});
