import { ApiProperty, OmitType } from '@nestjs/swagger';
import type {
  CreateCompanyBody, WireCompanyAnswer, WirePerson, WireRepresentative,
} from '#psp-hosted';
import { CompanyDto } from './company.dto.js';
import { OwnerDto, LegalPersonDto, RepresentativeDto } from './head.dto.js';
import { PersonDto } from './person.dto.js';
import { camelCased } from './wire-names.js';

const ID = { type: String, nullable: true, required: false } as const;

class PersonAnswer extends PersonDto {
  @ApiProperty({ ...ID, example: 'pers_3xKq0Zb7Yw2m4c9NfTgV1hJa' })
  id?: string;
}

class OwnerAnswer extends OmitType(OwnerDto, ['person']) {
  @ApiProperty({ type: PersonAnswer })
  person!: PersonAnswer;

  @ApiProperty({ type: String, isArray: true, required: false, description: 'Ids.' })
  documents?: readonly string[];
}

class LegalPersonAnswer extends OmitType(LegalPersonDto, ['representatives']) {
  @ApiProperty({ ...ID, example: 'comp_3xKq0Zb7Yw2m4c9NfTgV1hJa' })
  id?: string;

  @ApiProperty({ type: () => [RepresentativeAnswer] })
  representatives!: readonly RepresentativeAnswer[];
}

class RepresentativeAnswer extends OmitType(RepresentativeDto, ['person', 'company']) {
  @ApiProperty({ type: PersonAnswer, required: false })
  person?: PersonAnswer;

  @ApiProperty({ type: LegalPersonAnswer, required: false })
  company?: LegalPersonAnswer;

  @ApiProperty({ type: String, isArray: true, required: false, description: 'Ids.' })
  documents?: readonly string[];
}

class CompanyDetails extends OmitType(CompanyDto, ['owners', 'representatives']) {
  @ApiProperty({ type: OwnerAnswer, isArray: true, required: false })
  owners?: readonly OwnerAnswer[];

  @ApiProperty({ type: RepresentativeAnswer, isArray: true, required: false })
  representatives?: readonly RepresentativeAnswer[];
}

const SOURCES = ['here', 'provider'] as const;

/** Who a merchant is. Read for this answer, and kept nowhere. */
export class DetailsAnswer {
  @ApiProperty({
    enum: SOURCES,
    description: '`here` until the company is registered; then the provider shows what it has.',
  })
  source!: (typeof SOURCES)[number];

  @ApiProperty({
    type: CompanyDetails,
    description:
      'The provider shows an IBAN of X once the contract is signed, and neither field of ' +
      'activity nor shipping address.',
  })
  details!: object;
}

const codeOf = (
  row: { readonly alpha3: string } | { readonly code: string } | null,
): string | null => (row === null ? null : 'code' in row ? row.code : row.alpha3);

const withCountry = <T extends { readonly country: { readonly alpha3: string } | null }>(
  value: T | null,
): object | null => value && { ...value, country: codeOf(value.country) };

const personOf = (person: WirePerson): object => ({
  ...person,
  address: withCountry(person.address),
  birth: withCountry(person.birth),
  'country-residence': codeOf(person['country-residence']),
  nationality: codeOf(person.nationality),
});

const idsOf = (documents: readonly { readonly id: string }[]): readonly string[] =>
  documents.map(({ id }) => id);

const representativeOf = (head: WireRepresentative): object => ({
  ...(head.person === null ? {} : { person: personOf(head.person) }),
  ...(head.company === null ? {} : {
    company: {
      ...head.company, representatives: head.company.representatives.map(representativeOf),
    },
  }),
  position: codeOf(head.position),
  'transaction-identifier': head['transaction-identifier'],
  documents: idsOf(head.documents),
});

/** Before the company is registered: the details as they were given. */
export const detailsHere = (details: CreateCompanyBody): DetailsAnswer =>
  ({ source: 'here', details: camelCased(details) as object });

/** The company as the provider shows it, in the shape in which it was given. */
export const detailsAtProvider = ({ company, user }: WireCompanyAnswer): DetailsAnswer => {
  const details = {
    user: { ...personOf(user.person), contact: user.contact },
    country: codeOf(company.country),
    'legal-form': codeOf(company['legal-form']),
    'legal-id': company['legal-id'],
    'legal-name': company['legal-name'],
    'date-registration': company['date-registration'],
    url: company.url,
    'headquarters-address': withCountry(company['headquarters-address']),
    iban: company.iban,
    services: company['enabled-services'],
    'activity-reference': company['activity-reference'],
    'average-basket': codeOf(company['average-basket']),
    'forecast-turnover': codeOf(company['forecast-turnover']),
    pnfe: company.pnfe,
    owners: company.owners.map((owner) => ({
      ...owner, person: personOf(owner.person), documents: idsOf(owner.documents),
    })),
    representatives: company.representatives.map(representativeOf),
  };
  return { source: 'provider', details: camelCased(details) as object };
};
