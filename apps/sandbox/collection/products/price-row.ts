import type { Currency, Instant } from '#kernel';
import { table } from '../../storage/table.js';

export type Interval = 'day' | 'week' | 'month' | 'year';

export interface PriceRow {
  readonly id: string;
  readonly account_id: string;
  readonly live: boolean;
  readonly product_id: string;
  readonly amount: number;
  readonly currency: Currency;
  /** How often a subscription pays it; null when it is paid once. */
  readonly interval: Interval | null;
  readonly interval_count: number | null;
  readonly created_at: Instant;
  readonly deleted_at: Instant | null;
}

export const PRICES = table<PriceRow>('prices', 'pr', {
  id: 'fixed', account_id: 'fixed', live: 'fixed', product_id: 'fixed', amount: 'mutable', currency: 'mutable',
  interval: 'mutable', interval_count: 'mutable', created_at: 'fixed', deleted_at: 'mutable',
});
