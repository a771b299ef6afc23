import { ApiProperty } from '@nestjs/swagger';
import type { CompanyFacts, DocumentPlace, ExpectedDocument as ExpectedFacts } from '#psp';
import { Field, ListOf, Nullable, OneOf } from '#platform';
import { DOCUMENT_KINDS } from '../merchant-answer.js';

class ExpectedDocument {
  @OneOf(DOCUMENT_KINDS, 'The kind of document that is expected.')
  kind!: string;

  @Nullable(String, 'The id of the person to whom the identity card belongs, `pers_…`.')
  personId!: string | null;

  @Nullable(String, 'Your reference of this person.')
  reference!: string | null;
}

class SentDocument {
  @Field('The id of the document at the provider, `dcmt_…`.', {
    example: 'dcmt_3xKq0Zb7Yw2m4c9NfTgV1hJa',
  })
  id!: string;

  @Field('The kind of the document.', { example: 'registration_extract' })
  kind!: string;

  @Nullable(String, 'The id of the person to whom the identity card belongs, `pers_…`.')
  personId!: string | null;
}

/** A merchant's documents, read from the provider. */
export class DocumentsAnswer {
  @ListOf(ExpectedDocument, 'The documents that the provider expects.')
  expected!: readonly ExpectedDocument[];

  @ListOf(
    SentDocument,
    'The documents that the provider has, from any sender; their names and contents are not listed.',
  )
  sent!: readonly SentDocument[];
}

export class UploadedAnswer {
  @ApiProperty({ type: String, isArray: true, example: ['dcmt_3xKq0Zb7Yw2m4c9NfTgV1hJa'] })
  documentIds!: readonly string[];
}

export const documentsAnswer = ({ expected, documents }: CompanyFacts): DocumentsAnswer => ({
  expected: expected.map(({ kind, personId, reference }) => ({ kind, personId, reference })),
  sent: documents.map(({ documentId: id, kind, personId }) => ({ id, kind, personId })),
});

/**
 * The ids of the documents of this kind and person whose file names begin with the upload's prefix
 * `mark`.
 */
export const markedAt = (
  { documents }: CompanyFacts,
  { kind, personId }: DocumentPlace,
  mark: string,
): readonly string[] =>
  documents
    .filter((one) => one.kind === kind && one.personId === personId && one.name.startsWith(mark))
    .map(({ documentId }) => documentId);

/** The document of this kind and person that the provider expects; null if it expects none. */
export const expectedAt = (
  { expected }: CompanyFacts,
  { kind, personId }: DocumentPlace,
): ExpectedFacts | null =>
  expected.find((one) => one.kind === kind && one.personId === personId) ?? null;
