import { epochSeconds } from '../../api/epoch-seconds.js';
import { cardResource } from '../cards/card-resource.js';
import { customerResource } from '../customers/customer-resource.js';
import { sepaResource } from '../sepa/sepa-resource.js';
import type { FullPayment, PaymentRow } from './payment-row.js';

const authOf = (row: PaymentRow, baseUrl: string) => {
  if (row.auth_status === null) return null;
  const session = row.auth_session_id;
  return {
    status: row.auth_status,
    redirect_url: session === null ? null : `${baseUrl}/bank/${session}`,
    return_url: row.auth_return_url,
  };
};

export const paymentResource = (row: FullPayment, baseUrl: string) => ({
  id: row.id,
  amount: row.amount,
  currency: row.currency,
  created: epochSeconds(row.created_at),
  status: row.status === 'awaiting_bank' ? null : row.status,
  response: row.response,
  auth: authOf(row, baseUrl),
  method: row.method,
  card: row.card === null ? null : cardResource(row.card),
  sepa: row.sepa === null ? null : sepaResource(row.sepa),
  customer: row.customer === null ? null : customerResource(row.customer),
  payment_intent: row.single_call ? null : row.intent_id,
  order_id: row.order_id,
  unique_id: row.unique_id,
  description: row.description,
  capture: row.capture,
  fee: row.fee,
  payout: row.payout_id,
  date_settlement: row.date_settlement,
  date_bank: row.date_bank,
});
