import type { Currency, Instant } from '#kernel';
import type { Method } from '../../money/fees.js';
import { table } from '../../storage/table.js';
import type { IntentStatus } from './states.js';

export interface IntentRow {
  readonly id: string;
  readonly account_id: string;
  readonly live: boolean;
  readonly status: IntentStatus;
  readonly amount: number;
  readonly currency: Currency;
  readonly capture: boolean;
  readonly methods_allowed: readonly Method[];
  readonly threeds: 'required' | 'none' | null;
  readonly description: string | null;
  readonly customer_id: string | null;
  readonly card_id: string | null;
  readonly sepa_id: string | null;
  readonly order_id: string | null;
  readonly unique_id: string | null;
  readonly return_url: string | null;
  readonly date_settlement: string | null;
  readonly metadata: unknown;
  readonly billing_address: string | null;
  readonly shipping_address: string | null;
  /** The latest attempt. */
  readonly payment_id: string | null;
  /**
   * Made with a payment by one call (`POST /v2/payments`), only to hold its lock and state: it is
   * not told, not listed and not found, and its payment names no intent.
   */
  readonly single_call: boolean;
  readonly created_at: Instant;
}

export const INTENTS = table<IntentRow>('payment_intents', 'in', {
  id: 'fixed', account_id: 'fixed', live: 'fixed', status: 'mutable', amount: 'mutable', currency: 'mutable',
  capture: 'mutable', methods_allowed: 'mutable', threeds: 'mutable', description: 'mutable',
  customer_id: 'mutable', card_id: 'mutable', sepa_id: 'mutable', order_id: 'mutable',
  unique_id: 'mutable', return_url: 'mutable', date_settlement: 'mutable', metadata: 'mutable',
  billing_address: 'mutable', shipping_address: 'mutable', payment_id: 'mutable',
  single_call: 'fixed', created_at: 'fixed',
});
