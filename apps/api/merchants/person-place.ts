import { Rejection } from '#kernel';
import type { CompanyFacts, PersonRole, RepresentativeDetails } from '#psp';

/** Where a company lists a person in a role. */
interface PersonPlace {
  readonly reference: string | null;
  /** The ids of the legal persons that the person represents, outermost first. */
  readonly within: readonly string[];
}

const idOf = ({ person, company }: RepresentativeDetails): string | undefined =>
  person?.id ?? company?.id;

/** Searches the company's own representatives before those of its legal persons. */
const representativePlace = (
  representatives: readonly RepresentativeDetails[],
  personId: string,
  within: readonly string[],
): PersonPlace | null => {
  const found = representatives.find((one) => idOf(one) === personId);
  if (found !== undefined) return { reference: found.reference ?? null, within };
  for (const { company } of representatives) {
    if (company?.id === undefined) continue;
    const inner = company.representatives ?? [];
    const place = representativePlace(inner, personId, [...within, company.id]);
    if (place !== null) return place;
  }
  return null;
};

/**
 * The place of a person in a role. Throws `Rejection('person_not_found')` if the person does not
 * have the role: the provider would add the role when a change names the person's id.
 */
export const placeOf = (
  { owners, details }: CompanyFacts,
  role: PersonRole,
  personId: string,
): PersonPlace => {
  const owner = owners.find(({ id }) => id === personId);
  const place =
    role === 'owner'
      ? owner && { reference: owner.reference, within: [] }
      : representativePlace(details.representatives ?? [], personId, []);
  if (place) return place;
  throw new Rejection('person_not_found', `the merchant has no ${role} with this id`);
};
