import { type Instant, newId } from '#kernel';
import { scopeOf } from '../../storage/account-scope.js';
import type { CardRow } from '../cards/card-resource.js';
import type { CustomerRow } from '../customers/customer-resource.js';
import type { SepaRow } from '../sepa/sepa-resource.js';
import type { IntentRow } from './intent-resource.js';
import type { FullPayment } from './payment-resource.js';

/** The payment method of an attempt. */
type Means =
  | { readonly method: 'card'; readonly card: CardRow }
  | { readonly method: 'sepa'; readonly sepa: SepaRow; readonly mandateId: string };

/** Creates a new attempt to pay an intent, before authentication and the bank's response. */
export const newPayment = (
  intent: IntentRow,
  means: Means,
  customer: CustomerRow | null,
  now: Instant,
): FullPayment => ({
  id: newId('paym'),
  ...scopeOf(intent),
  intent_id: intent.id,
  single_call: intent.single_call,
  status: 'awaiting_bank',
  amount: intent.amount,
  currency: intent.currency,
  capture: intent.capture,
  response: null,
  method: means.method,
  card_id: means.method === 'card' ? means.card.id : null,
  sepa_id: means.method === 'sepa' ? means.sepa.id : null,
  mandate_id: means.method === 'sepa' ? means.mandateId : null,
  customer_id: customer?.id ?? null,
  order_id: intent.order_id,
  unique_id: intent.unique_id,
  description: intent.description,
  auth_status: null,
  auth_session_id: null,
  auth_return_url: null,
  auth_expires_at: null,
  auth_left_at: null,
  fee: null,
  payout_id: null,
  date_settlement: intent.date_settlement,
  date_bank: null,
  created_at: now,
  authorized_at: null,
  captured_at: null,
  confirm_until: null,
  due_at: null,
  card: means.method === 'card' ? means.card : null,
  sepa: means.method === 'sepa' ? means.sepa : null,
  customer,
});
