import type { Currency, Instant } from '#kernel';
import type { AuthStatus, IntentStatus } from '../payments/page-flow.js';
import type { PaymentStatus } from '../payments/states.js';

/** The tables' rows as the code holds them. `seq` is the database's own and never written. */
export interface CustomerRow {
  readonly id: string;
  readonly live: boolean;
  readonly email: string | null;
  readonly mobile: string | null;
  readonly name: string | null;
  readonly date_birth: string | null;
  readonly legal_id: string | null;
  readonly country: string | null;
  readonly external_id: string | null;
  readonly billing_address: string | null;
  readonly shipping_address: string | null;
  readonly created_at: Instant;
  readonly deleted_at: Instant | null;
}

export interface CardRow {
  readonly id: string;
  readonly live: boolean;
  readonly fingerprint: string;
  readonly scenario: string | null;
  readonly brand: string;
  readonly last4: string;
  readonly exp_month: number;
  readonly exp_year: number;
  readonly country: string | null;
  readonly funding: string | null;
  readonly network: string | null;
  readonly nature: string | null;
  readonly name: string | null;
  readonly zip_code: string | null;
  readonly customer_id: string | null;
  readonly external_id: string | null;
  readonly created_at: Instant;
  readonly deleted_at: Instant | null;
}

export interface IntentRow {
  readonly id: string;
  readonly live: boolean;
  readonly status: IntentStatus;
  readonly amount: number;
  readonly currency: Currency;
  readonly capture: boolean;
  readonly methods_allowed: readonly ('card' | 'sepa')[];
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
  readonly payment_id: string | null;
  readonly created_at: Instant;
}

export interface PaymentRow {
  readonly id: string;
  readonly live: boolean;
  readonly intent_id: string | null;
  readonly status: PaymentStatus;
  readonly amount: number;
  readonly currency: Currency;
  readonly capture: boolean;
  readonly response: string | null;
  readonly method: 'card' | 'sepa';
  readonly card_id: string | null;
  readonly customer_id: string | null;
  readonly order_id: string | null;
  readonly unique_id: string | null;
  readonly description: string | null;
  readonly auth_status: AuthStatus | null;
  readonly auth_session_id: string | null;
  readonly auth_return_url: string | null;
  readonly auth_expires_at: Instant | null;
  readonly date_settlement: string | null;
  readonly date_bank: string | null;
  readonly created_at: Instant;
  readonly authorized_at: Instant | null;
  /** Until then the browser's confirmation counts; null when none is awaited. */
  readonly confirm_until: Instant | null;
  /** When the clock moves this payment next. */
  readonly due_at: Instant | null;
}

export interface EndpointRow {
  readonly id: string;
  readonly live: boolean;
  readonly url: string;
  readonly enabled: boolean;
  readonly secret: string;
  readonly created_at: Instant;
  readonly deleted_at: Instant | null;
}

export interface EventRow {
  readonly id: string;
  readonly live: boolean;
  readonly type: string;
  readonly object_id: string;
  /** The JSON text that is sent, byte for byte, by every attempt. */
  readonly body: string;
  readonly created_at: Instant;
}
