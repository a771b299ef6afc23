import type { TotalKind } from '../../money/fees.js';
import { sumOf } from '../../money/payout-figures.js';
import type { PayoutRow } from './payout-row.js';

const told = ({ totals }: PayoutRow, kind: TotalKind) => {
  const { card, sepa } = totals[kind];
  return { amount: sumOf(totals[kind]), method: { card, sepa } };
};

export const payoutResource = (row: PayoutRow) => ({
  id: row.id,
  status: row.status,
  reference: row.reference,
  currency: row.currency,
  amount: row.amount,
  fees: row.fees,
  fees_vat: row.fees_vat,
  date: row.date,
  date_bank: row.date_bank,
  payments: told(row, 'payment'),
  refunds: told(row, 'refund'),
  disputes: told(row, 'dispute'),
});
