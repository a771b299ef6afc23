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
    about: 'A payment that its payer or their bank took back.',
    table: 'disputes',
    key: 'di',
  },
  {
    created: CREATED,
    status: answered('Its state.', oneOf(disputeMachine.states), { mutable: true }),
    type: answered(
      'A card’s chargeback, or a direct debit that was returned.',
      oneOf(['chargeback', 'sepa_return']),
    ),
    payment: answered('The disputed payment.', idOf('paym'), { column: 'payment_id' }),
    payment_intent: answered(
      'The payment’s intent; null for a payment made in a single call.',
      idOrNull('pi'),
      { column: 'intent_id' },
    ),
    order_id: answered('The merchant’s reference of the payment.', TEXT_OR_NULL),
    amount: answered('What is taken back, in minor units.', MINOR_UNITS),
    currency: answered('That of the payment.', CURRENCY),
    fee: answered('What the dispute costs the merchant, in minor units.', MINOR_UNITS),
    response: answered('The code of the reason.', oneOf(REASONS)),
    payout: answered(
      'The payout that it is taken from; null before there is one.',
      idOrNull('pout'),
      { column: 'payout_id', mutable: true },
    ),
    /** When the clock moves it next; null: it is over, or waits for a decision by hand. */
    due_at: mutable<Instant | null>(),
  },
);

export type DisputeRow = StoredRow<typeof DISPUTES>;

/** A payout's lines: negative where a dispute that was won gives its amount back. */
export const DISPUTE_LINES_ANSWER = pageOf(
  'disputes',
  shape({
    ...DISPUTES.answer,
    properties: {
      ...(DISPUTES.answer['properties'] as object),
      amount: described(
        'What this payout takes back, in minor units; negative where it is given back.',
        shape({ type: 'integer', minimum: -MAX_AMOUNT_MINOR, maximum: MAX_AMOUNT_MINOR }),
      ),
    },
  }),
);
