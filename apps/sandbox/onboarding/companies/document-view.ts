import { countryByAlpha3 } from '../codes/countries.js';
import type { CompanyDocumentAnswer, IdentityAnswer, UploadsAnswer } from './company-answer.js';
import { allRepresentatives, identifiedPersons } from './company-file.js';
import type { DocumentRow, FullCompany, UploadRow } from './company-row.js';
import { isFinalized } from './company-status.js';

/**
 * The IBAN in responses. Once the registration is finalized, every character is replaced with an X.
 */
export const shownIban = ({ status, file: { iban } }: FullCompany): string | null => {
  if (iban === undefined) return null;
  return isFinalized(status) ? 'X'.repeat(iban.length) : iban;
};

const documentsAt = (
  company: FullCompany,
  wanted: (upload: UploadRow) => boolean,
): readonly (DocumentRow & { readonly upload: UploadRow })[] =>
  company.documents.flatMap((document) => {
    const upload = company.uploads.find(({ token }) => token === document.token);
    return upload !== undefined && wanted(upload) ? [{ ...document, upload }] : [];
  });

/**
 * The company's documents, without identity cards. The sandbox does not read the content of the
 * files: the fields of a document are filled from the company's data that the partner sent with the
 * company. See docs/provider/onboarding-completion.md#files.
 */
export const companyDocuments = (company: FullCompany): readonly CompanyDocumentAnswer[] =>
  documentsAt(company, ({ document }) => document !== 'idcard').map(({ name, id, upload }) =>
    upload.document === 'iban'
      ? { 'document-name': name, 'document-type': 'iban', id, iban: shownIban(company) }
      : {
          'document-name': name,
          'document-type': 'kbis',
          id,
          'date-birth': null,
          name: company.file['legal-name'],
          number: company.file['legal-id'],
        },
  );

/** A person's identity documents, with one record for each uploaded side. */
export const identityDocuments = (
  company: FullCompany,
  personId: string,
): readonly IdentityAnswer[] => {
  const person = company.file.persons[personId];
  if (person === undefined) return [];
  return documentsAt(company, (upload) => upload.person_id === personId).map((document) => ({
    address: person.address?.line1 ?? null,
    city: person.address?.city ?? null,
    country: countryByAlpha3(person.address?.country),
    'date-birth': person.birth?.date ?? null,
    'date-expiry': document.date_expiry,
    'date-issue': document.date_issue,
    'document-name': document.name,
    'document-type': 'idcard',
    id: document.id,
    name: `${person['first-name']} ${person['last-name']}`,
    number: document.number,
    'zip-code': person.address?.['zip-code'] ?? null,
  }));
};

/**
 * The label of a person's identity document: that of the representative, which the document belongs
 * to by default, otherwise that of the owner.
 */
const labelOf = ({ file }: FullCompany, personId: string): string | null => {
  const roles = [...allRepresentatives(file.representatives), ...file.owners];
  const labels = roles
    .filter(({ person }) => person === personId)
    .map((role) => role['transaction-identifier']);
  return labels.find((label) => label !== undefined) ?? null;
};

/** The expected documents with their upload URLs (docs/provider/onboarding.md#documents). */
export const uploadsView = (company: FullCompany, partnersUrl: string): UploadsAnswer => {
  const urlOf = ({ token }: UploadRow): string => `${partnersUrl}/document/${token}`;
  const uploadFor = (personId: string): UploadRow | undefined =>
    company.uploads.find((upload) => upload.person_id === personId);
  return {
    'company-documents': company.uploads.flatMap((upload) =>
      upload.document === 'idcard'
        ? []
        : [{ document: upload.document, 'upload-url': urlOf(upload) }],
    ),
    'identity-documents': identifiedPersons(company.file).flatMap((personId) => {
      const person = company.file.persons[personId];
      const upload = uploadFor(personId);
      if (person === undefined || upload === undefined) return [];
      return [
        {
          address: person.address?.line1 ?? null,
          city: person.address?.city ?? null,
          country: countryByAlpha3(person.address?.country),
          'date-birth': person.birth?.date ?? null,
          'first-name': person['first-name'],
          id: personId,
          'last-name': person['last-name'],
          'transaction-identifier': labelOf(company, personId),
          'upload-url': urlOf(upload),
          'zip-code': person.address?.['zip-code'] ?? null,
        },
      ];
    }),
  };
};
