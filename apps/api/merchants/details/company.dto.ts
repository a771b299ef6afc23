import {
  Code, Country, Day, Flag, Iban, Nested, NestedList, Text, WebAddress,
} from './fields.js';
import { OwnerDto, RepresentativeDto } from './head.dto.js';
import { AddressDto, ShippingAddressDto, UserChangeDto, UserDto } from './person.dto.js';

const LEGAL_ID = {
  example: '732829320',
  description: 'In France a SIRET, or a SIREN, which is completed to that of the head office.',
};

class ServiceDto {
  @Code('required', 'services', 'online-payment')
  type!: string;
}

class CompanyFieldsDto {
  @Day('clearable', '2019-03-04')
  dateRegistration?: string | null;

  @WebAddress('clearable')
  url?: string | null;

  @Nested('clearable', () => AddressDto)
  headquartersAddress?: AddressDto | null;

  @Iban('clearable')
  iban?: string | null;

  @NestedList('clearable', () => ServiceDto)
  services?: ServiceDto[] | null;

  @Code('clearable', 'activities', '47.71Z')
  activityReference?: string | null;

  @Code('clearable', 'average baskets', '50_100')
  averageBasket?: string | null;

  @Code('clearable', 'forecast turnovers', '100000_250000')
  forecastTurnover?: string | null;

  @Code('clearable', 'fields of activity', 'fashion')
  fieldOfActivity?: string | null;

  @Flag('clearable', 'Whether it is a non-financial passive entity.')
  pnfe?: boolean | null;

  @Nested('clearable', () => ShippingAddressDto)
  shippingAddress?: ShippingAddressDto | null;
}

class HeadsDto extends CompanyFieldsDto {
  @NestedList('optional', () => OwnerDto)
  owners?: OwnerDto[];

  @NestedList('optional', () => RepresentativeDto)
  representatives?: RepresentativeDto[];
}

/** A merchant's company and its people. */
export class CompanyDto extends HeadsDto {
  @Nested('required', () => UserDto)
  user!: UserDto;

  @Country('required')
  country!: string;

  @Code('required', 'legal forms of the country', 'fra-sas')
  legalForm!: string;

  @Text('required', 40, LEGAL_ID)
  legalId!: string;

  @Text('required', 200, { example: 'Atelier Lumière' })
  legalName!: string;
}

/** Objects are merged field by field; null takes away what is optional. */
export class CompanyChangeDto extends HeadsDto {
  @Nested('optional', () => UserChangeDto)
  user?: UserChangeDto;

  @Country('optional')
  country?: string;

  @Code('optional', 'legal forms of the country', 'fra-sas')
  legalForm?: string;

  @Text('optional', 40, LEGAL_ID)
  legalId?: string;

  @Text('optional', 200)
  legalName?: string;
}
