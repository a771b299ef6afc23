import { ApiProperty, OmitType } from '@nestjs/swagger';
import { OneOf } from '#platform';
import { CompanyDto } from './company.dto.js';
import { LegalEntityDto, OwnerDto, RepresentativeDto } from './owner-and-representative.dto.js';
import { PersonDto } from './person.dto.js';

const ID = { type: String, nullable: true, required: false } as const;

class PersonAnswer extends PersonDto {
  @ApiProperty({
    ...ID,
    example: 'pers_3xKq0Zb7Yw2m4c9NfTgV1hJa',
    description: 'The id of the person at the provider, `pers_…`.',
  })
  id?: string;
}

class OwnerAnswer extends OmitType(OwnerDto, ['person']) {
  @ApiProperty({ type: PersonAnswer })
  person!: PersonAnswer;

  @ApiProperty({ type: String, isArray: true, required: false, description: 'Ids.' })
  documents?: readonly string[];
}

class LegalEntityAnswer extends OmitType(LegalEntityDto, ['representatives']) {
  @ApiProperty({
    ...ID,
    example: 'comp_3xKq0Zb7Yw2m4c9NfTgV1hJa',
    description: 'The id of the legal person at the provider, `comp_…`.',
  })
  id?: string;

  @ApiProperty({ type: () => [RepresentativeAnswer] })
  representatives!: readonly RepresentativeAnswer[];
}

class RepresentativeAnswer extends OmitType(RepresentativeDto, ['person', 'company']) {
  @ApiProperty({ type: PersonAnswer, required: false })
  person?: PersonAnswer;

  @ApiProperty({ type: LegalEntityAnswer, required: false })
  company?: LegalEntityAnswer;

  @ApiProperty({ type: String, isArray: true, required: false, description: 'Ids.' })
  documents?: readonly string[];
}

class CompanyDetails extends OmitType(CompanyDto, ['owners', 'representatives']) {
  @ApiProperty({ type: OwnerAnswer, isArray: true, required: false })
  owners?: readonly OwnerAnswer[];

  @ApiProperty({ type: RepresentativeAnswer, isArray: true, required: false })
  representatives?: readonly RepresentativeAnswer[];
}

const SOURCES = ['stored', 'provider'] as const;

/** A merchant's personal data, read for this response only and never stored by the API. */
export class DetailsAnswer {
  @OneOf(
    SOURCES,
    '`stored` until the company is registered; then `provider`, which has the details.',
  )
  source!: (typeof SOURCES)[number];

  @ApiProperty({
    type: CompanyDetails,
    description:
      'The provider returns neither sector nor delivery address, and masks the IBAN with X once ' +
      'the contract is signed.',
  })
  details!: object;
}
