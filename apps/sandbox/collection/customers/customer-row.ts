import type { Instant } from '#kernel';
import { table } from '../../storage/table.js';

export interface CustomerRow {
  readonly id: string;
  readonly account_id: string;
  readonly live: boolean;
  readonly email: string | null;
  readonly mobile: string | null;
  readonly name: string | null;
  /** YYYY-MM-DD. */
  readonly date_birth: string | null;
  readonly legal_id: string | null;
  readonly country: string | null;
  readonly external_id: string | null;
  readonly billing_address: string | null;
  readonly shipping_address: string | null;
  readonly created_at: Instant;
  readonly deleted_at: Instant | null;
}

export const CUSTOMERS = table<CustomerRow>('customers', 'cu', {
  id: 'fixed', account_id: 'fixed', live: 'fixed', email: 'mutable', mobile: 'mutable',
  name: 'mutable',
  date_birth: 'mutable', legal_id: 'mutable', country: 'mutable', external_id: 'mutable',
  billing_address: 'mutable', shipping_address: 'mutable', created_at: 'fixed',
  deleted_at: 'mutable',
});
