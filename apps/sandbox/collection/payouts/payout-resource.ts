import type { Instant } from '#kernel';
import {
  answer,
  CURRENCY,
  DATE,
  DATE_OR_NULL,
  described,
  INTEGER,
  oneOf,
  type Shape,
  shape,
  TEXT,
} from '../../api/answers.js';
import { answered, computed, filter } from '../../api/fields.js';
import { resource, type StoredRow } from '../../api/resource.js';
import { fixed, mutable } from '../../storage/table.js';
import type { TotalKind } from '../../money/fees.js';
import { type PayoutTotals, sumOf } from '../../money/payout-figures.js';
import { payoutMachine } from './payout-states.js';

/** A sum in minor units; it may exceed the maximum amount of one payment. */
const SUM = shape<number>({ type: 'integer', minimum: 0 });
/** The amount charged back less the amount returned; the difference may be negative. */
const NET_SUM = INTEGER;

const totalOf = (method: string, sum: Shape<number>) =>
  described(
    `The totals of ${method}.`,
    answer({
      amount: described('The sum of the amounts, in minor units.', sum),
      count: described('The number of payments, refunds or disputes.', SUM),
      fees: described('The sum of the fees, in minor units.', SUM),
    }),
  );

const kindOf = (sum: Shape<number>) =>
  answer({
    amount: described('The sum of the amounts, in minor units.', sum),
    method: described(
      'The same totals by payment method.',
      answer({
        card: totalOf('cards', sum),
        sepa: totalOf('direct debits', sum),
      }),
    ),
  });

const totals = (about: string, kind: TotalKind, sum: Shape<number>) =>
  computed(about, kindOf(sum), (row: { totals: PayoutTotals }) => {
    const { card, sepa } = row.totals[kind];
    return { amount: sumOf(row.totals[kind]), method: { card, sepa } };
  });

export const PAYOUTS = resource(
  {
    prefix: 'pout',
    title: 'Payout',
    about: 'A transfer to the merchant, with its lines.',
    table: 'payouts',
    key: 'po',
  },
  {
    status: answered('The status of the payout.', oneOf(payoutMachine.states), { mutable: true }),
    reference: answered('The reference of the credit transfer.', TEXT),
    currency: answered('The currency of the payout.', CURRENCY),
    amount: answered('The amount transferred, in minor units.', SUM),
    fees: answered('The fees of the payout’s lines, in minor units.', SUM),
    fees_vat: answered('The VAT on these fees, in minor units.', SUM),
    /** The creation date: each account, mode and currency has one payout a day. */
    date: answered('The creation date, YYYY-MM-DD.', DATE),
    date_bank: answered('The date of receipt at the merchant’s bank, YYYY-MM-DD.', DATE_OR_NULL, {
      mutable: true,
    }),
    payments: totals('The payments in the payout.', 'payment', SUM),
    refunds: totals('The refunds in the payout.', 'refund', SUM),
    disputes: totals(
      'The disputes in the payout, less the amounts of won disputes.',
      'dispute',
      NET_SUM,
    ),
    payment: {
      ...filter(
        'Only the payouts that contain this payment, or a refund or dispute of this payment.',
      ),
      column: 'payment_id',
    },
    /**
     * The payout's totals at its creation. They do not change when the payout fails and its lines
     * join another payout.
     */
    totals: fixed<PayoutTotals>(),
    created_at: fixed<Instant>(),
    /**
     * The time of the next transition; equals `created_at` while the lines of the payout are still
     * being assigned to it.
     */
    due_at: mutable<Instant | null>(),
  },
);

export type PayoutRow = StoredRow<typeof PAYOUTS>;
