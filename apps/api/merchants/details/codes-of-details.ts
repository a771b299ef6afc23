import type { CodeList, CountryUse } from '#psp';
import type { CompanyChangeDto } from './company.dto.js';
import type { OwnerChangeDto, RepresentativeChangeDto, RepresentativeDto } from './head.dto.js';
import type { PersonChangeDto } from './person.dto.js';

/** A code that somebody gave, and the list that it must be in. */
export interface GivenCode {
  readonly path: readonly string[];
  readonly code: string;
  readonly list: CodeList;
}

/** What a company's codes depend on, where a change does not give it. */
export interface CompanyBasis {
  readonly country?: string | undefined;
  readonly legalForm?: string | undefined;
}

/**
 * The lookups of amounts ask for a currency, and nothing says which one a company's is. In the euro
 * area there is one answer; elsewhere the provider decides.
 */
const EURO_AREA: ReadonlySet<string> = new Set([
  'aut', 'bel', 'bgr', 'cyp', 'deu', 'esp', 'est', 'fin', 'fra', 'grc', 'hrv', 'irl', 'ita', 'ltu',
  'lux', 'lva', 'mlt', 'nld', 'prt', 'svk', 'svn',
]);

type Path = readonly string[];

const given = (
  path: Path, code: string | null | undefined, list: CodeList,
): readonly GivenCode[] => (code === undefined || code === null ? [] : [{ path, code, list }]);

const country = (
  path: Path, code: string | null | undefined, of: CountryUse,
): readonly GivenCode[] => given(path, code, { list: 'countries', of });

export const codesOfPerson = (
  person: PersonChangeDto | undefined, path: Path,
): readonly GivenCode[] =>
  person === undefined ? [] : [
    ...country([...path, 'address', 'country'], person.address?.country, 'address'),
    ...country([...path, 'birth', 'country'], person.birth?.country, 'birth'),
    ...country([...path, 'countryResidence'], person.countryResidence, 'address'),
    ...country([...path, 'nationality'], person.nationality, 'nationality'),
  ];

export const codesOfOwner = ({ person }: OwnerChangeDto, path: Path): readonly GivenCode[] =>
  codesOfPerson(person, [...path, 'person']);

const codesOfForm = (
  { country: land, legalForm }: CompanyBasis, formPath: Path,
): readonly GivenCode[] =>
  land === undefined ? [] : given(formPath, legalForm, { list: 'legalForms', of: land });

/** `of`: what is represented, whose legal form knows the positions. */
export const codesOfRepresentative = (
  head: RepresentativeDto | RepresentativeChangeDto, of: CompanyBasis, path: Path,
): readonly GivenCode[] => {
  const { person, company, position } = head;
  const positions = of.country === undefined || of.legalForm === undefined
    ? [] : given([...path, 'position'], position, {
      list: 'positions', of: of.legalForm, country: of.country,
    });
  const inner = [...path, 'company'];
  return [
    ...positions,
    ...codesOfPerson(person, [...path, 'person']),
    ...(company === undefined ? [] : [
      ...country([...inner, 'country'], company.country, 'legal_form'),
      ...codesOfForm(company, [...inner, 'legalForm']),
      ...country(
        [...inner, 'headquartersAddress', 'country'], company.headquartersAddress?.country,
        'address',
      ),
      ...given(
        [...inner, 'activityReference'], company.activityReference, { list: 'activities' },
      ),
      ...('representatives' in company ? company.representatives : []).flatMap((one, index) =>
        codesOfRepresentative(one, company, [...inner, 'representatives', String(index)])),
    ]),
  ];
};

const codesOfAmounts = (
  { averageBasket, forecastTurnover }: CompanyChangeDto, land: string | undefined,
): readonly GivenCode[] =>
  land === undefined || !EURO_AREA.has(land) ? [] : [
    ...given(['averageBasket'], averageBasket, { list: 'averageBaskets', of: 'eur' }),
    ...given(['forecastTurnover'], forecastTurnover, { list: 'forecastTurnovers', of: 'eur' }),
  ];

/** Every code in a company's details, with the list that it must be in. */
export const codesOfDetails = (
  details: CompanyChangeDto, known: CompanyBasis = {},
): readonly GivenCode[] => {
  const basis = {
    country: details.country ?? known.country, legalForm: details.legalForm ?? known.legalForm,
  };
  const { user, headquartersAddress, shippingAddress } = details;
  return [
    ...country(['country'], details.country, 'legal_form'),
    ...codesOfForm({ ...basis, legalForm: details.legalForm }, ['legalForm']),
    ...country(['headquartersAddress', 'country'], headquartersAddress?.country, 'address'),
    ...country(['shippingAddress', 'country'], shippingAddress?.country, 'address'),
    ...given(['activityReference'], details.activityReference, { list: 'activities' }),
    ...given(['fieldOfActivity'], details.fieldOfActivity, { list: 'fieldsOfActivity' }),
    ...codesOfAmounts(details, basis.country),
    ...(details.services ?? []).flatMap(({ type }, index) =>
      given(['services', String(index), 'type'], type, { list: 'services' })),
    ...given(['user', 'contact', 'lang'], user?.contact?.lang, { list: 'languages' }),
    ...codesOfPerson(user, ['user']),
    ...(details.owners ?? []).flatMap((owner, index) =>
      codesOfOwner(owner, ['owners', String(index)])),
    ...(details.representatives ?? []).flatMap((head, index) =>
      codesOfRepresentative(head, basis, ['representatives', String(index)])),
  ];
};
