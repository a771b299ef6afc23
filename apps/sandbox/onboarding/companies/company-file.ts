import type {
  AddressInput,
  CompanyInput,
  LegalPersonInput,
  OwnerInput,
  PersonInput,
  RepresentativeInput,
  UserInput,
} from './company-request.js';

/** The stored form of an input. It contains no null, because null in an input clears the field. */
type Kept<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { -readonly [K in keyof T]?: Kept<Exclude<T[K], null>> }
    : T;

/** Makes the fields that are required at creation non-optional. */
type Always<T, K extends keyof T> = { -readonly [N in K]-?: Exclude<T[N], null | undefined> };

type Registered = 'country' | 'legal-form' | 'legal-id' | 'legal-name';

export type Address = Kept<AddressInput>;

export interface KeptAddress extends Address {
  id: string;
}

export interface Contact extends Kept<Omit<NonNullable<UserInput['contact']>, 'email'>> {
  email: string;
}

/**
 * The data of a company that the partner sent, stored as one JSON document under the company's
 * lock.
 */
export interface CompanyFile
  extends Kept<Omit<CompanyInput, Registered | FileParts>>, Always<CompanyInput, Registered> {
  user: CompanyUser;
  'headquarters-address'?: KeptAddress;
  /** The persons by id: a person who is both owner and representative is stored once. */
  persons: Record<string, Person>;
  owners: Owner[];
  representatives: Representative[];
}

type FileParts = 'user' | 'headquarters-address' | 'owners' | 'representatives';

export interface CompanyUser {
  readonly id: string;
  /** The id of a person in `persons`. */
  person: string;
  contact: Contact;
}

type Name = 'first-name' | 'last-name';

export interface Person
  extends Kept<Omit<PersonInput, 'id' | 'address' | Name>>, Always<PersonInput, Name> {
  readonly id: string;
  address?: KeptAddress;
}

export interface Owner extends Kept<Omit<OwnerInput, 'person'>> {
  /** The id of a person in `persons`. */
  readonly person: string;
}

export interface LegalPerson
  extends Kept<Pick<LegalPersonInput, 'activity-reference'>>, Always<LegalPersonInput, Registered> {
  readonly id: string;
  'headquarters-address'?: KeptAddress;
  representatives: Representative[];
}

export type Held = Kept<Omit<RepresentativeInput, 'person' | 'company'>>;

export type Representative =
  | (Held & { readonly person: string; readonly company?: undefined })
  | (Held & { readonly company: LegalPerson; readonly person?: undefined });

/** Representatives, including those of legal persons, in order. */
export const allRepresentatives = (
  representatives: readonly Representative[],
): readonly Representative[] =>
  representatives.flatMap((representative) => [
    representative,
    ...allRepresentatives(representative.company?.representatives ?? []),
  ]);

/**
 * Natural persons among the representatives, including those of legal persons, each once, in order.
 */
export const representativePersons = (
  representatives: readonly Representative[],
): readonly string[] => {
  const ids = allRepresentatives(representatives).flatMap(({ person }) => person ?? []);
  return [...new Set(ids)];
};

/** The persons who need an identity document: representatives, then the other owners. */
export const identifiedPersons = (file: CompanyFile): readonly string[] => [
  ...new Set([
    ...representativePersons(file.representatives),
    ...file.owners.map(({ person }) => person),
  ]),
];
