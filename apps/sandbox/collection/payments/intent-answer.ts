import {
  ADDRESS, answer, CURRENCY, DATE_OR_NULL, FLAG, idOf, idOrNull, MINOR_UNITS, MOMENT,
  ANY_VALUE, pageOf, TEXT_OR_NULL,
} from '../../api/answers.js';
import type { intentResource } from './intent-resource.js';
import { intentMachine } from './states.js';

export const INTENT_ANSWER = answer<ReturnType<typeof intentResource>>({
  id: idOf('pi'), url: ADDRESS, status: { enum: Object.keys(intentMachine.table) },
  created_at: MOMENT, amount: MINOR_UNITS, currency: CURRENCY, capture: FLAG,
  methods_allowed: { type: 'array', items: { enum: ['card', 'sepa'] } },
  threeds: { enum: ['required', 'none', null] }, description: TEXT_OR_NULL,
  customer: idOrNull('cust'), card: idOrNull('card'), sepa: idOrNull('sepa'),
  order_id: TEXT_OR_NULL, unique_id: TEXT_OR_NULL, return_url: TEXT_OR_NULL,
  date_settlement: DATE_OR_NULL, metadata: ANY_VALUE, billing_address: idOrNull('addr'),
  shipping_address: idOrNull('addr'), payment: idOrNull('paym'),
});
export const INTENT_LIST_ANSWER = pageOf('payment_intents', INTENT_ANSWER);
