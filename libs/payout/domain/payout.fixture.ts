import { parseInstant } from '#kernel';
import { NO_LINES } from './lines.js';
import type { ObservedPayout } from './payout-command.js';
import type { PayoutAccount, PayoutEvent } from './payout-event.js';

export const at = parseInstant('2026-03-02T06:05:00Z');

export const account: PayoutAccount = {
  accountId: 'acc_1',
  platformId: 'shop',
  merchantId: 'm1',
  mode: 'test',
};

/**
 * A payout of 14.66: two card payments (20.00), less a refund (5.00), fees (0.28) and VAT (0.06).
 */
export const readOf = (status: string, changes: Partial<ObservedPayout> = {}): ObservedPayout => ({
  status,
  reference: '20260302-EUR-TEST',
  currency: 'eur',
  amountMinor: 1_466,
  feesMinor: 28,
  feesVatMinor: 6,
  date: '2026-03-02',
  bankDate: status === 'paid' ? '2026-03-04' : null,
  totals: {
    payment: { card: { count: 2, amountMinor: 2_000, feesMinor: 28 }, sepa: NO_LINES },
    refund: { card: { count: 1, amountMinor: 500, feesMinor: 0 }, sepa: NO_LINES },
    dispute: { card: NO_LINES, sepa: NO_LINES },
  },
  ...changes,
});

export const lines = {
  payment: { count: 2, amountMinor: 2_000, feesMinor: 28 },
  refund: { count: 1, amountMinor: 500, feesMinor: 0 },
  dispute: NO_LINES,
};

const { status: _status, bankDate: _dateBank, ...figures } = readOf('pending');

export const announced: PayoutEvent = {
  type: 'PayoutAnnounced',
  ...account,
  ...figures,
  currency: 'eur',
  at,
};
