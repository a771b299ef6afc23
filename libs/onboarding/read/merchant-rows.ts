import { type ProjectedRow, type Projection, rowsFrom } from '#projections';
import type { MerchantEvent, MerchantMode } from '../domain/merchant-event.js';
import type { Merchant } from '../domain/merchant.js';

type Status = Exclude<Merchant['status'], 'none'>;

/** A row of `merchant_list`, by its columns. */
export interface MerchantListRow extends ProjectedRow {
  readonly merchant_id: string;
  readonly platform_id: string;
  readonly reference: string;
  readonly mode: MerchantMode;
  readonly status: Status;
  readonly open_for_orders: boolean;
  readonly company_id: string | null;
  readonly drafted_at: string;
}

const apply = rowsFrom<MerchantListRow, MerchantEvent, 'MerchantDrafted'>(
  {
    MerchantDrafted: ({ platformId, reference, mode, at }, streamId) => ({
      merchant_id: streamId,
      platform_id: platformId,
      reference,
      mode,
      status: 'draft',
      open_for_orders: false,
      company_id: null,
      drafted_at: at,
    }),
  },
  {
    RegistrationRequested: () => ({ status: 'requested' }),
    RegistrationRejected: () => ({ status: 'rejected' }),
    RegistrationFoundAbsent: () => ({ status: 'draft' }),
    CompanyRegistered: ({ companyId }) => ({ status: 'incomplete', company_id: companyId }),
    CompanyStatusChanged: ({ status }) => ({ status }),
    MerchantOpened: () => ({ open_for_orders: true }),
    MerchantClosed: () => ({ open_for_orders: false }),
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
    TerminalRequested: 'ignored',
    TerminalOrdered: 'ignored',
    TerminalOrderRejected: 'ignored',
    TerminalObserved: 'ignored',
    TerminalCancelRequested: 'ignored',
    CompanyCallUnknown: 'ignored',
    CompanyCallSettled: 'ignored',
    CompanyFellSilent: 'ignored',
    PersonalDataErased: 'ignored',
    CompanyMismatchObserved: 'ignored',
    CompanyMismatchesReviewed: 'ignored',
  },
);

/** Merchants for lists and search; GET by id folds the stream instead. */
export const merchantList: Projection<MerchantListRow> = {
  name: 'merchant_list',
  streamTypes: ['merchant'],
  keyColumn: 'merchant_id',
  columns: [
    'merchant_id',
    'platform_id',
    'reference',
    'mode',
    'status',
    'open_for_orders',
    'company_id',
    'drafted_at',
    'version',
  ] satisfies readonly (keyof MerchantListRow)[],
  apply,
};
