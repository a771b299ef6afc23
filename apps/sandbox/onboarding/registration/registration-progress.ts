import { legalForm } from '../codes/legal-forms.js';
import type { Address, CompanyFile, Person } from '../companies/company-file.js';
import { allRepresentatives, identifiedPersons } from '../companies/company-file.js';
import type { FullCompany } from '../companies/company-row.js';
import { isFinalized } from '../companies/company-status.js';
import { type RegistrationProgress, STEP_CODES, type StepCode } from './registration-wire.js';

const absent = (fields: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [name] : []));

const below = (path: string, names: readonly string[]): readonly string[] =>
  names.map((name) => `${path}.${name}`);

const missingAddress = (address: Address | undefined, path: string): readonly string[] => {
  if (address === undefined) return [path];
  const { line1, city, country, 'zip-code': zip } = address;
  return below(path, absent({ line1, 'zip-code': zip, city, country }));
};

const missingPerson = (person: Person | undefined): readonly string[] => {
  if (person === undefined) return ['person'];
  const { birth, 'country-residence': residence, nationality } = person;
  return [
    ...missingAddress(person.address, 'address'),
    ...(birth === undefined
      ? ['birth']
      : below('birth', absent({ country: birth.country, date: birth.date, place: birth.place }))),
    ...absent({ 'country-residence': residence, nationality }),
  ];
};

const missingOfCompany = (file: CompanyFile): readonly string[] => [
  ...absent({
    'date-registration': file['date-registration'],
    url: file.url,
    iban: file.iban,
    'activity-reference': file['activity-reference'],
    pnfe: file.pnfe,
    services: (file.services ?? []).length === 0 ? undefined : file.services,
  }),
  ...missingAddress(file['headquarters-address'], 'headquarters-address'),
];

const missingOfUser = ({ user, persons }: CompanyFile): readonly string[] => [
  ...below('user', missingPerson(persons[user.person])),
  ...below('user.contact', absent({ phone: user.contact.phone, lang: user.contact.lang })),
];

/** The missing data of the owners. A company without legal personality needs no owners. */
const missingOfOwners = (file: CompanyFile): readonly string[] => {
  const needed = legalForm(file['legal-form'])?.['has-legal-status'] === true;
  if (file.owners.length === 0) return needed ? ['owners'] : [];
  return file.owners.flatMap((owner, index) => [
    ...below(`owners.${index}.person`, missingPerson(file.persons[owner.person])),
    ...below(
      `owners.${index}`,
      absent({
        capital: owner.capital,
        votes: owner.votes,
        control: owner.control,
      }),
    ),
  ]);
};

const missingOfRepresentatives = (file: CompanyFile): readonly string[] => {
  if (file.representatives.length === 0) return ['representatives'];
  return allRepresentatives(file.representatives).flatMap((representative) => {
    const who =
      representative.company === undefined ? representative.person : representative.company.id;
    const path = `representatives.${who}`;
    const own =
      representative.company === undefined
        ? below('person', missingPerson(file.persons[representative.person]))
        : below('company', [
            ...missingAddress(
              representative.company['headquarters-address'],
              'headquarters-address',
            ),
            ...absent({ 'activity-reference': representative.company['activity-reference'] }),
          ]);
    return below(path, [...own, ...absent({ position: representative.position })]);
  });
};

const missingDocuments = (company: FullCompany): readonly string[] => {
  const isSent = (kind: string, personId: string | null): boolean =>
    company.uploads.some(
      (upload) =>
        upload.document === kind &&
        upload.person_id === personId &&
        company.documents.some(({ token }) => token === upload.token),
    );
  return [
    ...['kbis', 'iban'].filter((kind) => !isSent(kind, null)),
    ...identifiedPersons(company.file).flatMap((personId) =>
      isSent('idcard', personId) ? [] : [`idcard.${personId}`],
    ),
  ];
};

/**
 * The missing data of a registration, by step. See
 * docs/provider/onboarding-completion.md#registration-progress.
 */
export const progressOf = (company: FullCompany): RegistrationProgress => {
  const { file, id, status } = company;
  const missing: Readonly<Record<StepCode, readonly string[]>> = {
    company: missingOfCompany(file),
    user: missingOfUser(file),
    owners: missingOfOwners(file),
    representatives: missingOfRepresentatives(file),
    documents: missingDocuments(company),
    contract: isFinalized(status) ? [] : ['signature'],
  };
  const steps = STEP_CODES.map((code) => ({
    code,
    complete: missing[code].length === 0,
    missing: missing[code],
  }));
  const done = steps.filter(({ complete }) => complete).length;
  return { company: id, status, steps, percent: Math.floor((done * 100) / steps.length) };
};

/** What a company needs before it can sign: all data except the signature. */
export const missingToSign = (progress: RegistrationProgress): readonly string[] =>
  progress.steps.flatMap(({ code, missing }) => (code === 'contract' ? [] : missing));
