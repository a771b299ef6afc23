import type { Instant } from '#kernel';
import { table } from '../../storage/table.js';
import type { SubscriptionStatus } from './subscription-states.js';

export interface SubscriptionItem {
  /** The id of a price. */
  readonly price: string;
  readonly quantity: number;
}

export interface SubscriptionRow {
  readonly id: string;
  readonly account_id: string;
  readonly live: boolean;
  readonly status: SubscriptionStatus;
  readonly customer_id: string;
  readonly card_id: string | null;
  readonly sepa_id: string | null;
  readonly items: readonly SubscriptionItem[];
  /** The period that is paid, or to be paid, now. */
  readonly period_start: Instant | null;
  readonly period_end: Instant | null;
  /** Attempts to collect this period that were refused. */
  readonly refusals: number;
  /** The latest payment that was made for it. */
  readonly payment_id: string | null;
  readonly created_at: Instant;
  readonly deleted_at: Instant | null;
  readonly due_at: Instant | null;
}

export const SUBSCRIPTIONS = table<SubscriptionRow>('subscriptions', 'su', {
  id: 'fixed', account_id: 'fixed', live: 'fixed', status: 'mutable', customer_id: 'fixed', card_id: 'mutable',
  sepa_id: 'mutable', items: 'mutable', period_start: 'mutable', period_end: 'mutable',
  refusals: 'mutable', payment_id: 'mutable', created_at: 'fixed', deleted_at: 'mutable',
  due_at: 'mutable',
});
