import { merchantCategory } from '../codes/activities.js';
import { type AmountRange, rangeOf } from '../codes/amount-ranges.js';
import type { CodeAndName } from '../codes/code-and-name.js';
import { countryByAlpha3 } from '../codes/countries.js';
import { legalForm, positionsOf } from '../codes/legal-forms.js';
import { parisDay } from '../paris-day.js';
import type {
  AddressAnswer,
  CompanyAnswer,
  LegalPersonAnswer,
  RepresentativeAnswer,
  UserAnswer,
} from './company-answer.js';
import { type LegalPerson, type Representative, representativePersons } from './company-file.js';
import type { FullCompany } from './company-row.js';
import { companyDocuments, identityDocuments, shownIban, uploadsView } from './document-view.js';
import { addressView, contactView, personView } from './person-view.js';

const range = (code: string | undefined): AmountRange | null =>
  code === undefined ? null : rangeOf(code);

const positionView = (code: string | undefined, form: string): CodeAndName | null =>
  positionsOf(form)?.find((position) => position.code === code) ?? null;

const withBusinessName = (
  address: AddressAnswer | null,
  name: string,
): LegalPersonAnswer['headquarters-address'] =>
  address === null ? null : { 'business-name': name, ...address };

const legalPersonView = (company: FullCompany, legal: LegalPerson): LegalPersonAnswer => ({
  'activity-reference': legal['activity-reference'] ?? null,
  country: countryByAlpha3(legal.country),
  'headquarters-address': withBusinessName(
    addressView(legal['headquarters-address']),
    legal['legal-name'],
  ),
  id: legal.id,
  'legal-form': legalForm(legal['legal-form']),
  'legal-id': legal['legal-id'],
  'legal-name': legal['legal-name'],
  representatives: representativesView(company, legal.representatives, legal['legal-form']),
});

const representativesView = (
  company: FullCompany,
  representatives: readonly Representative[],
  form: string,
): readonly RepresentativeAnswer[] =>
  representatives.map((representative) => ({
    ...(representative.company === undefined
      ? {
          documents: identityDocuments(company, representative.person),
          person: personView(company.file, representative.person),
        }
      : { documents: [], company: legalPersonView(company, representative.company) }),
    position: positionView(representative.position, form),
    'transaction-identifier': representative['transaction-identifier'] ?? null,
  }));

/**
 * The owners in a response. The identity documents of an owner who is also a representative are
 * shown under `representatives`.
 */
const ownersView = (company: FullCompany): CompanyAnswer['owners'] => {
  const { file } = company;
  const representing = representativePersons(file.representatives);
  return file.owners.map((owner) => ({
    capital: owner.capital ?? null,
    control: owner.control ?? null,
    documents: representing.includes(owner.person) ? [] : identityDocuments(company, owner.person),
    person: personView(file, owner.person),
    'transaction-identifier': owner['transaction-identifier'] ?? null,
    votes: owner.votes ?? null,
  }));
};

const fullName = ({ file }: FullCompany): string => {
  const person = personView(file, file.user.person);
  return `${person['first-name']} ${person['last-name']}`;
};

/**
 * A company as responses contain it; fields without a value are null. See
 * docs/provider/onboarding.md#company-response.
 */
export const companyView = (company: FullCompany): CompanyAnswer => {
  const { file } = company;
  return {
    id: company.id,
    status: company.status,
    accounts: [
      { created: parisDay(company.created_at), id: company.account_id, name: file['legal-name'] },
    ],
    'activity-reference': file['activity-reference'] ?? null,
    'average-basket': range(file['average-basket']),
    'forecast-turnover': range(file['forecast-turnover']),
    contact: { ...contactView(file.user.contact), name: fullName(company) },
    country: countryByAlpha3(file.country),
    'date-registration': file['date-registration'] ?? null,
    documents: companyDocuments(company),
    'enabled-services': (file.services ?? []).map(({ type }) => ({ type })),
    'headquarters-address': withBusinessName(
      addressView(file['headquarters-address']),
      file['legal-name'],
    ),
    iban: shownIban(company),
    'legal-form': legalForm(file['legal-form']),
    'legal-id': file['legal-id'],
    'legal-name': file['legal-name'],
    'trade-name': file['legal-name'],
    url: file.url ?? null,
    mcc: merchantCategory(file['activity-reference'] ?? ''),
    owners: ownersView(company),
    representatives: representativesView(company, file.representatives, file['legal-form']),
    pnfe: file.pnfe ?? null,
  };
};

const userView = ({ file }: FullCompany): UserAnswer => {
  const { user } = file;
  const person = personView(file, user.person);
  return {
    contact: contactView(user.contact),
    'first-name': person['first-name'],
    id: user.id,
    'last-name': person['last-name'],
    person,
    username: user.contact.email,
  };
};

/** The response of POST, GET and PATCH /company. */
export const companyAnswer = (company: FullCompany, partnersUrl: string): object => ({
  company: companyView(company),
  'documents-to-upload': uploadsView(company, partnersUrl),
  user: userView(company),
});
