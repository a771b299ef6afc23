import { Code, Country, Flag, Nested, NestedList, Share, Text } from './fields.js';
import { AddressDto, PersonChangeDto, PersonDto } from './person.dto.js';

const LABEL = {
  description:
    'A label of yours for who this is; it comes back with the person and with the identity card ' +
    'that is expected. No personal data.',
};

/** A natural person who has a share of the company, or controls it. */
class HoldingDto {
  @Share('clearable')
  capital?: number | null;

  @Share('clearable')
  votes?: number | null;

  @Flag('clearable', 'Whether the owner has control over the company.')
  control?: boolean | null;

  @Text('clearable', 200, LABEL)
  transactionIdentifier?: string | null;
}

export class OwnerDto extends HoldingDto {
  @Nested('required', () => PersonDto)
  person!: PersonDto;
}

export class OwnerChangeDto extends HoldingDto {
  @Nested('optional', () => PersonChangeDto)
  person?: PersonChangeDto;
}

class LegalPersonFieldsDto {
  @Nested('clearable', () => AddressDto)
  headquartersAddress?: AddressDto | null;

  @Code('clearable', 'activities', '47.71Z')
  activityReference?: string | null;
}

/** A company that represents the merchant, by representatives of its own. */
export class LegalPersonDto extends LegalPersonFieldsDto {
  @Code('required', 'legal forms of the country', 'fra-sas')
  legalForm!: string;

  @Country('required')
  country!: string;

  @Text('required', 40)
  legalId!: string;

  @Text('required', 200)
  legalName!: string;

  @NestedList('required', () => RepresentativeDto, true)
  representatives!: RepresentativeDto[];
}

class LegalPersonChangeDto extends LegalPersonFieldsDto {
  @Code('optional', 'legal forms of the country', 'fra-sas')
  legalForm?: string;

  @Country('optional')
  country?: string;

  @Text('optional', 40)
  legalId?: string;

  @Text('optional', 200)
  legalName?: string;
}

class RepresentingDto {
  @Text('clearable', 200, LABEL)
  transactionIdentifier?: string | null;
}

/** Exactly one of `person` and `company`. */
export class RepresentativeDto extends RepresentingDto {
  @Nested('optional', () => PersonDto)
  person?: PersonDto;

  @Nested('optional', () => LegalPersonDto)
  company?: LegalPersonDto;

  @Code('clearable', 'positions of the legal form', 'president')
  position?: string | null;
}

/** Of a person or of a company, as the id in the path says. */
export class RepresentativeChangeDto extends RepresentingDto {
  @Nested('optional', () => PersonChangeDto)
  person?: PersonChangeDto;

  @Nested('optional', () => LegalPersonChangeDto)
  company?: LegalPersonChangeDto;

  @Code('clearable', 'positions of the legal form', 'president')
  position?: string | null;
}
