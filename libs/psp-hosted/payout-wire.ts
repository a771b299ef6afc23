import { signedNumber, text, wholeNumber } from './wire-decode.js';
import { day, type FieldReader, id, inner, optional, shape } from './wire-shape.js';

/**
 * The payouts of the payment API and the objects in their lines, with the API's own names and
 * values. Amounts are in minor units, `created` in epoch seconds, days `YYYY-MM-DD`.
 */

const lines = (amount: FieldReader<number>) => {
  const total = inner(shape('total', { amount, count: wholeNumber, fees: wholeNumber }));
  return inner(
    shape('payout lines', {
      method: inner(shape('method', { card: total, sepa: total })),
    }),
  );
};

export const decodePayout = shape('payout', {
  id: id('pout'),
  reference: text,
  currency: text,
  amount: wholeNumber,
  fees: wholeNumber,
  fees_vat: wholeNumber,
  status: text,
  date: day,
  date_bank: optional(day),
  payments: lines(wholeNumber),
  refunds: lines(wholeNumber),
  // A won dispute returns its amount in a later payout
  // (docs/provider/payments-completion.md#settled-after-real-clients).
  disputes: lines(signedNumber),
});

export type WirePayout = ReturnType<typeof decodePayout>;
