import { msOf, type Instant } from '#kernel';
import type { CardRow, CustomerRow, IntentRow, PaymentRow } from '../database/rows.js';

/** A payment as it is told: with the objects it refers to. */
export interface FullPayment extends PaymentRow {
  readonly card: CardRow | null;
  readonly customer: CustomerRow | null;
}

const epochSeconds = (at: Instant): number => Math.floor(msOf(at) / 1_000);

/** Objects as GET answers them and events carry them. Completion, "Resources". */
export class Resources {
  constructor(private readonly publicUrl: string) {}

  customer(row: CustomerRow) {
    return {
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
    };
  }

  card(row: CardRow) {
    return {
      id: row.id,
      created: epochSeconds(row.created_at),
      deleted: row.deleted_at !== null,
      brand: row.brand,
      last4: row.last4,
      exp_month: row.exp_month,
      exp_year: row.exp_year,
      country: row.country,
      funding: row.funding,
      network: row.network,
      nature: row.nature,
      name: row.name,
      zip_code: row.zip_code,
      customer: row.customer_id,
      external_id: row.external_id,
    };
  }

  intent(row: IntentRow) {
    return {
      id: row.id,
      url: `${this.publicUrl}/pay/${row.id}`,
      status: row.status,
      created_at: epochSeconds(row.created_at),
      amount: row.amount,
      currency: row.currency,
      capture: row.capture,
      methods_allowed: row.methods_allowed,
      threeds: row.threeds,
      description: row.description,
      customer: row.customer_id,
      card: row.card_id,
      sepa: row.sepa_id,
      order_id: row.order_id,
      unique_id: row.unique_id,
      return_url: row.return_url,
      date_settlement: row.date_settlement,
      metadata: row.metadata,
      billing_address: row.billing_address,
      shipping_address: row.shipping_address,
      payment: row.payment_id,
    };
  }

  payment(row: FullPayment) {
    return {
      id: row.id,
      amount: row.amount,
      currency: row.currency,
      created: epochSeconds(row.created_at),
      status: row.status === 'awaiting_bank' ? null : row.status,
      response: row.response,
      auth: this.auth(row),
      method: row.method,
      card: row.card === null ? null : this.card(row.card),
      sepa: null,
      customer: row.customer === null ? null : this.customer(row.customer),
      payment_intent: row.intent_id,
      order_id: row.order_id,
      unique_id: row.unique_id,
      description: row.description,
      capture: row.capture,
      fee: null,
      payout: null,
      date_settlement: row.date_settlement,
      date_bank: row.date_bank,
    };
  }

  private auth(row: PaymentRow) {
    if (row.auth_status === null) return null;
    const session = row.auth_session_id;
    return {
      status: row.auth_status,
      redirect_url: session === null ? null : `${this.publicUrl}/bank/${session}`,
      return_url: row.auth_return_url,
    };
  }
}
