import { newId } from '#kernel';
import { Faults } from '../../api/partner/field-faults.js';
import { ibanIn, phoneIn } from '../wire/wire-formats.js';
import { checkCompany } from './company-checks.js';
import type {
  CompanyFile,
  Held,
  KeptAddress,
  LegalPerson,
  Owner,
  Person,
  Representative,
} from './company-file.js';
import { representativePersons } from './company-file.js';
import type {
  CompanyInput,
  LegalPersonInput,
  OwnerInput,
  PersonInput,
  RepresentativeInput,
  UserInput,
} from './company-request.js';
import { legalIdOf } from './legal-id.js';
import { mergeFields } from './merge-fields.js';

const MAX_DEPTH = 4;

const withAddressId = (holder: { address?: KeptAddress }): void => {
  if (holder.address !== undefined) holder.address.id ??= newId('addr');
};

const withHeadquartersId = (holder: { 'headquarters-address'?: KeptAddress }): void => {
  const address = holder['headquarters-address'];
  if (address !== undefined) address.id ??= newId('addr');
};

const sameName = (a: string, b: string): boolean =>
  a.localeCompare(b, 'fr', { sensitivity: 'base' }) === 0;

const isSameHuman = (a: Person, b: PersonInput): boolean =>
  a.birth?.date !== undefined &&
  a.birth.date === b.birth?.date &&
  sameName(a['first-name'], b['first-name'] ?? '') &&
  sameName(a['last-name'], b['last-name'] ?? '');

/**
 * Applies a request to a company's stored data: objects merge by key, null clears a field, owners
 * and representatives merge by `person.id` or `company.id`, and those without an id are added.
 */
class CompanyMerge {
  readonly faults = new Faults();
  /** The path of each representative in the request, for the error messages of later checks. */
  readonly places = new Map<Representative, string>();

  constructor(readonly file: CompanyFile) {}

  apply(input: CompanyInput): void {
    const { user, owners, representatives, 'legal-id': legalId, iban, ...rest } = input;
    mergeFields<CompanyFile>(this.file, {
      ...rest,
      ...(typeof iban === 'string' ? { iban: ibanIn(iban) } : { iban }),
    });
    withHeadquartersId(this.file);
    this.mergeLegalId(this.file, legalId, 'legal-id', rest.country);
    const { 'shipping-address': shipping } = this.file;
    if (shipping?.phone !== undefined) shipping.phone = phoneIn(shipping.phone) ?? shipping.phone;
    if (user !== undefined) this.mergeUser(user);
    this.mergeRepresentatives(this.file.representatives, representatives ?? [], 'representatives');
    this.mergeOwners(owners ?? []);
  }

  private mergeLegalId(
    holder: { country: string; 'legal-id': string },
    given: string | undefined,
    path: string,
    movedTo: string | undefined,
  ): void {
    if (given === undefined && movedTo === undefined) return;
    const known = legalIdOf(holder.country, given ?? holder['legal-id']);
    if (known !== null) holder['legal-id'] = known;
    else if (holder.country === 'fra') this.faults.add(path, 'must be a SIRET or a SIREN');
    else this.faults.add(path, 'must be a register number of letters and digits');
  }

  private mergeUser({ contact, ...human }: UserInput): void {
    const { user } = this.file;
    this.mergePerson(user.person, human);
    if (contact === undefined) return;
    const { phone } = contact;
    mergeFields(user.contact, {
      ...contact,
      ...(typeof phone === 'string' ? { phone: phoneIn(phone) } : {}),
    });
  }

  private mergeOwners(inputs: readonly OwnerInput[]): void {
    const { owners } = this.file;
    inputs.forEach(({ person, ...shares }, index) => {
      const taken = owners.map((owner) => owner.person);
      const id = this.personOf(person, taken, `owners.${index}.person`);
      if (id === null) return;
      const known = owners.find((owner) => owner.person === id);
      const owner: Owner = known ?? { person: id };
      mergeFields(owner, shares);
      if (known === undefined) owners.push(owner);
    });
  }

  private mergeRepresentatives(
    list: Representative[],
    inputs: readonly RepresentativeInput[],
    path: string,
    depth = 1,
  ): void {
    if (depth > MAX_DEPTH) {
      this.faults.add(path, `legal persons are nested deeper than ${MAX_DEPTH} levels`);
      return;
    }
    inputs.forEach((input, index) => {
      const place = `${path}.${index}`;
      const representative =
        input.company === undefined
          ? this.naturalPerson(list, input, place)
          : this.legalPerson(list, input.company, place, depth);
      if (representative === null) return;
      const { position, 'transaction-identifier': label } = input;
      mergeFields<Held>(representative, {
        position,
        'transaction-identifier': label,
      });
      this.places.set(representative, place);
    });
  }

  private naturalPerson(
    list: Representative[],
    { person }: RepresentativeInput,
    place: string,
  ): Representative | null {
    const taken = representativePersons(list.filter(({ company }) => company === undefined));
    const id = this.personOf(person ?? {}, taken, `${place}.person`);
    if (id === null) return null;
    const known = list.find((representative) => representative.person === id);
    if (known !== undefined) return known;
    const representative: Representative = { person: id };
    list.push(representative);
    return representative;
  }

  private legalPerson(
    list: Representative[],
    input: LegalPersonInput,
    place: string,
    depth: number,
  ): Representative | null {
    const path = `${place}.company`;
    const known = list.find(
      (representative) =>
        representative.company !== undefined && representative.company.id === input.id,
    );
    if (input.id !== undefined && known === undefined) {
      this.faults.add(`${path}.id`, 'is not a legal person that represents this company');
      return null;
    }
    const company = known?.company ?? this.newLegalPerson(input, path);
    if (company === null) return null;
    const { representatives, 'legal-id': legalId, id: _, ...rest } = input;
    mergeFields(company, rest);
    withHeadquartersId(company);
    this.mergeLegalId(company, legalId, `${path}.legal-id`, rest.country);
    const nested = `${path}.representatives`;
    this.mergeRepresentatives(company.representatives, representatives ?? [], nested, depth + 1);
    if (known !== undefined) return known;
    const representative: Representative = { company };
    list.push(representative);
    return representative;
  }

  /** Adds a legal person, which requires the same fields as a new company, and a representative. */
  private newLegalPerson(input: LegalPersonInput, path: string): LegalPerson | null {
    const { 'legal-form': form, country, 'legal-id': legalId, 'legal-name': name } = input;
    const needed = {
      'legal-form': form,
      country,
      'legal-id': legalId,
      'legal-name': name,
      representatives: input.representatives,
    };
    for (const [field, value] of Object.entries(needed)) {
      if (value === undefined) this.faults.add(`${path}.${field}`, 'is required');
    }
    if (form === undefined || country === undefined || legalId === undefined || name === undefined)
      return null;
    return {
      id: newId('comp'),
      'legal-form': form,
      country,
      'legal-id': legalId,
      'legal-name': name,
      representatives: [],
    };
  }

  /**
   * The id of the person in the input: the given id, else the id that the person already has in
   * another role, else a new id; null when the input is invalid.
   */
  private personOf(input: PersonInput, taken: readonly string[], path: string): string | null {
    const { id, ...human } = input;
    if (id !== undefined) {
      if (this.file.persons[id] === undefined) {
        this.faults.add(`${path}.id`, 'is not a person of this company');
        return null;
      }
      this.mergePerson(id, human);
      return id;
    }
    const { 'first-name': first, 'last-name': last } = human;
    if (first === undefined) this.faults.add(`${path}.first-name`, 'is required');
    if (last === undefined) this.faults.add(`${path}.last-name`, 'is required');
    if (first === undefined || last === undefined) return null;
    const known = Object.values(this.file.persons).find(
      (person) => !taken.includes(person.id) && isSameHuman(person, input),
    );
    const person = known ?? { id: newId('pers'), 'first-name': first, 'last-name': last };
    this.file.persons[person.id] = person;
    this.mergePerson(person.id, human);
    return person.id;
  }

  private mergePerson(id: string, human: Omit<PersonInput, 'id'>): void {
    const person = this.file.persons[id];
    if (person === undefined) return;
    mergeFields(person, human);
    withAddressId(person);
  }
}

/**
 * Returns the file with the request applied; does not modify the given file. `today` is the day in
 * Europe/Paris. Throws `PartnerError` 422 with all errors.
 */
export const mergeCompany = (
  file: CompanyFile,
  input: CompanyInput,
  today: string,
): CompanyFile => {
  const merge = new CompanyMerge(structuredClone(file));
  merge.apply(input);
  checkCompany(merge.file, input, { today, faults: merge.faults, places: merge.places });
  merge.faults.refuse();
  return merge.file;
};

/** The file of a new company. Throws `PartnerError` 422 with all errors. */
export const newCompanyFile = (input: CompanyInput, today: string): CompanyFile => {
  const userPerson = newId('pers');
  const empty: CompanyFile = {
    user: { id: newId('user'), person: userPerson, contact: { email: '' } },
    country: '',
    'legal-form': '',
    'legal-id': '',
    'legal-name': '',
    persons: { [userPerson]: { id: userPerson, 'first-name': '', 'last-name': '' } },
    owners: [],
    representatives: [],
  };
  return mergeCompany(empty, input, today);
};
