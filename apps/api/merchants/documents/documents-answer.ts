import { ApiProperty } from '@nestjs/swagger';
import type { DocumentKind } from '#onboarding';
import type {
  WireCompanyAnswer, WireDocument, WireRepresentative, WireUploads,
} from '#psp-hosted';
import { DOCUMENT_KINDS } from '../merchant-answer.js';

/** Which document of a merchant: of a kind, and of a person where it is an identity card. */
interface Place {
  readonly kind: DocumentKind;
  readonly personId: string | null;
}

class ExpectedDocument {
  @ApiProperty({ enum: DOCUMENT_KINDS })
  kind!: string;

  @ApiProperty({ type: String, nullable: true, description: 'Whose identity card.' })
  personId!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Your label of this person.' })
  transactionIdentifier!: string | null;
}

class SentDocument {
  @ApiProperty({ example: 'dcmt_3xKq0Zb7Yw2m4c9NfTgV1hJa' })
  id!: string;

  @ApiProperty({ description: 'As the provider tells it: `kbis`, `iban`, `idcard`.' })
  kind!: string;

  @ApiProperty({ type: String, nullable: true, description: 'Whose identity card.' })
  personId!: string | null;
}

/** A merchant's documents, as the provider shows them now. */
export class DocumentsAnswer {
  @ApiProperty({ type: ExpectedDocument, isArray: true, description: 'What can be sent.' })
  expected!: readonly ExpectedDocument[];

  @ApiProperty({
    type: SentDocument, isArray: true,
    description: 'What is there, by whomever it was sent; names and contents are not told.',
  })
  sent!: readonly SentDocument[];
}

export class UploadedAnswer {
  @ApiProperty({ type: String, isArray: true, example: ['dcmt_3xKq0Zb7Yw2m4c9NfTgV1hJa'] })
  documentIds!: readonly string[];
}

/** Its name is for us alone: it is whatever its sender has called it. */
type NamedDocument = SentDocument & { readonly name: string };

const sent = (
  documents: readonly WireDocument[], personId: string | null,
): readonly NamedDocument[] =>
  documents.map(({ id, 'document-type': kind, 'document-name': name }) =>
    ({ id, kind, personId, name }));

const sentOf = (head: WireRepresentative): readonly NamedDocument[] => [
  ...sent(head.documents, head.person?.id ?? null),
  ...(head.company?.representatives ?? []).flatMap(sentOf),
];

/** Who owns and represents has one identity card, which is told of once. */
const sentAt = ({ company }: WireCompanyAnswer): readonly NamedDocument[] => {
  const all = [
    ...sent(company.documents, null),
    ...company.owners.flatMap(({ documents, person }) => sent(documents, person.id)),
    ...company.representatives.flatMap(sentOf),
  ];
  return all.filter(({ id }, index) => all.findIndex((one) => one.id === id) === index);
};

const expectedIn = (uploads: WireUploads): readonly ExpectedDocument[] => [
  ...uploads['company-documents'].map(({ document }) =>
    ({ kind: document, personId: null, transactionIdentifier: null })),
  ...uploads['identity-documents'].map((card) => ({
    kind: 'idcard', personId: card.id, transactionIdentifier: card['transaction-identifier'],
  })),
];

export const documentsAnswer = (company: WireCompanyAnswer): DocumentsAnswer => ({
  expected: expectedIn(company['documents-to-upload']),
  sent: sentAt(company).map(({ id, kind, personId }) => ({ id, kind, personId })),
});

/** The ids of what is there in this place under a name with this mark. */
export const markedAt = (
  company: WireCompanyAnswer, { kind, personId }: Place, mark: string,
): readonly string[] =>
  sentAt(company)
    .filter((one) =>
      one.kind === kind && one.personId === personId && one.name.startsWith(mark))
    .map(({ id }) => id);

/** Where a document of this place is sent to; null when none is expected there. */
export const uploadUrlOf = (uploads: WireUploads, { kind, personId }: Place): string | null => {
  const found = kind === 'idcard'
    ? uploads['identity-documents'].find(({ id }) => id === personId)
    : uploads['company-documents'].find(({ document }) => document === kind);
  return found?.['upload-url'] ?? null;
};
