import type { Instant } from '#kernel';
import { table } from '../../storage/table.js';

export interface AddressRow {
  readonly id: string;
  readonly account_id: string;
  readonly live: boolean;
  readonly zip_code: string;
  readonly city: string;
  /** ISO 3166 alpha-2. */
  readonly country: string;
  readonly line1: string | null;
  readonly line2: string | null;
  readonly line3: string | null;
  readonly state: string | null;
  readonly metadata: unknown;
  readonly created_at: Instant;
  /** A deleted address can still be read. */
  readonly deleted_at: Instant | null;
}

export const ADDRESSES = table<AddressRow>('addresses', 'ad', {
  id: 'fixed', account_id: 'fixed', live: 'fixed', zip_code: 'mutable', city: 'mutable',
  country: 'mutable',
  line1: 'mutable', line2: 'mutable', line3: 'mutable', state: 'mutable', metadata: 'mutable',
  created_at: 'fixed', deleted_at: 'mutable',
});
