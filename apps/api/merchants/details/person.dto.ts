import { changeOf, Code, Country, Day, Email, Nested, Phone, Text } from './fields.js';

export class AddressDto {
  @Text('clearable', 200)
  line1?: string | null;

  @Text('clearable', 20)
  postalCode?: string | null;

  @Text('clearable', 100)
  city?: string | null;

  @Country('clearable')
  country?: string | null;
}

/** The address to which terminals are shipped. */
export class DeliveryAddressDto extends AddressDto {
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
  @Day('clearable', '1984-05-17')
  date?: string | null;

  @Text('clearable', 100)
  place?: string | null;

  @Text('clearable', 100)
  department?: string | null;

  @Country('clearable')
  country?: string | null;
}

export class PersonDto {
  @Text('required', 100)
  firstName!: string;

  @Text('required', 100)
  lastName!: string;

  @Nested('clearable', () => AddressDto)
  address?: AddressDto | null;

  @Nested('clearable', () => BirthDto)
  birth?: BirthDto | null;

  @Country('clearable')
  residenceCountry?: string | null;

  @Country('clearable')
  nationality?: string | null;
}

export class PersonChangeDto extends changeOf(PersonDto) {}

/** The person who signs for the merchant and signs in at the provider. */
export class ContactDto extends PersonDto {
  @Email('required')
  email!: string;

  @Phone('clearable')
  phone?: string | null;

  @Code('clearable', 'languages', 'fr')
  language?: string | null;
}

export class ContactChangeDto extends changeOf(ContactDto) {}
