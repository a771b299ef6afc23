import { ignored } from '#kernel';
import { column, type Projection, type RowOf, rowsFrom } from '#projections';
import type { MerchantCall, MerchantEvent } from '../domain/merchant-event.js';

const COLUMNS = {
  merchant_id: column<string>(),
  status: column<string>(),
  /**
   * When operators were notified that the company has had its status for too long; null after the
   * status has changed.
   */
  status_overdue_since: column<string | null>(),
  /** The provider requests with an unknown result. */
  unknown_results: column<readonly MerchantCall[]>(),
  unknown_since: column<string | null>(),
  /** The mismatches that no operator has reviewed. */
  mismatches: column<readonly string[]>(),
  mismatched_since: column<string | null>(),
};

/** A row of `merchant_attention`, by its columns. */
export type MerchantExceptionRow = RowOf<typeof COLUMNS>;

const apply = rowsFrom<MerchantExceptionRow, MerchantEvent, 'MerchantDrafted'>(
  {
    MerchantDrafted: (_event, streamId) => ({
      merchant_id: streamId,
      status: 'draft',
      status_overdue_since: null,
      unknown_results: [],
      unknown_since: null,
      mismatches: [],
      mismatched_since: null,
    }),
  },
  {
    RegistrationRequested: () => ({ status: 'requested', status_overdue_since: null }),
    RegistrationRejected: () => ({ status: 'rejected', status_overdue_since: null }),
    RegistrationNotFound: () => ({ status: 'draft' }),
    CompanyRegistered: () => ({ status: 'incomplete', status_overdue_since: null }),
    CompanyStatusChanged: ({ status }) => ({ status, status_overdue_since: null }),
    MerchantEnabled: () => ({ status_overdue_since: null }),
    CompanyStatusOverdue: ({ at }) => ({ status_overdue_since: at }),
    CompanyRequestResultUnknown: ({ request, at }, row) => ({
      unknown_results: [...row.unknown_results, request],
      unknown_since: row.unknown_since ?? at,
    }),
    CompanyRequestResultResolved: ({ request }, row) => {
      const unknown = row.unknown_results.filter((one) => one !== request);
      return {
        unknown_results: unknown,
        unknown_since: unknown.length === 0 ? null : row.unknown_since,
      };
    },
    CompanyMismatchObserved: ({ aspect, expected, observed, at }, row) => ({
      mismatches: [...row.mismatches, `${aspect} ${expected}: ${observed}`],
      mismatched_since: row.mismatched_since ?? at,
    }),
    CompanyMismatchesReviewed: () => ({ mismatches: [], mismatched_since: null }),
    ...ignored('DetailsRevised', 'CompanyAccountObserved', 'CompanyStatusConfirmed'),
    ...ignored('EarlierStatusObserved', 'RequirementsObserved', 'SubscriptionLinkAvailable'),
    ...ignored('DocumentsUploaded', 'DocumentRemoved', 'CompanyKeysRequested', 'AccountAttached'),
    ...ignored('MerchantDisabled', 'TerminalRequested', 'TerminalOrdered', 'TerminalOrderRejected'),
    ...ignored('TerminalObserved', 'TerminalCancelRequested', 'PersonalDataErased'),
  },
);

/**
 * Merchants that need attention: companies with an overdue status or mismatches, requests with an
 * unknown result.
 */
export const merchantExceptions: Projection<MerchantExceptionRow> = {
  name: 'merchant_attention',
  streamTypes: ['merchant'],
  keyColumn: 'merchant_id',
  columns: COLUMNS,
  apply,
};
