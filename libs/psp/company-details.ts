/**
 * The details that a company is registered with, in our words. In a change objects merge by key,
 * lists replace, and null clears what is optional. Days as `YYYY-MM-DD`, countries as ISO 3166
 * alpha-2, percentages from 0 to 100. It is personal data: it is in no event, topic or log.
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
  /** The provider's id, once it has stored the person. */
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
  /** The platform's own label. */
  readonly reference?: string | null;
  /** Ids of the provider's documents; returned, and never sent. */
  readonly documents?: readonly string[];
}

/** A company that represents the merchant, by its own representatives. */
export interface LegalEntityDetails {
  readonly id?: string;
  readonly country?: string;
  readonly legalForm?: string;
  readonly registrationNumber?: string;
  readonly legalName?: string;
  readonly address?: AddressDetails | null;
  readonly activity?: { readonly code?: string | null } | null;
  readonly representatives?: readonly RepresentativeDetails[];
}

/** Exactly one of `person` and `company`. */
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
    /** Of the national classification. */
    readonly code?: string | null;
    readonly sector?: string | null;
    readonly averageBasket?: string | null;
    readonly forecastTurnover?: string | null;
  } | null;
  readonly passiveNonFinancialEntity?: boolean | null;
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
  readonly company: BusinessDetails & {
    readonly country: string;
    readonly legalForm: string;
    readonly registrationNumber: string;
    readonly legalName: string;
  };
  readonly contact: ContactDetails & {
    readonly firstName: string;
    readonly lastName: string;
    readonly email: string;
  };
}
