import type { CompanyChange, CompanyDetails } from '#psp';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const mergeFields = (before: Fields, change: Fields): Fields => {
  const merged: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(change)) {
    const known = merged[name];
    if (value === null) delete merged[name];
    else merged[name] = isFields(value) ? mergeFields(isFields(known) ? known : {}, value) : value;
  }
  return merged;
};

/**
 * Merges a change into the details, as the provider does for a registered company: objects are
 * merged key by key, and null clears a field. Lists are replaced as a whole, because persons have
 * no ids before the registration.
 */
export const mergeDetails = (before: CompanyDetails, change: CompanyChange): CompanyDetails =>
  mergeFields(
    before as unknown as Fields,
    change as unknown as Fields,
  ) as unknown as CompanyDetails;
