import { assert, assertNever } from '#kernel';
import type { RecordedEvent } from '#event-store';
import type { ExceptionCounts, PayoutEvent, PayoutStatus, PayoutTotals } from '#payout';
import type { ProjectedRow, Projection } from './projection.js';

/** A row of `payout_list`, by its columns; money in minor units, days as YYYY-MM-DD. */
export interface PayoutListRow extends ProjectedRow {
  readonly payout_id: string;
  readonly account_id: string;
  readonly platform_id: string;
  readonly merchant_id: string;
  readonly mode: string;
  readonly reference: string;
  readonly currency: string;
  readonly amount_minor: number;
  readonly fees_minor: number;
  readonly fees_vat_minor: number;
  readonly date: string;
  readonly status: PayoutStatus;
  readonly date_bank: string | null;
  readonly totals: PayoutTotals;
  readonly lines_read: boolean;
  readonly matched: number | null;
  readonly exceptions: ExceptionCounts | null;
  readonly mismatches: number;
  /** The day on which its failure was learnt. */
  readonly failed_on: string | null;
}

const changed = (
  row: PayoutListRow, event: Exclude<PayoutEvent, { type: 'PayoutAnnounced' }>,
): PayoutListRow => {
  switch (event.type) {
    case 'PayoutMoved': {
      const { status, dateBank, at } = event;
      const failedOn = status === 'failed' ? at.slice(0, 10) : null;
      return { ...row, status, date_bank: dateBank, failed_on: failedOn };
    }
    case 'PayoutLinesRead':
      return { ...row, lines_read: true };
    case 'PayoutReconciled':
      return { ...row, matched: event.matched, exceptions: event.exceptions };
    case 'PayoutMismatchObserved':
      return { ...row, mismatches: row.mismatches + 1 };
    default:
      return assertNever(event);
  }
};

const apply = (row: PayoutListRow | null, recorded: RecordedEvent): PayoutListRow => {
  const { streamId, version, type, data } = recorded;
  // The log gives events back as they were written, lifted to today's schema.
  const event = { ...data, type } as PayoutEvent;
  if (event.type !== 'PayoutAnnounced') {
    assert(row !== null, 'a payout is announced before anything else happens to it');
    return { ...changed(row, event), version };
  }
  const { accountId, platformId, merchantId, mode, reference, currency, date, totals } = event;
  return {
    payout_id: streamId, account_id: accountId, platform_id: platformId, merchant_id: merchantId,
    mode, reference, currency, amount_minor: event.amountMinor, fees_minor: event.feesMinor,
    fees_vat_minor: event.feesVatMinor, date, status: 'pending', date_bank: null, totals,
    lines_read: false, matched: null, exceptions: null, mismatches: 0, failed_on: null, version,
  };
};

/** Payouts for lists and reconciliation; GET by id folds the stream instead. */
export const payoutList: Projection<PayoutListRow> = {
  name: 'payout_list',
  streamTypes: ['payout'],
  keyColumn: 'payout_id',
  columns: [
    'payout_id', 'account_id', 'platform_id', 'merchant_id', 'mode', 'reference', 'currency',
    'amount_minor', 'fees_minor', 'fees_vat_minor', 'date', 'status', 'date_bank', 'totals',
    'lines_read', 'matched', 'exceptions', 'mismatches', 'failed_on', 'version',
  ],
  apply,
};
