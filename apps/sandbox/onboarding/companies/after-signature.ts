import { notAllowed, type PartnerError } from '../../api/partner/partner-error.js';
import type { CompanyInput } from './company-request.js';
import { type CompanyStatus, isFinalized } from './company-status.js';

/** Where goods go, and trade data that the contract does not depend on. */
const STAYS_OPEN: ReadonlySet<string> = new Set([
  'shipping-address',
  'url',
  'average-basket',
  'forecast-turnover',
  'field-of-activity',
]);

const closed = (field: string): PartnerError =>
  notAllowed(`registration is finalized: \`${field}\` is part of the signed contract`);

/** What a request gives, as paths; of the user the contact may change and the person may not. */
const givenFields = ({ user, ...rest }: CompanyInput): readonly string[] => [
  ...Object.keys(rest),
  ...Object.keys(user ?? {}).map((name) => `user.${name}`),
];

/**
 * What was signed stays: once registration is finalized a request may only give what is not in the
 * contract. Throws `PartnerError` 409 naming the first other field.
 */
export const refuseSignedFields = (status: CompanyStatus, input: CompanyInput): void => {
  if (!isFinalized(status)) return;
  const field = givenFields(input).find((name) => name !== 'user.contact' && !STAYS_OPEN.has(name));
  if (field !== undefined) throw closed(field);
};

/** Owners and representatives have signed, and their papers were checked. Throws 409. */
export const refuseSignedHeads = (
  status: CompanyStatus,
  field: 'owners' | 'representatives',
): void => {
  if (isFinalized(status)) throw closed(field);
};
