import { PartnerError, partnerNotFound } from '../../api/partner/partner-error.js';
import { type CompanyFile, identifiedPersons, type Representative } from './company-file.js';

export type PersonRole = 'owner' | 'representative';

const theLast = (): PartnerError =>
  new PartnerError(
    409,
    'conflict',
    'the last representative cannot be removed: add another representative first',
  );

const isPerson = (representative: Representative, id: string): boolean =>
  (representative.company === undefined ? representative.person : representative.company.id) === id;

/**
 * Removes a representative from the company's list or from a legal person's list; returns whether
 * the representative was found.
 */
const removeFrom = (representatives: Representative[], id: string): boolean => {
  const index = representatives.findIndex((representative) => isPerson(representative, id));
  if (index >= 0) {
    if (representatives.length === 1) throw theLast();
    representatives.splice(index, 1);
    return true;
  }
  return representatives.some(
    ({ company }) => company !== undefined && removeFrom(company.representatives, id),
  );
};

/** Deletes persons who no longer have any role. */
const forgetStrangers = (file: CompanyFile): void => {
  const known = new Set([...identifiedPersons(file), file.user.person]);
  for (const id of Object.keys(file.persons)) {
    if (!known.has(id)) Reflect.deleteProperty(file.persons, id);
  }
};

/**
 * Returns the company's data without this owner or representative; other roles of the same person
 * stay. Throws `PartnerError` 404 when there is no such person, 409 for the last representative.
 */
export const withoutPerson = (given: CompanyFile, id: string, role: PersonRole): CompanyFile => {
  const file = structuredClone(given);
  if (role === 'owner') {
    const left = file.owners.filter(({ person }) => person !== id);
    if (left.length === file.owners.length) throw partnerNotFound('owner', id);
    file.owners = left;
  } else if (!removeFrom(file.representatives, id)) {
    throw partnerNotFound('representative', id);
  }
  forgetStrangers(file);
  return file;
};
