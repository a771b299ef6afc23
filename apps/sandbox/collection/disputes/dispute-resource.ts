import { type Instant, MAX_AMOUNT_MINOR } from '#kernel';
import {
  CURRENCY,
  described,
  idOf,
  idOrNull,
  MINOR_UNITS,
  oneOf,
  pageOf,
  shape,
  TEXT_OR_NULL,
} from '../../api/answers.js';
import { answered, CREATED } from '../../api/fields.js';
import { resource, type StoredRow } from '../../api/resource.js';
import { mutable } from '../../storage/table.js';
import { CARD_DISPUTE_CODES, SEPA_DISPUTE_CODES } from '../banks/dispute-codes.js';
import { disputeMachine } from './dispute-states.js';

const REASONS = [...Object.keys(CARD_DISPUTE_CODES), ...Object.keys(SEPA_DISPUTE_CODES)];

export const DISPUTES = resource(
  {
    prefix: 'dspt',
    title: 'Dispute',
    about: 'A payment that the payer or their bank charged back.',
    table: 'disputes',
    key: 'di',
  },
  {
    created: CREATED,
    status: answered('The status of the dispute.', oneOf(disputeMachine.states), { mutable: true }),
    type: answered('A card chargeback or a SEPA return.', oneOf(['chargeback', 'sepa_return'])),
    payment: answered('The disputed payment.', idOf('paym'), { column: 'payment_id' }),
    payment_intent: answered(
      'The payment’s intent; null for a payment created in one call.',
      idOrNull('pi'),
      { column: 'intent_id' },
    ),
    order_id: answered('The merchant’s reference for the payment.', TEXT_OR_NULL),
    amount: answered('The disputed amount, in minor units.', MINOR_UNITS),
    currency: answered('The payment’s currency.', CURRENCY),
    fee: answered('The dispute fee, in minor units.', MINOR_UNITS),
    response: answered('The reason code.', oneOf(REASONS)),
    payout: answered(
      'The payout from which the dispute is deducted; null until a payout contains the dispute.',
      idOrNull('pout'),
      {
        column: 'payout_id',
        mutable: true,
      },
    ),
    /**
     * The time of the next automatic transition of the dispute; null when the dispute is closed or
     * awaits a manual decision.
     */
    due_at: mutable<Instant | null>(),
  },
);

export type DisputeRow = StoredRow<typeof DISPUTES>;

/**
 * The payout lines of disputes; the line that returns the amount of a won dispute has a negative
 * amount.
 */
export const DISPUTE_LINES_ANSWER = pageOf(
  'disputes',
  shape({
    ...DISPUTES.answer,
    properties: {
      ...(DISPUTES.answer['properties'] as object),
      amount: described(
        'The amount deducted from this payout, in minor units; negative when the amount is returned.',
        shape({ type: 'integer', minimum: -MAX_AMOUNT_MINOR, maximum: MAX_AMOUNT_MINOR }),
      ),
    },
  }),
);
