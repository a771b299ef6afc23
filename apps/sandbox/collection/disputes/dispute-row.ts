import type { Currency, Instant } from '#kernel';
import { table } from '../../storage/table.js';
import type { DisputeStatus } from './dispute-states.js';

export interface DisputeRow {
  readonly id: string;
  readonly account_id: string;
  readonly live: boolean;
  readonly status: DisputeStatus;
  readonly type: 'chargeback' | 'sepa_return';
  readonly payment_id: string;
  /** The payment's intent as it is told: null for a payment made in a single call. */
  readonly intent_id: string | null;
  readonly order_id: string | null;
  readonly amount: number;
  readonly currency: Currency;
  readonly fee: number;
  /** The reason's code. */
  readonly response: string;
  readonly payout_id: string | null;
  readonly created_at: Instant;
  /** When the clock moves it next; null: it is over, or waits for a decision by hand. */
  readonly due_at: Instant | null;
}

export const DISPUTES = table<DisputeRow>('disputes', 'di', {
  id: 'fixed', account_id: 'fixed', live: 'fixed', status: 'mutable', type: 'fixed',
  payment_id: 'fixed',
  intent_id: 'fixed', order_id: 'fixed', amount: 'fixed', currency: 'fixed', fee: 'fixed',
  response: 'fixed', payout_id: 'mutable', created_at: 'fixed', due_at: 'mutable',
});
