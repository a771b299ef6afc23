import type { Instant } from '#kernel';
import { table } from '../../storage/table.js';

export interface ProductRow {
  readonly id: string;
  readonly account_id: string;
  readonly live: boolean;
  readonly name: string;
  readonly description: string | null;
  readonly metadata: unknown;
  readonly created_at: Instant;
  readonly deleted_at: Instant | null;
}

export const PRODUCTS = table<ProductRow>('products', 'pd', {
  id: 'fixed', account_id: 'fixed', live: 'fixed', name: 'mutable', description: 'mutable', metadata: 'mutable',
  created_at: 'fixed', deleted_at: 'mutable',
});
