import { MINOR_UNITS, oneOf, shape } from '../../api/answers.js';
import { CREATED, DELETED, field } from '../../api/fields.js';
import { type CreateBody, type PatchBody, resource, type StoredRow } from '../../api/resource.js';
import { OPTIONAL_CURRENCY, reference, valueOf } from '../../api/values.js';

const INTERVAL = oneOf(['day', 'week', 'month', 'year', null]);

/** Prices in the payment API. See docs/provider/payments-completion.md#resources. */
export const PRICES = resource(
  {
    prefix: 'price',
    title: 'Price',
    about: 'The price of a product, one-time or recurring.',
    table: 'prices',
    key: 'pr',
    removed: 'object',
  },
  {
    created: CREATED,
    deleted: DELETED,
    product: field('The product.', reference('prod'), {
      column: 'product_id',
      only: 'create',
      required: true,
    }),
    amount: field(
      'The amount of each payment, in minor units.',
      valueOf(MINOR_UNITS, MINOR_UNITS),
      {
        required: true,
      },
    ),
    currency: field('The currency; `eur` by default.', OPTIONAL_CURRENCY),
    interval: field(
      'The unit of the billing interval; null for a one-time price.',
      valueOf(INTERVAL, INTERVAL),
    ),
    interval_count: field(
      'The number of units in the billing interval.',
      valueOf(
        shape<number | null>({ type: ['integer', 'null'], minimum: 1 }),
        shape<number | null>({ type: ['integer', 'null'], minimum: 1, maximum: 365 }),
      ),
    ),
  },
);

export type PriceRow = StoredRow<typeof PRICES>;
export type PriceCreate = CreateBody<typeof PRICES>;
/** The changeable fields of a price: all but the product. */
export type PricePatch = PatchBody<typeof PRICES>;
export type Interval = NonNullable<PriceRow['interval']>;
