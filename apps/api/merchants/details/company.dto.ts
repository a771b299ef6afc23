import {
  changeOf,
  Code,
  CodeList,
  Country,
  Day,
  Flag,
  Iban,
  Nested,
  NestedList,
  Text,
  WebAddress,
} from './fields.js';
import { OwnerDto, RepresentativeDto } from './owner-and-representative.dto.js';
import { AddressDto, ContactChangeDto, ContactDto, DeliveryAddressDto } from './person.dto.js';

const REGISTRATION_NUMBER = {
  example: '732829320',
  description:
    'In France a SIRET or a SIREN. A SIREN is completed with the establishment number of the head office.',
};

const RANGE = 'The lowest and the highest amount of a range, in the company’s currency.';

class ActivityDto {
  @Code('clearable', 'activities', '47.71Z', 'The activity code of the national classification.')
  code?: string | null;

  @Code('clearable', 'sectors', 'fashion')
  sector?: string | null;

  @Code('clearable', 'average baskets', '50_to_100', RANGE)
  averageBasket?: string | null;

  @Code('clearable', 'forecast turnovers', '100000_to_250000', RANGE)
  forecastTurnover?: string | null;
}

export class BusinessDto {
  @Country('required')
  country!: string;

  @Code('required', 'legal forms of the country', 'fr_sas')
  legalForm!: string;

  @Text('required', 40, REGISTRATION_NUMBER)
  registrationNumber!: string;

  @Text('required', 200, { example: 'Atelier Lumière' })
  legalName!: string;

  @Day('clearable', '2019-03-04')
  registeredOn?: string | null;

  @WebAddress('clearable')
  website?: string | null;

  @Nested('clearable', () => AddressDto)
  address?: AddressDto | null;

  @Nested('clearable', () => ActivityDto)
  activity?: ActivityDto | null;

  @Flag('clearable', 'Whether the company is a passive non-financial entity.')
  passiveNonFinancialEntity?: boolean | null;
}

class BusinessChangeDto extends changeOf(BusinessDto) {}

class PayoutAccountDto {
  @Iban('clearable')
  iban?: string | null;
}

class DetailsFieldsDto {
  @Nested('clearable', () => PayoutAccountDto)
  payoutAccount?: PayoutAccountDto | null;

  @CodeList('clearable', 'products', ['online_payments', 'payment_terminals'])
  products?: string[] | null;

  @NestedList('optional', () => OwnerDto)
  owners?: OwnerDto[];

  @NestedList('optional', () => RepresentativeDto)
  representatives?: RepresentativeDto[];

  @Nested('clearable', () => DeliveryAddressDto)
  deliveryAddress?: DeliveryAddressDto | null;
}

/** A merchant's company, with its owners and representatives. */
export class CompanyDto extends DetailsFieldsDto {
  @Nested('required', () => BusinessDto)
  company!: BusinessDto;

  @Nested('required', () => ContactDto)
  contact!: ContactDto;
}

/** Objects are merged field by field; null clears an optional field. */
export class CompanyChangeDto extends DetailsFieldsDto {
  @Nested('optional', () => BusinessChangeDto)
  company?: BusinessChangeDto;

  @Nested('optional', () => ContactChangeDto)
  contact?: ContactChangeDto;
}
