import { OmitType } from '@nestjs/swagger';
import { changeOf, Code, Country, Flag, Nested, NestedList, Percent, Text } from './fields.js';
import { AddressDto, PersonChangeDto, PersonDto } from './person.dto.js';

const REFERENCE = {
  description:
    'Your id of this person, returned with the person and with the expected identity ' +
    'card. No personal data.',
};

/** A natural person who owns a part of the company, or controls it. */
class HoldingDto {
  @Percent('clearable')
  ownershipPercent?: number | null;

  @Percent('clearable')
  votingPercent?: number | null;

  @Flag('clearable', 'Whether the owner has control over the company.')
  controls?: boolean | null;

  @Text('clearable', 200, REFERENCE)
  reference?: string | null;
}

export class OwnerDto extends HoldingDto {
  @Nested('required', () => PersonDto)
  person!: PersonDto;
}

export class OwnerChangeDto extends HoldingDto {
  @Nested('optional', () => PersonChangeDto)
  person?: PersonChangeDto;
}

class EntityActivityDto {
  @Code('clearable', 'activities', '47.71Z', 'The activity code of the national classification.')
  code?: string | null;
}

/** A company that represents the merchant, with the representatives of this company. */
export class LegalEntityDto {
  @Country('required')
  country!: string;

  @Code('required', 'legal forms of the country', 'fr_sas')
  legalForm!: string;

  @Text('required', 40)
  registrationNumber!: string;

  @Text('required', 200)
  legalName!: string;

  @Nested('clearable', () => AddressDto)
  address?: AddressDto | null;

  @Nested('clearable', () => EntityActivityDto)
  activity?: EntityActivityDto | null;

  @NestedList('required', () => RepresentativeDto, true)
  representatives!: RepresentativeDto[];
}

class LegalEntityChangeDto extends changeOf(OmitType(LegalEntityDto, ['representatives'])) {}

class RepresentingDto {
  @Code('clearable', 'positions of the legal form', 'president')
  position?: string | null;

  @Text('clearable', 200, REFERENCE)
  reference?: string | null;
}

/** Exactly one of `person` and `company`. */
export class RepresentativeDto extends RepresentingDto {
  @Nested('optional', () => PersonDto)
  person?: PersonDto;

  @Nested('optional', () => LegalEntityDto)
  company?: LegalEntityDto;
}

/** Changes of a representative, who is a person or a company, as the id in the path says. */
export class RepresentativeChangeDto extends RepresentingDto {
  @Nested('optional', () => PersonChangeDto)
  person?: PersonChangeDto;

  @Nested('optional', () => LegalEntityChangeDto)
  company?: LegalEntityChangeDto;
}
