/*
 * What a company is registered with, in our words. In a change objects merge by key, lists replace,
 * and null clears what is optional. Days as `YYYY-MM-DD`. It is personal data: it is in no event,
 * topic or log.
 */

export interface AddressDetails {
  readonly line1?: string | null;
  readonly zipCode?: string | null;
  readonly city?: string | null;
  readonly country?: string | null;
}

/** Where terminals are sent to. */
export interface ShippingAddressDetails extends AddressDetails {
  readonly businessName?: string | null;
  readonly line2?: string | null;
  readonly contactName?: string | null;
  readonly phone?: string | null;
}

export interface PersonDetails {
  /** The provider's, where it has the person. */
  readonly id?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly address?: AddressDetails | null;
  readonly birth?: {
    readonly country?: string | null;
    readonly date?: string | null;
    readonly department?: string | null;
    readonly place?: string | null;
  } | null;
  readonly countryResidence?: string | null;
  readonly nationality?: string | null;
}

/** Who signs for the merchant and logs in at the provider. */
export interface UserDetails extends PersonDetails {
  readonly contact?: {
    readonly email?: string;
    readonly phone?: string | null;
    readonly lang?: string | null;
  };
}

/** A natural person who has a share of the company, or controls it. Shares from 0 to 1. */
export interface OwnerDetails {
  readonly person?: PersonDetails;
  readonly capital?: number | null;
  readonly votes?: number | null;
  readonly control?: boolean | null;
  /** The platform's label of who this is. */
  readonly transactionIdentifier?: string | null;
  /** Ids of the documents that the provider has; shown, and never sent. */
  readonly documents?: readonly string[];
}

/** A company that represents the merchant, by representatives of its own. */
export interface LegalPersonDetails {
  readonly id?: string;
  readonly legalForm?: string;
  readonly country?: string;
  readonly legalId?: string;
  readonly legalName?: string;
  readonly headquartersAddress?: AddressDetails | null;
  readonly activityReference?: string | null;
  readonly representatives?: readonly RepresentativeDetails[];
}

/** Exactly one of `person` and `company`. */
export interface RepresentativeDetails {
  readonly person?: PersonDetails;
  readonly company?: LegalPersonDetails;
  readonly position?: string | null;
  readonly transactionIdentifier?: string | null;
  readonly documents?: readonly string[];
}

export type HeadRole = 'owner' | 'representative';

export interface CompanyChange {
  readonly user?: UserDetails;
  readonly legalForm?: string;
  readonly country?: string;
  readonly legalId?: string;
  readonly legalName?: string;
  readonly dateRegistration?: string | null;
  readonly url?: string | null;
  readonly headquartersAddress?: AddressDetails | null;
  readonly iban?: string | null;
  readonly services?: readonly { readonly type: string }[] | null;
  readonly activityReference?: string | null;
  readonly averageBasket?: string | null;
  readonly forecastTurnover?: string | null;
  readonly fieldOfActivity?: string | null;
  readonly pnfe?: boolean | null;
  readonly owners?: readonly OwnerDetails[];
  readonly representatives?: readonly RepresentativeDetails[];
  readonly shippingAddress?: ShippingAddressDetails | null;
}

/** With what a registration requires. */
export interface CompanyDetails extends CompanyChange {
  readonly user: UserDetails & {
    readonly firstName: string;
    readonly lastName: string;
    readonly contact: { readonly email: string };
  };
  readonly country: string;
  readonly legalForm: string;
  readonly legalId: string;
  readonly legalName: string;
}
