import { ignored } from '#kernel';
import { column, type Projection, type RowOf, rowsFrom } from '#projections';
import type { MerchantEvent, MerchantMode } from '../domain/merchant-event.js';
import type { Merchant } from '../domain/merchant.js';

type Status = Exclude<Merchant['status'], 'none'>;

const COLUMNS = {
  merchant_id: column<string>(),
  platform_id: column<string>(),
  reference: column<string>(),
  mode: column<MerchantMode>(),
  status: column<Status>(),
  orders_enabled: column<boolean>(),
  company_id: column<string | null>(),
  drafted_at: column<string>(),
};

/** A row of `merchant_list`, by its columns. */
export type MerchantListRow = RowOf<typeof COLUMNS>;

const apply = rowsFrom<MerchantListRow, MerchantEvent, 'MerchantDrafted'>(
  {
    MerchantDrafted: ({ platformId, reference, mode, at }, streamId) => ({
      merchant_id: streamId,
      platform_id: platformId,
      reference,
      mode,
      status: 'draft',
      orders_enabled: false,
      company_id: null,
      drafted_at: at,
    }),
  },
  {
    RegistrationRequested: () => ({ status: 'requested' }),
    RegistrationRejected: () => ({ status: 'rejected' }),
    RegistrationNotFound: () => ({ status: 'draft' }),
    CompanyRegistered: ({ companyId }) => ({ status: 'incomplete', company_id: companyId }),
    CompanyStatusChanged: ({ status }) => ({ status }),
    MerchantEnabled: () => ({ orders_enabled: true }),
    MerchantDisabled: () => ({ orders_enabled: false }),
    ...ignored('DetailsRevised', 'CompanyAccountObserved', 'CompanyStatusConfirmed'),
    ...ignored('EarlierStatusObserved', 'RequirementsObserved', 'SubscriptionLinkAvailable'),
    ...ignored('DocumentsUploaded', 'DocumentRemoved', 'CompanyKeysRequested', 'AccountAttached'),
    ...ignored('TerminalRequested', 'TerminalOrdered', 'TerminalOrderRejected', 'TerminalObserved'),
    ...ignored('TerminalCancelRequested', 'CompanyRequestResultUnknown'),
    ...ignored('CompanyRequestResultResolved', 'CompanyStatusOverdue', 'PersonalDataErased'),
    ...ignored('CompanyMismatchObserved', 'CompanyMismatchesReviewed'),
  },
);

/**
 * The merchants for lists and search. A single merchant that is read by its id is computed from its
 * event stream instead.
 */
export const merchantList: Projection<MerchantListRow> = {
  name: 'merchant_list',
  streamTypes: ['merchant'],
  keyColumn: 'merchant_id',
  columns: COLUMNS,
  apply,
};
