import {
  ADDRESS_OR_NULL, answer, CURRENCY, DATE_OR_NULL, FLAG, idOf, idOrNull, MINOR_UNITS, MOMENT,
  orNull, pageOf, TEXT_OR_NULL,
} from '../../api/answers.js';
import { SEPA_DISPUTE_CODES } from '../banks/dispute-codes.js';
import { RESPONSE_CODES } from '../banks/response-codes.js';
import { CARD_ANSWER } from '../cards/card-schemas.js';
import { CUSTOMER_ANSWER } from '../customers/customer-schemas.js';
import { SEPA_ANSWER } from '../sepa/sepa-answer.js';
import type { paymentResource } from './payment-resource.js';
import { authMachine, paymentMachine } from './states.js';

type Told = ReturnType<typeof paymentResource>;

const told = Object.keys(paymentMachine.table).filter((status) => status !== 'awaiting_bank');

const AUTH_ANSWER = answer<NonNullable<Told['auth']>>({
  status: { enum: Object.keys(authMachine.table) }, redirect_url: ADDRESS_OR_NULL,
  return_url: TEXT_OR_NULL,
});

/** The bank's answer is a card's response code, or the reason of a direct debit's refusal. */
const RESPONSES = [...Object.keys(RESPONSE_CODES), ...Object.keys(SEPA_DISPUTE_CODES)];

export const PAYMENT_ANSWER = answer<Told>({
  id: idOf('paym'), amount: MINOR_UNITS, currency: CURRENCY, created: MOMENT,
  status: { enum: [...told, null] }, response: { enum: [...RESPONSES, null] },
  auth: orNull(AUTH_ANSWER), method: { enum: ['card', 'sepa'] }, card: orNull(CARD_ANSWER),
  sepa: orNull(SEPA_ANSWER), customer: orNull(CUSTOMER_ANSWER), payment_intent: idOrNull('pi'),
  order_id: TEXT_OR_NULL, unique_id: TEXT_OR_NULL, description: TEXT_OR_NULL, capture: FLAG,
  fee: { type: ['integer', 'null'], minimum: 0 }, payout: idOrNull('pout'),
  date_settlement: DATE_OR_NULL, date_bank: DATE_OR_NULL,
});
export const PAYMENT_LIST_ANSWER = pageOf('payments', PAYMENT_ANSWER);
