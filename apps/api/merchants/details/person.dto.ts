import { Code, Country, Day, Email, Nested, Phone, Text } from './fields.js';

export class AddressDto {
  @Text('clearable', 200)
  line1?: string | null;

  @Text('clearable', 20)
  zipCode?: string | null;

  @Text('clearable', 100)
  city?: string | null;

  @Country('clearable')
  country?: string | null;
}

/** Where terminals are sent to. */
export class ShippingAddressDto extends AddressDto {
  @Text('clearable', 200)
  businessName?: string | null;

  @Text('clearable', 200)
  line2?: string | null;

  @Text('clearable', 100)
  contactName?: string | null;

  @Phone('clearable')
  phone?: string | null;
}

export class BirthDto {
  @Country('clearable')
  country?: string | null;

  @Day('clearable', '1984-05-17')
  date?: string | null;

  @Text('clearable', 100)
  department?: string | null;

  @Text('clearable', 100)
  place?: string | null;
}

class CivilStatusDto {
  @Nested('clearable', () => AddressDto)
  address?: AddressDto | null;

  @Nested('clearable', () => BirthDto)
  birth?: BirthDto | null;

  @Country('clearable')
  countryResidence?: string | null;

  @Country('clearable')
  nationality?: string | null;
}

export class PersonDto extends CivilStatusDto {
  @Text('required', 100)
  firstName!: string;

  @Text('required', 100)
  lastName!: string;
}

export class PersonChangeDto extends CivilStatusDto {
  @Text('optional', 100)
  firstName?: string;

  @Text('optional', 100)
  lastName?: string;
}

class ReachDto {
  @Phone('clearable')
  phone?: string | null;

  @Code('clearable', 'languages', 'fr')
  lang?: string | null;
}

class ContactDto extends ReachDto {
  @Email('required')
  email!: string;
}

class ContactChangeDto extends ReachDto {
  @Email('optional')
  email?: string;
}

/** Who signs for the merchant and logs in at the provider. */
export class UserDto extends PersonDto {
  @Nested('required', () => ContactDto)
  contact!: ContactDto;
}

export class UserChangeDto extends PersonChangeDto {
  @Nested('optional', () => ContactChangeDto)
  contact?: ContactChangeDto;
}
