import type { CodeList, CountryUse } from '#psp';
import type { CompanyChangeDto } from './company.dto.js';
import type {
  OwnerChangeDto,
  RepresentativeChangeDto,
  RepresentativeDto,
} from './owner-and-representative.dto.js';
import type { PersonChangeDto } from './person.dto.js';

/** A code in a request, and the list that must contain the code. */
export interface GivenCode {
  readonly path: readonly string[];
  readonly code: string;
  readonly list: CodeList;
}

/**
 * The stored country and legal form of a company: the valid codes depend on both, and a change may
 * omit both.
 */
export interface CompanyBasis {
  readonly country?: string | undefined;
  readonly legalForm?: string | undefined;
}

/**
 * The countries whose currency is the euro. The lists of amount ranges depend on the currency,
 * which the details do not contain; outside the euro area only the provider checks amount ranges.
 */
const EURO_AREA: ReadonlySet<string> = new Set(
  'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' '),
);

type Path = readonly string[];

const given = (path: Path, code: string | null | undefined, list: CodeList): readonly GivenCode[] =>
  code === undefined || code === null ? [] : [{ path, code, list }];

const country = (
  path: Path,
  code: string | null | undefined,
  of: CountryUse,
): readonly GivenCode[] => given(path, code, { list: 'countries', of });

export const codesOfPerson = (
  person: PersonChangeDto | undefined,
  path: Path,
): readonly GivenCode[] =>
  person === undefined
    ? []
    : [
        ...country([...path, 'address', 'country'], person.address?.country, 'address'),
        ...country([...path, 'birth', 'country'], person.birth?.country, 'birth'),
        ...country([...path, 'residenceCountry'], person.residenceCountry, 'address'),
        ...country([...path, 'nationality'], person.nationality, 'nationality'),
      ];

export const codesOfOwner = ({ person }: OwnerChangeDto, path: Path): readonly GivenCode[] =>
  codesOfPerson(person, [...path, 'person']);

type Entity = NonNullable<RepresentativeChangeDto['company']>;

/**
 * The codes of a company or a legal entity; `basis`: the country and legal form before the change.
 */
const codesOfEntity = (
  { country: land, legalForm, address, activity }: Entity,
  basis: CompanyBasis,
  path: Path,
): readonly GivenCode[] => [
  ...country([...path, 'country'], land, 'legal_form'),
  ...(basis.country === undefined
    ? []
    : given([...path, 'legalForm'], legalForm, { list: 'legal_forms', of: basis.country })),
  ...country([...path, 'address', 'country'], address?.country, 'address'),
  ...given([...path, 'activity', 'code'], activity?.code, { list: 'activities' }),
];

/** `of`: the represented company, whose legal form determines the positions. */
export const codesOfRepresentative = (
  representative: RepresentativeDto | RepresentativeChangeDto,
  of: CompanyBasis,
  path: Path,
): readonly GivenCode[] => {
  const { person, company, position } = representative;
  const positions =
    of.country === undefined || of.legalForm === undefined
      ? []
      : given([...path, 'position'], position, {
          list: 'positions',
          of: of.legalForm,
          country: of.country,
        });
  const inner = [...path, 'company'];
  return [
    ...positions,
    ...codesOfPerson(person, [...path, 'person']),
    ...(company === undefined
      ? []
      : [
          ...codesOfEntity(company, company, inner),
          ...('representatives' in company ? company.representatives : []).flatMap((one, index) =>
            codesOfRepresentative(one, company, [...inner, 'representatives', String(index)]),
          ),
        ]),
  ];
};

const codesOfActivity = (
  { company }: CompanyChangeDto,
  land: string | undefined,
): readonly GivenCode[] => {
  const { sector, averageBasket, forecastTurnover } = company?.activity ?? {};
  const path = ['company', 'activity'];
  return [
    ...given([...path, 'sector'], sector, { list: 'sectors' }),
    ...(land === undefined || !EURO_AREA.has(land)
      ? []
      : [
          ...given([...path, 'averageBasket'], averageBasket, {
            list: 'average_baskets',
            of: 'EUR',
          }),
          ...given([...path, 'forecastTurnover'], forecastTurnover, {
            list: 'forecast_turnovers',
            of: 'EUR',
          }),
        ]),
  ];
};

/** Every code in a company's details, with the list that must contain the code. */
export const codesOfDetails = (
  details: CompanyChangeDto,
  known: CompanyBasis = {},
): readonly GivenCode[] => {
  const { company, contact, deliveryAddress } = details;
  const basis = {
    country: company?.country ?? known.country,
    legalForm: company?.legalForm ?? known.legalForm,
  };
  return [
    ...(company === undefined ? [] : codesOfEntity(company, basis, ['company'])),
    ...codesOfActivity(details, basis.country),
    ...country(['deliveryAddress', 'country'], deliveryAddress?.country, 'address'),
    ...(details.products ?? []).flatMap((code, index) =>
      given(['products', String(index)], code, { list: 'products' }),
    ),
    ...given(['contact', 'language'], contact?.language, { list: 'languages' }),
    ...codesOfPerson(contact, ['contact']),
    ...(details.owners ?? []).flatMap((owner, index) =>
      codesOfOwner(owner, ['owners', String(index)]),
    ),
    ...(details.representatives ?? []).flatMap((representative, index) =>
      codesOfRepresentative(representative, basis, ['representatives', String(index)]),
    ),
  ];
};
