import { TEXT_OR_NULL } from '../../api/answers.js';
import { CREATED, DELETED, field } from '../../api/fields.js';
import { type PatchBody, resource, type StoredRow } from '../../api/resource.js';
import {
  OPTIONAL_COUNTRY,
  OPTIONAL_DATE,
  optionalReference,
  optionalText,
  valueOf,
} from '../../api/values.js';

const given = (name: 'email' | 'mobile') => ({
  required: [name],
  properties: { [name]: { type: 'string' } },
});

/**
 * A customer needs at least an `email` or a `mobile` number. See
 * docs/provider/payments-completion.md#resources.
 */
export const CUSTOMERS = resource(
  {
    prefix: 'cust',
    title: 'Customer',
    about: 'A payer.',
    table: 'customers',
    key: 'cu',
    numbers: ['legal_id', 'mobile'],
    create: { rules: { anyOf: [given('email'), given('mobile')] } },
    removed: 'object',
  },
  {
    created: CREATED,
    deleted: DELETED,
    email: field('The payer’s email address.', optionalText(5, 254, { format: 'email' }), {
      filter: true,
    }),
    mobile: field('The payer’s mobile number.', optionalText(1, 16), { filter: true }),
    name: field('The payer’s name.', optionalText(3, 64)),
    date_birth: field('The day of birth, YYYY-MM-DD.', valueOf(TEXT_OR_NULL, OPTIONAL_DATE.in)),
    legal_id: field('A company’s register number.', optionalText(1, 16)),
    country: field('The country, ISO 3166 alpha-2, in capitals.', OPTIONAL_COUNTRY, {
      asked: 'Accepted in upper or lower case.',
    }),
    external_id: field('The merchant’s reference; it need not be unique.', optionalText(1, 36), {
      filter: true,
    }),
    billing_address: field('The billing address.', optionalReference('addr')),
    shipping_address: field('The shipping address.', optionalReference('addr')),
  },
);

export type CustomerRow = StoredRow<typeof CUSTOMERS>;
/** The body fields of POST and PATCH; null clears a field. */
export type CustomerFields = PatchBody<typeof CUSTOMERS>;
