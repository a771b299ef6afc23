/*
 * What POST and PATCH /company take, by the provider's names.
 * docs/provider/onboarding.md#company-creation-request. In a PATCH objects merge by key, and null
 * clears what is optional (completion).
 */

export interface AddressBody {
  readonly line1?: string | null;
  readonly 'zip-code'?: string | null;
  readonly city?: string | null;
  /** alpha3 */
  readonly country?: string | null;
}

export interface ShippingAddressBody extends AddressBody {
  readonly 'business-name'?: string | null;
  readonly line2?: string | null;
  readonly 'contact-name'?: string | null;
  readonly phone?: string | null;
}

export interface PersonBody {
  /** `pers_…` of one to change; without it the person is added. */
  readonly id?: string;
  readonly 'first-name'?: string;
  readonly 'last-name'?: string;
  readonly address?: AddressBody | null;
  readonly birth?: {
    readonly country?: string | null;
    readonly date?: string | null;
    readonly department?: string | null;
    readonly place?: string | null;
  } | null;
  readonly 'country-residence'?: string | null;
  readonly nationality?: string | null;
}

export interface UserBody extends Omit<PersonBody, 'id'> {
  readonly contact?: {
    readonly email?: string;
    readonly phone?: string | null;
    readonly lang?: string | null;
  };
}

/** `capital` and `votes` are shares, 0 to 1. */
export interface OwnerBody {
  readonly person: PersonBody;
  readonly capital?: number | null;
  readonly votes?: number | null;
  readonly control?: boolean | null;
  readonly 'transaction-identifier'?: string | null;
}

/** Exactly one of `person` and `company`. */
export interface RepresentativeBody {
  readonly person?: PersonBody;
  readonly company?: {
    readonly id?: string;
    readonly 'legal-form'?: string;
    readonly country?: string;
    readonly 'legal-id'?: string;
    readonly 'legal-name'?: string;
    readonly 'headquarters-address'?: AddressBody | null;
    readonly 'activity-reference'?: string | null;
    readonly representatives?: readonly RepresentativeBody[];
  };
  readonly position?: string | null;
  readonly 'transaction-identifier'?: string | null;
}

export interface CompanyPatch {
  readonly user?: UserBody;
  readonly 'legal-form'?: string;
  readonly country?: string;
  readonly 'legal-id'?: string;
  readonly 'legal-name'?: string;
  readonly 'date-registration'?: string | null;
  readonly url?: string | null;
  readonly 'headquarters-address'?: AddressBody | null;
  readonly iban?: string | null;
  readonly services?: readonly { readonly type: string }[] | null;
  readonly 'activity-reference'?: string | null;
  readonly 'average-basket'?: string | null;
  readonly 'forecast-turnover'?: string | null;
  readonly 'field-of-activity'?: string | null;
  readonly pnfe?: boolean | null;
  readonly owners?: readonly OwnerBody[];
  readonly representatives?: readonly RepresentativeBody[];
  readonly 'shipping-address'?: ShippingAddressBody | null;
}

/** Completion: what creation requires. */
export interface CreateCompanyBody extends CompanyPatch {
  readonly user: UserBody & {
    readonly 'first-name': string;
    readonly 'last-name': string;
    readonly contact: { readonly email: string };
  };
  readonly country: string;
  readonly 'legal-form': string;
  readonly 'legal-id': string;
  readonly 'legal-name': string;
}
