import { Code, Country, Flag, Nested, NestedList, Percent, Text } from './fields.js';
import { AddressDto, PersonChangeDto, PersonDto } from './person.dto.js';

const REFERENCE = {
  description:
    'Your own of who this is; it comes back with the person and with the identity card that is ' +
    'expected. No personal data.',
};

/** A natural person who has a part of the company, or controls it. */
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
  @Code('clearable', 'activities', '47.71Z', 'Of the national classification of activities.')
  code?: string | null;
}

class LegalEntityFieldsDto {
  @Nested('clearable', () => AddressDto)
  address?: AddressDto | null;

  @Nested('clearable', () => EntityActivityDto)
  activity?: EntityActivityDto | null;
}

/** A company that represents the merchant, by representatives of its own. */
export class LegalEntityDto extends LegalEntityFieldsDto {
  @Country('required')
  country!: string;

  @Code('required', 'legal forms of the country', 'fr_sas')
  legalForm!: string;

  @Text('required', 40)
  registrationNumber!: string;

  @Text('required', 200)
  legalName!: string;

  @NestedList('required', () => RepresentativeDto, true)
  representatives!: RepresentativeDto[];
}

class LegalEntityChangeDto extends LegalEntityFieldsDto {
  @Country('optional')
  country?: string;

  @Code('optional', 'legal forms of the country', 'fr_sas')
  legalForm?: string;

  @Text('optional', 40)
  registrationNumber?: string;

  @Text('optional', 200)
  legalName?: string;
}

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

/** Of a person or of a company, as the id in the path says. */
export class RepresentativeChangeDto extends RepresentingDto {
  @Nested('optional', () => PersonChangeDto)
  person?: PersonChangeDto;

  @Nested('optional', () => LegalEntityChangeDto)
  company?: LegalEntityChangeDto;
}
