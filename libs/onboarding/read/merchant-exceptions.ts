import { type ProjectedRow, type Projection, rowsFrom } from '#projections';
import type { MerchantCall, MerchantEvent } from '../domain/merchant-event.js';

/** A row of `merchant_exceptions`, by its columns. */
export interface MerchantExceptionRow extends ProjectedRow {
  readonly merchant_id: string;
  readonly status: string;
  /** Since ops were told that nothing is heard; null once something was. */
  readonly silent_since: string | null;
  /** Calls whose outcome nobody knows. */
  readonly unknown_calls: readonly MerchantCall[];
  readonly unknown_since: string | null;
  /** What the provider showed that cannot be, and nobody has looked into. */
  readonly mismatches: readonly string[];
  readonly mismatched_since: string | null;
}

const apply = rowsFrom<MerchantExceptionRow, MerchantEvent, 'MerchantDrafted'>(
  {
    MerchantDrafted: (_event, streamId) => ({
      merchant_id: streamId,
      status: 'draft',
      silent_since: null,
      unknown_calls: [],
      unknown_since: null,
      mismatches: [],
      mismatched_since: null,
    }),
  },
  {
    RegistrationRequested: () => ({ status: 'requested', silent_since: null }),
    RegistrationRejected: () => ({ status: 'rejected', silent_since: null }),
    RegistrationFoundAbsent: () => ({ status: 'draft' }),
    CompanyRegistered: () => ({ status: 'incomplete', silent_since: null }),
    CompanyStatusChanged: ({ status }) => ({ status, silent_since: null }),
    MerchantOpened: () => ({ silent_since: null }),
    CompanyFellSilent: ({ at }) => ({ silent_since: at }),
    CompanyCallUnknown: ({ call, at }, row) => ({
      unknown_calls: [...row.unknown_calls, call],
      unknown_since: row.unknown_since ?? at,
    }),
    CompanyCallSettled: ({ call }, row) => {
      const unknown = row.unknown_calls.filter((one) => one !== call);
      return {
        unknown_calls: unknown,
        unknown_since: unknown.length === 0 ? null : row.unknown_since,
      };
    },
    CompanyMismatchObserved: ({ aspect, expected, observed, at }, row) => ({
      mismatches: [...row.mismatches, `${aspect} ${expected}: ${observed}`],
      mismatched_since: row.mismatched_since ?? at,
    }),
    CompanyMismatchesReviewed: () => ({ mismatches: [], mismatched_since: null }),
    DetailsRevised: 'ignored',
    CompanyAccountFound: 'ignored',
    CompanyStatusConfirmed: 'ignored',
    EarlierStatusFound: 'ignored',
    RequirementsObserved: 'ignored',
    SubscriptionLinkOffered: 'ignored',
    DocumentsUploaded: 'ignored',
    DocumentRemoved: 'ignored',
    KeysRequested: 'ignored',
    AccountAttached: 'ignored',
    MerchantClosed: 'ignored',
    TerminalRequested: 'ignored',
    TerminalOrdered: 'ignored',
    TerminalOrderRejected: 'ignored',
    TerminalObserved: 'ignored',
    TerminalCancelRequested: 'ignored',
    PersonalDataErased: 'ignored',
  },
);

/**
 * Which merchants wait for a person: companies that are silent or contradict themselves, calls of
 * unknown outcome.
 */
export const merchantExceptions: Projection<MerchantExceptionRow> = {
  name: 'merchant_exceptions',
  streamTypes: ['merchant'],
  keyColumn: 'merchant_id',
  columns: [
    'merchant_id',
    'status',
    'silent_since',
    'unknown_calls',
    'unknown_since',
    'mismatches',
    'mismatched_since',
    'version',
  ] satisfies readonly (keyof MerchantExceptionRow)[],
  apply,
};
