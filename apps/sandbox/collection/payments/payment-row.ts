import type { Currency, Instant } from '#kernel';
import type { Method } from '../../money/fees.js';
import { table } from '../../storage/table.js';
import type { CardRow } from '../cards/card-row.js';
import type { CustomerRow } from '../customers/customer-row.js';
import type { SepaRow } from '../sepa/sepa-row.js';
import type { AuthStatus, PaymentStatus } from './states.js';

export interface PaymentRow {
  readonly id: string;
  readonly account_id: string;
  readonly live: boolean;
  /** Every payment has one, whose row is its lock; that of a single call is not told. */
  readonly intent_id: string;
  readonly single_call: boolean;
  readonly status: PaymentStatus;
  readonly amount: number;
  readonly currency: Currency;
  readonly capture: boolean;
  readonly response: string | null;
  readonly method: Method;
  readonly card_id: string | null;
  readonly sepa_id: string | null;
  readonly mandate_id: string | null;
  readonly customer_id: string | null;
  readonly order_id: string | null;
  readonly unique_id: string | null;
  readonly description: string | null;
  readonly auth_status: AuthStatus | null;
  readonly auth_session_id: string | null;
  readonly auth_return_url: string | null;
  readonly auth_expires_at: Instant | null;
  /** What the payment costs the merchant; null until it is captured. */
  readonly fee: number | null;
  readonly payout_id: string | null;
  readonly date_settlement: string | null;
  readonly date_bank: string | null;
  readonly created_at: Instant;
  readonly authorized_at: Instant | null;
  readonly captured_at: Instant | null;
  /** Until then the browser's confirmation counts; null when none is awaited. */
  readonly confirm_until: Instant | null;
  readonly due_at: Instant | null;
}

/** A payment as it is told: with the objects it refers to. */
export interface FullPayment extends PaymentRow {
  readonly card: CardRow | null;
  readonly sepa: SepaRow | null;
  readonly customer: CustomerRow | null;
}

export const PAYMENTS = table<PaymentRow>('payments', 'pa', {
  id: 'fixed', account_id: 'fixed', live: 'fixed', intent_id: 'fixed', single_call: 'fixed', status: 'mutable',
  amount: 'fixed', currency: 'fixed', capture: 'fixed', response: 'mutable', method: 'fixed',
  card_id: 'fixed', sepa_id: 'fixed', mandate_id: 'fixed', customer_id: 'fixed',
  order_id: 'mutable', unique_id: 'fixed', description: 'mutable', auth_status: 'mutable',
  auth_session_id: 'fixed', auth_return_url: 'fixed', auth_expires_at: 'fixed', fee: 'mutable',
  payout_id: 'mutable', date_settlement: 'fixed', date_bank: 'mutable', created_at: 'fixed',
  authorized_at: 'mutable', captured_at: 'mutable', confirm_until: 'mutable', due_at: 'mutable',
});
