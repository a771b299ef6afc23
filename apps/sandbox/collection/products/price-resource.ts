import { MINOR_UNITS, oneOf, shape } from '../../api/answers.js';
import { CREATED, DELETED, field } from '../../api/fields.js';
import { type CreateBody, type PatchBody, resource, type StoredRow } from '../../api/resource.js';
import { OPTIONAL_CURRENCY, reference, valueOf } from '../../api/values.js';

const INTERVAL = oneOf(['day', 'week', 'month', 'year', null]);

/** docs/provider/payments-completion.md#resources. */
export const PRICES = resource(
  {
    prefix: 'price',
    title: 'Price',
    about: 'What a product costs, once or every so often.',
    table: 'prices',
    key: 'pr',
    removed: 'object',
  },
  {
    created: CREATED,
    deleted: DELETED,
    product: field('What is sold for it.', reference('prod'), {
      column: 'product_id',
      only: 'create',
      required: true,
    }),
    amount: field('What is paid each time, in minor units.', valueOf(MINOR_UNITS, MINOR_UNITS), {
      required: true,
    }),
    currency: field('Its currency; `eur` where none is given.', OPTIONAL_CURRENCY),
    interval: field(
      'The unit of the time between two payments; null when it is paid once.',
      valueOf(INTERVAL, INTERVAL),
    ),
    interval_count: field(
      'How many of them lie between two payments.',
      valueOf(
        shape<number | null>({ type: ['integer', 'null'], minimum: 1 }),
        shape<number | null>({ type: ['integer', 'null'], minimum: 1, maximum: 365 }),
      ),
    ),
  },
);

export type PriceRow = StoredRow<typeof PRICES>;
export type PriceCreate = CreateBody<typeof PRICES>;
/** What may be changed of a price; its product may not. */
export type PricePatch = PatchBody<typeof PRICES>;
export type Interval = NonNullable<PriceRow['interval']>;
