import { CREATED, DELETED, field } from '../../api/fields.js';
import { type CreateBody, type PatchBody, resource, type StoredRow } from '../../api/resource.js';
import { COUNTRY, METADATA, optionalText, text } from '../../api/values.js';

/** Addresses in the payment API. See docs/provider/payments-completion.md#resources. */
export const ADDRESSES = resource(
  {
    prefix: 'addr',
    title: 'Address',
    about: 'A postal address. A deleted address can still be read.',
    table: 'addresses',
    key: 'ad',
    patch: { conflict: 'The address was deleted.' },
    removed: 'object',
  },
  {
    created_at: CREATED,
    deleted: DELETED,
    zip_code: field('The postal code.', text(2, 16), { required: true }),
    city: field('The town.', text(1, 50), { required: true }),
    country: field('The country, ISO 3166 alpha-2, in capitals.', COUNTRY, {
      required: true,
      asked: 'Accepted in upper or lower case.',
    }),
    line1: field('The first line, e.g. street and number.', optionalText(1, 50)),
    line2: field('The second line.', optionalText(1, 50)),
    line3: field('The third line.', optionalText(1, 50)),
    state: field('The state or province.', optionalText(1, 3)),
    metadata: field('The merchant’s metadata, returned unchanged.', METADATA),
  },
);

export type AddressRow = StoredRow<typeof ADDRESSES>;
export type AddressCreate = CreateBody<typeof ADDRESSES>;
export type AddressPatch = PatchBody<typeof ADDRESSES>;
