import { notAllowed, type PartnerError } from '../../api/partner/partner-error.js';
import type { CompanyInput } from './company-request.js';
import { type CompanyStatus, isFinalized } from './company-status.js';

/**
 * The fields that may change after the signature: the shipping address, and business data that is
 * not part of the contract.
 */
const STAYS_OPEN: ReadonlySet<string> = new Set([
  'shipping-address',
  'url',
  'average-basket',
  'forecast-turnover',
  'field-of-activity',
]);

const closed = (field: string): PartnerError =>
  notAllowed(
    `registration is finalized: \`${field}\` is part of the signed contract and cannot change`,
  );

/**
 * The names of the fields that a request sets; fields of the user are written `user.<name>`,
 * because only `user.contact` may change.
 */
const givenFields = ({ user, ...rest }: CompanyInput): readonly string[] => [
  ...Object.keys(rest),
  ...Object.keys(user ?? {}).map((name) => `user.${name}`),
];

/**
 * After finalization a request may only set fields that are not part of the signed contract. Throws
 * `PartnerError` 409 that names the first field of the contract.
 */
export const refuseSignedFields = (status: CompanyStatus, input: CompanyInput): void => {
  if (!isFinalized(status)) return;
  const field = givenFields(input).find((name) => name !== 'user.contact' && !STAYS_OPEN.has(name));
  if (field !== undefined) throw closed(field);
};

/**
 * Throws a `PartnerError` 409 if the contract is signed: owners and representatives are part of the
 * contract, and their documents were checked.
 */
export const refuseSignedPeople = (
  status: CompanyStatus,
  field: 'owners' | 'representatives',
): void => {
  if (isFinalized(status)) throw closed(field);
};
