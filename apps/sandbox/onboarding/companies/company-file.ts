import type {
  AddressInput,
  CompanyInput,
  LegalPersonInput,
  OwnerInput,
  PersonInput,
  RepresentativeInput,
  UserInput,
} from './company-request.js';

/** What is kept of an input: all of it but what is null, which was cleared. */
type Kept<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { -readonly [K in keyof T]?: Kept<Exclude<T[K], null>> }
    : T;

/** What a create requires is always there. */
type Always<T, K extends keyof T> = { -readonly [N in K]-?: Exclude<T[N], null | undefined> };

type Registered = 'country' | 'legal-form' | 'legal-id' | 'legal-name';

export type Address = Kept<AddressInput>;

export interface KeptAddress extends Address {
  id: string;
}

export interface Contact extends Kept<Omit<NonNullable<UserInput['contact']>, 'email'>> {
  email: string;
}

/** What a partner says of a company: changed as a whole under the company's lock. */
export interface CompanyFile
  extends Kept<Omit<CompanyInput, Registered | FileParts>>, Always<CompanyInput, Registered> {
  user: CompanyUser;
  'headquarters-address'?: KeptAddress;
  /** By id: who owns and represents the company is one person, kept once. */
  persons: Record<string, Person>;
  owners: Owner[];
  representatives: Representative[];
}

type FileParts = 'user' | 'headquarters-address' | 'owners' | 'representatives';

export interface CompanyUser {
  readonly id: string;
  /** Of a person of the file. */
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
  /** Of a person of the file. */
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

/** Representatives and those of legal persons among them, in order. */
export const allRepresentatives = (heads: readonly Representative[]): readonly Representative[] =>
  heads.flatMap((head) => [head, ...allRepresentatives(head.company?.representatives ?? [])]);

/** Natural persons among representatives, those of legal persons included, each once, in order. */
export const representativePersons = (heads: readonly Representative[]): readonly string[] => {
  const ids = allRepresentatives(heads).flatMap(({ person }) => person ?? []);
  return [...new Set(ids)];
};

/** Everybody of whom an identity document is expected: representatives, then the other owners. */
export const identifiedPersons = (file: CompanyFile): readonly string[] => [
  ...new Set([
    ...representativePersons(file.representatives),
    ...file.owners.map(({ person }) => person),
  ]),
];
