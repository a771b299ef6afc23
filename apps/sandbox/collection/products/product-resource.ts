import { CREATED, DELETED, field } from '../../api/fields.js';
import { type CreateBody, type PatchBody, resource, type StoredRow } from '../../api/resource.js';
import { METADATA, optionalText, text } from '../../api/values.js';

/** Products in the payment API. See docs/provider/payments-completion.md#resources. */
export const PRODUCTS = resource(
  {
    prefix: 'prod',
    title: 'Product',
    about: 'A product for sale.',
    table: 'products',
    key: 'pd',
    removed: 'object',
  },
  {
    created: CREATED,
    deleted: DELETED,
    name: field('The name.', text(1, 64), { required: true }),
    description: field('The description.', optionalText(1, 255)),
    metadata: field('The merchant’s metadata, returned unchanged.', METADATA),
  },
);

export type ProductRow = StoredRow<typeof PRODUCTS>;
export type ProductCreate = CreateBody<typeof PRODUCTS>;
export type ProductPatch = PatchBody<typeof PRODUCTS>;
