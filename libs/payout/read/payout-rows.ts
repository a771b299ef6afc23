import { dated, type ProjectedRow, type Projection, rowsFrom } from '#projections';
import type {
  ExceptionCounts,
  PayoutEvent,
  PayoutStatus,
  PayoutTotals,
} from '../domain/payout-event.js';

/** A row of `payout_list`; amounts in minor units, days as YYYY-MM-DD. */
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
  readonly bank_date: string | null;
  readonly totals: PayoutTotals;
  readonly lines_read: boolean;
  readonly matched: number | null;
  readonly exceptions: ExceptionCounts | null;
  readonly mismatches: number;
  /** The day on which the failure of the payout was observed. */
  readonly failed_on: string | null;
  readonly updated_at: string;
}

const apply = dated(
  rowsFrom<PayoutListRow, PayoutEvent, 'PayoutAnnounced'>(
    {
      PayoutAnnounced: (event, streamId) => {
        const { accountId, platformId, merchantId, mode, reference, currency, date, totals } =
          event;
        return {
          payout_id: streamId,
          account_id: accountId,
          platform_id: platformId,
          merchant_id: merchantId,
          mode,
          reference,
          currency,
          amount_minor: event.amountMinor,
          fees_minor: event.feesMinor,
          fees_vat_minor: event.feesVatMinor,
          date,
          status: 'pending',
          bank_date: null,
          totals,
          lines_read: false,
          matched: null,
          exceptions: null,
          mismatches: 0,
          failed_on: null,
          updated_at: event.at,
        };
      },
    },
    {
      PayoutStatusChanged: ({ status, bankDate, at }) => ({
        status,
        bank_date: bankDate,
        failed_on: status === 'failed' ? at.slice(0, 10) : null,
      }),
      PayoutLinesRead: () => ({ lines_read: true }),
      PayoutReconciled: ({ matched, exceptions }) => ({ matched, exceptions }),
      PayoutMismatchObserved: (_event, { mismatches }) => ({ mismatches: mismatches + 1 }),
    },
  ),
);

/**
 * The payouts for lists and reconciliation; reading one payout by its id folds its stream instead.
 */
export const payoutList: Projection<PayoutListRow> = {
  name: 'payout_list',
  streamTypes: ['payout'],
  keyColumn: 'payout_id',
  columns: [
    'payout_id',
    'account_id',
    'platform_id',
    'merchant_id',
    'mode',
    'reference',
    'currency',
    'amount_minor',
    'fees_minor',
    'fees_vat_minor',
    'date',
    'status',
    'bank_date',
    'totals',
    'lines_read',
    'matched',
    'exceptions',
    'mismatches',
    'failed_on',
    'updated_at',
    'version',
  ],
  apply,
};
