import { MAX_AMOUNT_MINOR } from '#kernel';
import {
  answer, CURRENCY, idOf, idOrNull, MINOR_UNITS, MOMENT, pageOf, TEXT_OR_NULL,
} from '../../api/answers.js';
import { CARD_DISPUTE_CODES, SEPA_DISPUTE_CODES } from '../banks/dispute-codes.js';
import type { disputeResource } from './dispute-resource.js';
import { disputeMachine } from './dispute-states.js';

const REASONS = [...Object.keys(CARD_DISPUTE_CODES), ...Object.keys(SEPA_DISPUTE_CODES)];

export const DISPUTE_ANSWER = answer<ReturnType<typeof disputeResource>>({
  id: idOf('dspt'), created: MOMENT, status: { enum: Object.keys(disputeMachine.table) },
  type: { enum: ['chargeback', 'sepa_return'] }, payment: idOf('paym'),
  payment_intent: idOrNull('pi'), order_id: TEXT_OR_NULL, amount: MINOR_UNITS, currency: CURRENCY,
  fee: MINOR_UNITS, response: { enum: REASONS }, payout: idOrNull('pout'),
});
export const DISPUTE_LIST_ANSWER = pageOf('disputes', DISPUTE_ANSWER);

/** A payout's lines: negative where a dispute that was won gives its amount back. */
export const DISPUTE_LINES_ANSWER = pageOf('disputes', {
  ...DISPUTE_ANSWER,
  properties: {
    ...DISPUTE_ANSWER.properties,
    amount: { type: 'integer', minimum: -MAX_AMOUNT_MINOR, maximum: MAX_AMOUNT_MINOR },
  },
});
