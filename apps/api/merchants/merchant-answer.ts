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
import type { KnownMerchant } from '../shared/tenancy.js';
import { reasonClosed } from './open-for-orders.js';
import { rejectionOf } from './provider-refusals.js';

export const DOCUMENT_KINDS = [
  'registration_extract',
  'bank_account_proof',
  'identity_card',
] as const satisfies readonly DocumentKind[];

const SOURCES = ['history', 'read', 'answer'] as const;

class OrdersAnswer {
  @ApiProperty({ description: 'Whether new orders are taken for the merchant.' })
  open!: boolean;

  @ApiProperty({ type: String, nullable: true, description: 'Why not, and what there is to do.' })
  reason!: string | null;
}

class RejectionAnswer {
  @ApiProperty({ example: 'email_unavailable' })
  code!: string;

  @ApiProperty()
  detail!: string;

  @ApiProperty({
    type: String,
    isArray: true,
    example: ['#/details/contact/email'],
    description: 'The fields of your request that caused it. Change them: it is registered again.',
  })
  pointers!: readonly string[];
}

class StatusChangeAnswer {
  @ApiProperty({ format: 'date', description: 'In Europe/Paris.' })
  day!: string;

  @ApiProperty({ enum: MERCHANT_STATUSES })
  status!: CompanyStatus;

  @ApiProperty({
    enum: SOURCES,
    description:
      '`history`: the day of the change, by the provider’s history. `read`, `answer`: the day on ' +
      'which the company was seen to have this status.',
  })
  source!: (typeof SOURCES)[number];

  @ApiProperty({ type: Boolean, nullable: true, description: 'Of the two endings, where known.' })
  terminatedByService!: boolean | null;
}

class MissingAnswer {
  @ApiProperty({
    type: String,
    isArray: true,
    example: ['company.address', 'documents.registration_extract', 'signature'],
    description:
      'Paths of fields, documents (`documents.bank_account_proof`, ' +
      '`documents.identity_card.pers_…`), or `signature`.',
  })
  items!: readonly string[];

  @ApiProperty({ format: 'date-time' })
  readAt!: string;
}

class DocumentRefAnswer {
  @ApiProperty({ example: 'dcmt_3xKq0Zb7Yw2m4c9NfTgV1hJa' })
  id!: string;

  @ApiProperty({ enum: DOCUMENT_KINDS })
  kind!: DocumentKind;

  @ApiProperty({ type: String, nullable: true, description: 'Whose identity card it is.' })
  personId!: string | null;
}

class MerchantAccountAnswer {
  @ApiProperty({ example: 'acc_3xKq0Zb7Yw2m4c9NfTgV1hJa' })
  id!: string;

  @ApiProperty({ enum: ACCOUNT_MODES })
  mode!: AccountMode;
}

export class TerminalAnswer {
  @ApiProperty({ example: 'term_3xKq0Zb7Yw2m4c9NfTgV1hJa' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({
    example: 'shipped',
    description:
      '`pending`, `canceled`, `in_progress`, `shipped`, `delivered`, `activated`, `lost`, ' +
      '`return_pending`, `kept`, `returned` or `deactivated`; `unrecognized …` with the ' +
      'provider’s own word.',
  })
  status!: string;

  @ApiProperty({ type: String, nullable: true })
  carrierName!: string | null;

  @ApiProperty({ type: String, nullable: true })
  trackingUrl!: string | null;

  @ApiProperty({ description: 'Its cancellation is asked for.' })
  cancelRequested!: boolean;
}

export class TerminalsAnswer {
  @ApiProperty({ type: TerminalAnswer, isArray: true })
  items!: readonly TerminalAnswer[];

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The name of the one that is being ordered: one at a time.',
  })
  ordering!: string | null;
}

/** A merchant as its platform sees it. Who its people are: see its details. */
export class MerchantAnswer {
  @ApiProperty({ example: 'mer_3xKq0Zb7Yw2m4c9NfTgV1hJa' })
  id!: string;

  @ApiProperty({
    enum: MERCHANT_STATUSES,
    description:
      '`draft`, `requested` and `rejected` are before its company exists at the provider; the ' +
      'others are the company’s.',
  })
  status!: KnownMerchant['status'];

  @ApiProperty()
  reference!: string;

  @ApiProperty({ enum: ACCOUNT_MODES })
  mode!: AccountMode;

  @ApiProperty({ type: OrdersAnswer })
  orders!: OrdersAnswer;

  @ApiProperty({ type: RejectionAnswer, nullable: true })
  rejection!: RejectionAnswer | null;

  @ApiProperty({ type: String, nullable: true, description: 'Its company at the provider.' })
  companyId!: string | null;

  @ApiProperty({ type: MissingAnswer, nullable: true, description: 'Null until it was read.' })
  missing!: MissingAnswer | null;

  @ApiProperty({
    type: StatusChangeAnswer,
    isArray: true,
    description: 'Oldest first. Of several changes within a day some may not be shown.',
  })
  statusChanges!: readonly StatusChangeAnswer[];

  @ApiProperty({
    type: DocumentRefAnswer,
    isArray: true,
    description: 'Those that were sent through here.',
  })
  documents!: readonly DocumentRefAnswer[];

  @ApiProperty({ type: MerchantAccountAnswer, isArray: true, description: 'What it is paid with.' })
  accounts!: readonly MerchantAccountAnswer[];

  @ApiProperty({ type: TerminalsAnswer })
  terminals!: TerminalsAnswer;

  @ApiProperty({ description: 'Its details are no longer kept here; the provider may have them.' })
  personalDataErased!: boolean;
}

const rejectionAnswer = (merchant: KnownMerchant): RejectionAnswer | null =>
  merchant.status === 'rejected' ? rejectionOf(merchant.reason, merchant.fields) : null;

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

/** What is known once the company exists. */
const companyAnswer = (
  merchant: KnownMerchant,
): Pick<MerchantAnswer, 'companyId' | 'missing' | 'statusChanges' | 'documents' | 'accounts'> => {
  if (!isRegistered(merchant)) {
    return { companyId: null, missing: null, statusChanges: [], documents: [], accounts: [] };
  }
  return {
    companyId: merchant.companyId,
    missing: missingAnswer(merchant),
    statusChanges: changesOf(merchant.sightings).map(
      ({ day, status, source, terminatedByService }) => ({
        day,
        status,
        source,
        terminatedByService,
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
    orders: { open: reason === null, reason },
    rejection: rejectionAnswer(merchant),
    ...companyAnswer(merchant),
    terminals: terminalsAnswer(merchant),
    personalDataErased: merchant.detailsRef === null,
  };
};
