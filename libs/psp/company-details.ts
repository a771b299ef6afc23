/**
 * The details with which a company is registered, with our field names. In a change, the fields of
 * an object are merged, a list is replaced, and null clears an optional field. Days are
 * `YYYY-MM-DD`, countries ISO 3166 alpha-2, percentages from 0 to 100. The details are personal
 * data: they are stored in no event, topic or log.
 */

export interface AddressDetails {
  readonly line1?: string | null;
  readonly postalCode?: string | null;
  readonly city?: string | null;
  readonly country?: string | null;
}

/** The delivery address of terminals. */
export interface DeliveryAddressDetails extends AddressDetails {
  readonly businessName?: string | null;
  readonly line2?: string | null;
  readonly contactName?: string | null;
  readonly phone?: string | null;
}

export interface PersonDetails {
  /** The provider's id of the person; missing until the provider has stored the person. */
  readonly id?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly address?: AddressDetails | null;
  readonly birth?: {
    readonly date?: string | null;
    readonly place?: string | null;
    readonly department?: string | null;
    readonly country?: string | null;
  } | null;
  readonly residenceCountry?: string | null;
  readonly nationality?: string | null;
}

/** The person who signs for the merchant and logs in at the provider. */
export interface ContactDetails extends PersonDetails {
  readonly email?: string;
  readonly phone?: string | null;
  readonly language?: string | null;
}

/** A natural person who owns a share of the company, or controls it. */
export interface OwnerDetails {
  readonly person?: PersonDetails;
  readonly ownershipPercent?: number | null;
  readonly votingPercent?: number | null;
  readonly controls?: boolean | null;
  /** The platform's own reference for the person. */
  readonly reference?: string | null;
  /** The ids of the person's documents at the provider; only responses contain them. */
  readonly documents?: readonly string[];
}

/** A representative: either a `person` or a `company`. */
export interface RepresentativeDetails {
  readonly person?: PersonDetails;
  readonly company?: LegalEntityDetails;
  readonly position?: string | null;
  readonly reference?: string | null;
  readonly documents?: readonly string[];
}

export type PersonRole = 'owner' | 'representative';

export interface BusinessDetails {
  readonly country?: string;
  readonly legalForm?: string;
  readonly registrationNumber?: string;
  readonly legalName?: string;
  readonly registeredOn?: string | null;
  readonly website?: string | null;
  readonly address?: AddressDetails | null;
  readonly activity?: {
    /** The code of the activity in the national classification. */
    readonly code?: string | null;
    readonly sector?: string | null;
    readonly averageBasket?: string | null;
    readonly forecastTurnover?: string | null;
  } | null;
  readonly passiveNonFinancialEntity?: boolean | null;
}

/** A company that represents the merchant; it has its own representatives. */
export interface LegalEntityDetails extends Pick<
  BusinessDetails,
  'country' | 'legalForm' | 'registrationNumber' | 'legalName' | 'address'
> {
  readonly id?: string;
  readonly activity?: { readonly code?: string | null } | null;
  readonly representatives?: readonly RepresentativeDetails[];
}

export interface CompanyChange {
  readonly company?: BusinessDetails;
  readonly contact?: ContactDetails;
  readonly payoutAccount?: { readonly iban?: string | null } | null;
  readonly products?: readonly string[] | null;
  readonly owners?: readonly OwnerDetails[];
  readonly representatives?: readonly RepresentativeDetails[];
  readonly deliveryAddress?: DeliveryAddressDetails | null;
}

/** The details with all fields that a registration requires. */
export interface CompanyDetails extends CompanyChange {
  readonly company: BusinessDetails &
    Required<Pick<BusinessDetails, 'country' | 'legalForm' | 'registrationNumber' | 'legalName'>>;
  readonly contact: ContactDetails &
    Required<Pick<ContactDetails, 'firstName' | 'lastName' | 'email'>>;
}
