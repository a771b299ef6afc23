/** What a partner told of a company: changed as a whole under the company's lock. */
export interface CompanyFile {
  user: CompanyUser;
  country: string;
  'legal-form': string;
  'legal-id': string;
  'legal-name': string;
  'date-registration'?: string;
  url?: string;
  'headquarters-address'?: KeptAddress;
  iban?: string;
  services?: { readonly type: string }[];
  'activity-reference'?: string;
  'average-basket'?: string;
  'forecast-turnover'?: string;
  'field-of-activity'?: string;
  pnfe?: boolean;
  'shipping-address'?: ShippingAddress;
  /** By id: who owns and represents the company is one person, told once. */
  persons: Record<string, Person>;
  owners: Owner[];
  representatives: Representative[];
}

export interface CompanyUser {
  readonly id: string;
  /** Of a person of the file. */
  person: string;
  contact: Contact;
}

export interface Contact {
  email: string;
  phone?: string;
  lang?: string;
}

export interface Address {
  line1?: string;
  'zip-code'?: string;
  city?: string;
  country?: string;
}

export interface KeptAddress extends Address {
  id: string;
}

export interface ShippingAddress extends Address {
  'business-name'?: string;
  line2?: string;
  'contact-name'?: string;
  phone?: string;
}

export interface Person {
  readonly id: string;
  'first-name': string;
  'last-name': string;
  address?: KeptAddress;
  birth?: { country?: string; date?: string; department?: string; place?: string };
  'country-residence'?: string;
  nationality?: string;
}

export interface Owner {
  /** Of a person of the file. */
  readonly person: string;
  capital?: number;
  votes?: number;
  control?: boolean;
  'transaction-identifier'?: string;
}

export interface LegalPerson {
  readonly id: string;
  'legal-form': string;
  country: string;
  'legal-id': string;
  'legal-name': string;
  'headquarters-address'?: KeptAddress;
  'activity-reference'?: string;
  representatives: Representative[];
}

interface Held {
  position?: string;
  'transaction-identifier'?: string;
}

export type Representative =
  | (Held & { readonly person: string; readonly company?: undefined })
  | (Held & { readonly company: LegalPerson; readonly person?: undefined });

/** Representatives and those of legal persons among them, in order. */
export const allRepresentatives = (
  heads: readonly Representative[],
): readonly Representative[] =>
  heads.flatMap((head) => [head, ...allRepresentatives(head.company?.representatives ?? [])]);

/** Natural persons among representatives, those of legal persons included, each once, in order. */
export const representativePersons = (heads: readonly Representative[]): readonly string[] => {
  const ids = allRepresentatives(heads).flatMap(({ person }) => person ?? []);
  return [...new Set(ids)];
};

/** Everybody of whom an identity document is expected: representatives, then the other owners. */
export const identifiedPersons = (file: CompanyFile): readonly string[] => [
  ...new Set([
    ...representativePersons(file.representatives), ...file.owners.map(({ person }) => person),
  ]),
];
