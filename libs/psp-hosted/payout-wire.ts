import { signedNumber, text, wholeNumber } from './wire-decode.js';
import { day, id, inner, optional, shape } from './wire-shape.js';

/*
 * The payment API's payouts and what their lines are about, by their own names and without meaning.
 * Amounts in minor units, `created` in epoch seconds, days as `YYYY-MM-DD`.
 */

const decodeTotal = shape('total', {
  amount: wholeNumber, count: wholeNumber, fees: wholeNumber,
});

const decodeKind = shape('payout lines', {
  method: inner(shape('method', { card: inner(decodeTotal), sepa: inner(decodeTotal) })),
});

/**
 * docs/provider/payments-completion.md#settled-after-real-clients: a dispute that was won gives its
 * amount back in a later payout.
 */
const decodeNetTotal = shape('total', {
  amount: signedNumber, count: wholeNumber, fees: wholeNumber,
});

const decodeNetKind = shape('payout lines', {
  method: inner(shape('method', { card: inner(decodeNetTotal), sepa: inner(decodeNetTotal) })),
});

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
  payments: inner(decodeKind),
  refunds: inner(decodeKind),
  disputes: inner(decodeNetKind),
});

export type WirePayout = ReturnType<typeof decodePayout>;

/** Lines of one kind together, by method. */
export type WireMethodTotals = WirePayout['payments']['method'];
