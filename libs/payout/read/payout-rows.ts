import { ignored } from '#kernel';
import { column, dated, type Projection, type RowOf, rowsFrom } from '#projections';
import type {
  ExceptionCounts,
  PayoutEvent,
  PayoutStatus,
  PayoutTotals,
} from '../domain/payout-event.js';

const COLUMNS = {
  payout_id: column<string>(),
  account_id: column<string>(),
  platform_id: column<string>(),
  merchant_id: column<string>(),
  mode: column<string>(),
  reference: column<string>(),
  currency: column<string>(),
  amount_minor: column<number>(),
  fees_minor: column<number>(),
  fees_vat_minor: column<number>(),
  date: column<string>(),
  status: column<PayoutStatus>(),
  bank_date: column<string | null>(),
  totals: column<PayoutTotals>(),
  lines_read: column<boolean>(),
  matched: column<number | null>(),
  exceptions: column<ExceptionCounts | null>(),
  mismatches: column<number>(),
  /** The day on which the failure of the payout was observed. */
  failed_on: column<string | null>(),
  updated_at: column<string>(),
};

/** A row of `payout_list`; amounts in minor units, days as YYYY-MM-DD. */
export type PayoutListRow = RowOf<typeof COLUMNS>;

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
      PayoutLinesRead: () => ({ lines_read: true, matched: null, exceptions: null }),
      ...ignored('PayoutLineCorrected'),
      PayoutReconciled: ({ matched, exceptions }) => ({ matched, exceptions }),
      PayoutMismatchObserved: (_event, { mismatches }) => ({ mismatches: mismatches + 1 }),
    },
  ),
);

/**
 * The payouts for lists and reconciliation. A single payout that is read by its id is computed from
 * its event stream instead.
 */
export const payoutList: Projection<PayoutListRow> = {
  name: 'payout_list',
  streamTypes: ['payout'],
  keyColumn: 'payout_id',
  columns: COLUMNS,
  apply,
};
