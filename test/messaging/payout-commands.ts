import fc from 'fast-check';
import type { Instant } from '#kernel';
import { type LineSums, type LineTotal, NO_LINES, type PayoutCommand } from '#payout';

const at = '2026-03-02T06:05:00.000Z' as Instant;
const total: fc.Arbitrary<LineTotal> = fc.constantFrom(NO_LINES, {
  count: 2,
  amountMinor: 2_000,
  feesMinor: 28,
});
const methods = fc.record({ card: total, sepa: total });
const lines: fc.Arbitrary<LineSums> = fc.record({ payment: total, refund: total, dispute: total });

const observe: fc.Arbitrary<PayoutCommand> = fc
  .record({
    status: fc.constantFrom('pending', 'to_pay', 'sent', 'paid', 'failed', 'unheard_of'),
    reference: fc.constant('20260302-EUR-TEST'),
    currency: fc.constantFrom('eur', 'eur', 'eur', 'usd'),
    amountMinor: fc.constantFrom(1_466, 1_466, 999),
    feesMinor: fc.constant(28),
    feesVatMinor: fc.constant(6),
    date: fc.constant('2026-03-02'),
    bankDate: fc.constantFrom('2026-03-04', null),
    totals: fc.record({ payment: methods, refund: methods, dispute: methods }),
  })
  .map((observation) => ({
    type: 'ObservePayout',
    account: { accountId: 'acc_1', platformId: 'shop', merchantId: 'm1', mode: 'test' },
    observation,
    at,
  }));

const money = fc.record({
  amountMinor: fc.constantFrom(0, 1_999, -1_999),
  feesMinor: fc.constantFrom(21, 24),
});

const count = fc.integer({ min: 0, max: 2 });

/**
 * Random commands of a payout: observations of the payout and its lines, and lines that operators
 * accept.
 */
export const payoutCommand: fc.Arbitrary<PayoutCommand> = fc.oneof(
  { weight: 3, arbitrary: observe },
  lines.map((read): PayoutCommand => ({ type: 'NoteLines', lines: read, at })),
  fc.record({
    type: fc.constant('AcceptLine' as const),
    lineKind: fc.constantFrom('payment', 'refund', 'dispute', 'dispute_reversal'),
    objectId: fc.constantFrom('paym_1', 'paym_2'),
    booked: money,
    shown: money,
    at: fc.constant(at),
  }),
  fc.record({
    type: fc.constant('NoteReconciliation' as const),
    matched: count,
    exceptions: fc.record({
      unknown: count,
      amount: count,
      currency: count,
      duplicate: count,
      fee: count,
    }),
    at: fc.constant(at),
  }),
);
