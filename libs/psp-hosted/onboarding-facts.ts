import { assert } from '#kernel';
import type {
  CompanyFacts,
  DocumentFacts,
  ExpectedDocument,
  PersonFacts,
  ProgressFacts,
  StatusChangeFacts,
  StatusHistory,
  TerminalFacts,
} from '#psp';
import type {
  WireCompanyAnswer,
  WireDocument,
  WireRepresentative,
  WireUploads,
} from './onboarding-company-wire.js';
import { ourPath, shownDetails } from './onboarding-details.js';
import type {
  WireHistory,
  WireProgress,
  WireStatusChange,
  WireTerminal,
} from './onboarding-wire.js';
import { companyStatus, documentKind, terminalStatus } from './statuses.js';

const personFactsOf = (representative: WireRepresentative): PersonFacts => {
  const { person, company, 'transaction-identifier': reference } = representative;
  const id = person?.id ?? company?.id;
  assert(id !== undefined, 'a representative is a person or a company');
  return { id, reference };
};

const documentsOf = (
  documents: readonly WireDocument[],
  personId: string | null,
): readonly DocumentFacts[] =>
  documents.map(({ id, 'document-type': kind, 'document-name': name }) => ({
    documentId: id,
    kind: documentKind(kind),
    personId,
    name,
  }));

const documentsOfRepresentative = (
  representative: WireRepresentative,
): readonly DocumentFacts[] => [
  ...documentsOf(representative.documents, representative.person?.id ?? null),
  ...(representative.company?.representatives ?? []).flatMap(documentsOfRepresentative),
];

/**
 * The documents of a company. The identity card of a person who is both owner and representative is
 * listed once.
 */
const sentDocuments = ({ company }: WireCompanyAnswer): readonly DocumentFacts[] => {
  const all = [
    ...documentsOf(company.documents, null),
    ...company.owners.flatMap(({ documents, person }) => documentsOf(documents, person.id)),
    ...company.representatives.flatMap(documentsOfRepresentative),
  ];
  const isFirst = ({ documentId }: DocumentFacts, index: number): boolean =>
    all.findIndex((one) => one.documentId === documentId) === index;
  return all.filter(isFirst);
};

const expectedDocuments = (uploads: WireUploads): readonly ExpectedDocument[] => [
  ...uploads['company-documents'].flatMap(({ document, 'upload-url': uploadTo }) => {
    const kind = documentKind(document);
    return isUnknown(kind) ? [] : [{ kind, personId: null, reference: null, uploadTo }];
  }),
  ...uploads['identity-documents'].map((card) => ({
    kind: 'identity_card' as const,
    personId: card.id,
    reference: card['transaction-identifier'],
    uploadTo: card['upload-url'],
  })),
];

const isUnknown = (word: string): word is `unrecognized ${string}` =>
  word.startsWith('unrecognized ');

export const companyOf = (answer: WireCompanyAnswer): CompanyFacts => {
  const { company, user } = answer;
  return {
    companyId: company.id,
    companyAccountId: company.accounts[0]?.id ?? null,
    status: companyStatus(company.status),
    identity: { email: user.contact.email, registrationNumber: company['legal-id'] },
    details: shownDetails(answer),
    owners: company.owners.map(({ person, 'transaction-identifier': reference }) => ({
      id: person.id,
      reference,
    })),
    representatives: company.representatives.map(personFactsOf),
    documents: sentDocuments(answer),
    expected: expectedDocuments(answer['documents-to-upload']),
  };
};

const changeOf = (row: WireStatusChange): StatusChangeFacts => ({
  companyId: row.id,
  day: row['date-update'],
  status: companyStatus(row.status),
  terminatedByProvider: row['terminated-by-service'],
});

export const historyOf = ({ rows, unreadable }: WireHistory): StatusHistory => ({
  changes: rows.map(changeOf),
  unreadable,
});

/**
 * Our name for a missing item. A field and a document may have the same name, e.g. `iban`, so the
 * names of documents begin with `documents.`
 * (docs/provider/onboarding-completion.md#registration-progress).
 */
const missingItem =
  (step: string) =>
  (item: string): string => {
    if (step !== 'documents') return ourPath(item);
    const [kind = '', ...person] = item.split('.');
    return ['documents', documentKind(kind), ...person].join('.');
  };

/**
 * docs/provider/onboarding-completion.md#registration-progress: our name for a step of the
 * registration.
 */
const stepName = (code: string): string => (code === 'user' ? 'contact' : code);

export const progressOf = ({ status, percent, steps }: WireProgress): ProgressFacts => ({
  status: companyStatus(status),
  percent,
  steps: steps.map(({ code, complete, missing }) => ({
    code: stepName(code),
    complete,
    missing: missing.map(missingItem(code)),
  })),
});

export const terminalOf = (wire: WireTerminal): TerminalFacts => ({
  terminalId: wire.id,
  name: wire.name,
  status: terminalStatus(wire.status),
  carrierName: wire['carrier-name'],
  trackingUrl: wire['tracking-url'],
});
