import { type Instant, MAX_AMOUNT_MINOR } from '#kernel';
import {
  CURRENCY,
  described,
  idOrNull,
  input,
  MINOR_UNITS,
  oneOf,
  shape,
} from '../../api/answers.js';
import { checkedBody } from '../../api/checked.js';
import { answered, CREATED, field } from '../../api/fields.js';
import { resource, type StoredRow } from '../../api/resource.js';
import { reference, valueOf } from '../../api/values.js';
import { mutable } from '../../storage/table.js';
import { refundMachine } from './refund-states.js';

const OPTIONAL_AMOUNT = shape<number | null>({
  type: ['integer', 'null'],
  minimum: 1,
  maximum: MAX_AMOUNT_MINOR,
});

const AMOUNT = 'The refunded amount, in minor units.';
const WHOLE = 'Null or not given: the amount of the payment that is not refunded yet.';

export const REFUNDS = resource(
  {
    prefix: 'refd',
    title: 'Refund',
    about: 'A refund to the payer.',
    table: 'refunds',
    key: 're',
    create: { conflict: 'The payment is not captured yet, or fully refunded.' },
  },
  {
    created: CREATED,
    status: answered('The status of the refund.', oneOf(refundMachine.states), { mutable: true }),
    payment: field('The refunded payment.', reference('paym'), {
      column: 'payment_id',
      only: 'create',
      required: true,
    }),
    amount: field(AMOUNT, valueOf(MINOR_UNITS, OPTIONAL_AMOUNT), {
      only: 'create',
      asked: WHOLE,
    }),
    currency: answered('The payment’s currency.', CURRENCY),
    payout: answered(
      'The payout from which the refund is deducted; null until a payout contains the refund.',
      idOrNull('pout'),
      {
        column: 'payout_id',
        mutable: true,
      },
    ),
    /**
     * The time of the refund's next transition; null while the refund waits for the capture of the
     * payment.
     */
    due_at: mutable<Instant | null>(),
  },
);

export type RefundRow = StoredRow<typeof REFUNDS>;

/** The body of a refund request; the path names the payment or the intent. */
export const refundOf = checkedBody(
  input({
    amount: described(`${AMOUNT} ${WHOLE}`, OPTIONAL_AMOUNT),
  }),
);
