import { assert, assertNever } from '#kernel';
import type { RecordedEvent } from '#event-store';
import type { Merchant, MerchantEvent, MerchantMode } from '#onboarding';
import type { ProjectedRow, Projection } from './projection.js';

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

type Shown = Pick<MerchantListRow, 'status' | 'open_for_orders' | 'company_id'>;

/** What an event changes of what the list shows. */
const changeBy = (event: Exclude<MerchantEvent, { type: 'MerchantDrafted' }>): Partial<Shown> => {
  switch (event.type) {
    case 'RegistrationRequested':
      return { status: 'requested' };
    case 'RegistrationRejected':
      return { status: 'rejected' };
    case 'RegistrationFoundAbsent':
      return { status: 'draft' };
    case 'CompanyRegistered':
      return { status: 'notComplete', company_id: event.companyId };
    case 'CompanyStatusChanged':
      return { status: event.status };
    case 'MerchantOpened':
      return { open_for_orders: true };
    case 'MerchantClosed':
      return { open_for_orders: false };
    case 'DetailsRevised':
    case 'CompanyAccountFound':
    case 'CompanyStatusConfirmed':
    case 'EarlierStatusFound':
    case 'RequirementsObserved':
    case 'SubscriptionLinkOffered':
    case 'DocumentsUploaded':
    case 'DocumentRemoved':
    case 'KeysRequested':
    case 'AccountAttached':
    case 'TerminalRequested':
    case 'TerminalOrdered':
    case 'TerminalOrderRejected':
    case 'TerminalObserved':
    case 'TerminalCancelRequested':
    case 'CompanyCallUnknown':
    case 'CompanyCallSettled':
    case 'CompanyFellSilent':
    case 'PersonalDataErased':
    case 'CompanyMismatchObserved':
    case 'CompanyMismatchesReviewed':
      return {};
    default:
      return assertNever(event);
  }
};

const apply = (row: MerchantListRow | null, recorded: RecordedEvent): MerchantListRow => {
  const { streamId, version, type, data } = recorded;
  // The log gives events back as they were written, lifted to today's schema.
  const event = { ...data, type } as MerchantEvent;
  if (event.type === 'MerchantDrafted') {
    return {
      merchant_id: streamId,
      platform_id: event.platformId,
      reference: event.reference,
      mode: event.mode,
      status: 'draft',
      open_for_orders: false,
      company_id: null,
      drafted_at: event.at,
      version,
    };
  }
  assert(row !== null, 'a merchant is drafted before anything else happens to it');
  return { ...row, ...changeBy(event), version };
};

/** Merchants for lists and search; GET by id folds the stream instead. */
export const merchantList: Projection<MerchantListRow> = {
  name: 'merchant_list',
  streamTypes: ['merchant'],
  keyColumn: 'merchant_id',
  columns: [
    'merchant_id', 'platform_id', 'reference', 'mode', 'status', 'open_for_orders', 'company_id',
    'drafted_at', 'version',
  ] satisfies readonly (keyof MerchantListRow)[],
  apply,
};
