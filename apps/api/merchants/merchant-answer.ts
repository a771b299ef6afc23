import { ApiProperty } from '@nestjs/swagger';
import {
  changesOf,
  type CompanyStatus,
  type DocumentKind,
  isRegistered,
  MERCHANT_STATUSES,
  type RegisteredMerchant,
} from '#onboarding';
import { ACCOUNT_MODES, type AccountMode } from '#psp';
import { DateTime, Field, ListOf, Nullable, OneOf } from '#platform';
import type { KnownMerchant } from '../shared/tenancy.js';
import { reasonClosed } from './open-for-orders.js';
import { ERASED_BEFORE_REGISTRATION, rejectionOf } from './provider-refusals.js';

export const DOCUMENT_KINDS = [
  'registration_extract',
  'bank_account_proof',
  'identity_card',
] as const satisfies readonly DocumentKind[];

const SOURCES = ['history', 'read', 'response'] as const;

class OrdersAnswer {
  @Field('Whether the merchant accepts new orders.')
  enabled!: boolean;

  @Nullable(String, 'Why the merchant does not accept new orders, and what to do.')
  reason!: string | null;
}

class RejectionAnswer {
  @ApiProperty({ example: 'email_unavailable' })
  code!: string;

  @Field()
  detail!: string;

  @ListOf(
    String,
    'The fields of your request that caused the rejection. Change them, and the company is ' +
      'registered again.',
    { example: ['#/details/contact/email'] },
  )
  pointers!: readonly string[];
}

class StatusChangeAnswer {
  @Field('The day, in the time zone Europe/Paris.', { format: 'date' })
  day!: string;

  @OneOf(MERCHANT_STATUSES, 'The status of the company after the change.')
  status!: CompanyStatus;

  @OneOf(
    SOURCES,
    '`history`: the day of the change in the provider’s history. `read`, `response`: the day on ' +
      'which this status was observed.',
  )
  source!: (typeof SOURCES)[number];

  @Nullable(
    Boolean,
    'For `closing` and `closed`: whether the provider ended the contract, where known.',
  )
  terminatedByProvider!: boolean | null;
}

class MissingAnswer {
  @ListOf(
    String,
    'Paths of fields, documents (`documents.bank_account_proof`, ' +
      '`documents.identity_card.pers_…`), or `signature`.',
    { example: ['company.address', 'documents.registration_extract', 'signature'] },
  )
  items!: readonly string[];

  @DateTime()
  readAt!: string;
}

class DocumentRefAnswer {
  @Field('The id of the document at the provider, `dcmt_…`.', {
    example: 'dcmt_3xKq0Zb7Yw2m4c9NfTgV1hJa',
  })
  id!: string;

  @OneOf(DOCUMENT_KINDS, 'The kind of document.')
  kind!: DocumentKind;

  @Nullable(String, 'The id of the person to whom the identity card belongs.')
  personId!: string | null;
}

class MerchantAccountAnswer {
  @Field('The id of the provider account, `acc_…`.', { example: 'acc_3xKq0Zb7Yw2m4c9NfTgV1hJa' })
  id!: string;

  @OneOf(ACCOUNT_MODES)
  mode!: AccountMode;
}

export class TerminalAnswer {
  @Field('The id of the terminal at the provider.', { example: 'term_3xKq0Zb7Yw2m4c9NfTgV1hJa' })
  id!: string;

  @Field()
  name!: string;

  @Field(
    '`pending`, `canceled`, `in_progress`, `shipped`, `delivered`, `activated`, `lost`, ' +
      '`return_pending`, `kept`, `returned` or `deactivated`; `unrecognized …` with the ' +
      'provider’s own word.',
    { example: 'shipped' },
  )
  status!: string;

  @Nullable(String)
  carrierName!: string | null;

  @Nullable(String)
  trackingUrl!: string | null;

  @Field('Whether the cancellation of the terminal was requested.')
  cancelRequested!: boolean;
}

export class TerminalsAnswer {
  @ListOf(TerminalAnswer)
  items!: readonly TerminalAnswer[];

  @Nullable(
    String,
    'The name of the terminal that is being ordered; only one order at a time is possible.',
  )
  ordering!: string | null;
}

/**
 * A merchant as its platform sees it, without personal data, which only the merchant's details
 * contain.
 */
export class MerchantAnswer {
  @Field('The id of the merchant, `mer_…`.', { example: 'mer_3xKq0Zb7Yw2m4c9NfTgV1hJa' })
  id!: string;

  @OneOf(
    MERCHANT_STATUSES,
    '`draft`, `requested` and `rejected` precede the company’s registration at the provider; ' +
      'the others are the company’s status there.',
  )
  status!: KnownMerchant['status'];

  @Field()
  reference!: string;

  @OneOf(ACCOUNT_MODES)
  mode!: AccountMode;

  @ApiProperty({ type: OrdersAnswer })
  orders!: OrdersAnswer;

  @Nullable(RejectionAnswer)
  rejection!: RejectionAnswer | null;

  @Nullable(String, 'The id of the merchant’s company at the provider.')
  companyId!: string | null;

  @Nullable(
    MissingAnswer,
    'Null until the missing requirements have been read from the provider; no items once the ' +
      'contract is signed.',
  )
  missing!: MissingAnswer | null;

  @ListOf(
    StatusChangeAnswer,
    'Oldest first. If the status changed several times within a day, some changes may be missing.',
  )
  statusChanges!: readonly StatusChangeAnswer[];

  @ListOf(DocumentRefAnswer, 'The documents that were sent through this API.')
  documents!: readonly DocumentRefAnswer[];

  @ListOf(
    MerchantAccountAnswer,
    'The provider accounts that receive the payments of the merchant’s orders.',
  )
  accounts!: readonly MerchantAccountAnswer[];

  @ApiProperty({ type: TerminalsAnswer })
  terminals!: TerminalsAnswer;

  @Field('Whether the merchant’s details were erased here; the provider may still have them.')
  personalDataErased!: boolean;
}

const rejectionAnswer = (merchant: KnownMerchant): RejectionAnswer | null => {
  if (merchant.status !== 'rejected') return null;
  const { reason, fields, detailsRef } = merchant;
  return detailsRef === null ? ERASED_BEFORE_REGISTRATION : rejectionOf(reason, fields);
};

const missingAnswer = ({ requirements }: RegisteredMerchant): MissingAnswer | null =>
  requirements && { items: requirements.missing, readAt: requirements.readAt };

export const terminalsAnswer = (merchant: KnownMerchant): TerminalsAnswer => {
  if (!isRegistered(merchant)) return { items: [], ordering: null };
  const items = merchant.terminals.map(
    ({ terminalId: id, name, status, carrierName, trackingUrl, cancelRequested }) => ({
      id,
      name,
      status,
      carrierName,
      trackingUrl,
      cancelRequested,
    }),
  );
  return { items, ordering: merchant.terminalOrder?.name ?? null };
};

/** The fields that exist after the company was registered. */
const companyAnswer = (
  merchant: KnownMerchant,
): Pick<MerchantAnswer, 'companyId' | 'missing' | 'statusChanges' | 'documents' | 'accounts'> => {
  if (!isRegistered(merchant)) {
    return { companyId: null, missing: null, statusChanges: [], documents: [], accounts: [] };
  }
  return {
    companyId: merchant.companyId,
    missing: missingAnswer(merchant),
    statusChanges: changesOf(merchant.statusObservations).map(
      ({ day, status, source, terminatedByProvider }) => ({
        day,
        status,
        source,
        terminatedByProvider,
      }),
    ),
    documents: merchant.documents.map(({ documentId: id, kind, personId }) => ({
      id,
      kind,
      personId,
    })),
    accounts: merchant.accounts.map(({ accountId: id, mode }) => ({ id, mode })),
  };
};

export const merchantAnswer = (id: string, merchant: KnownMerchant): MerchantAnswer => {
  const reason = reasonClosed(merchant);
  return {
    id,
    status: merchant.status,
    reference: merchant.terms.reference,
    mode: merchant.terms.mode,
    orders: { enabled: reason === null, reason },
    rejection: rejectionAnswer(merchant),
    ...companyAnswer(merchant),
    terminals: terminalsAnswer(merchant),
    personalDataErased: merchant.detailsRef === null,
  };
};
