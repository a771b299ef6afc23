import type { Currency } from '#kernel';
import { answer, CURRENCY, FLAG, idOf, MINOR_UNITS, MOMENT, pageOf } from '../../api/answers.js';
import { checkedBody } from '../../api/checked.js';
import { listQuery } from '../../api/lists.js';
import { OPTIONAL_CURRENCY, reference } from '../../api/schemas.js';
import type { priceResource } from './price-resource.js';
import type { Interval } from './price-row.js';

/** What may be changed of a price; its product may not. */
export interface PricePatch {
  readonly amount?: number;
  readonly currency?: Currency;
  readonly interval?: Interval | null;
  readonly interval_count?: number | null;
}

/** What the body of `POST /v2/prices` holds. Completion, "Resources". */
export interface PriceCreate extends Omit<PricePatch, 'currency'> {
  readonly product: string;
  readonly amount: number;
  readonly currency?: Currency | null;
}

const INTERVALS: readonly Interval[] = ['day', 'week', 'month', 'year'];

const PROPERTIES = {
  amount: MINOR_UNITS,
  interval: { enum: [...INTERVALS, null] },
  interval_count: { type: ['integer', 'null'], minimum: 1, maximum: 365 },
} as const;

export const priceCreate = checkedBody<PriceCreate>({
  required: ['product', 'amount'],
  properties: { product: reference('prod'), ...PROPERTIES, currency: OPTIONAL_CURRENCY },
});
export const pricePatch = checkedBody<PricePatch>({
  properties: { ...PROPERTIES, currency: CURRENCY },
});
export const priceList = listQuery();

export const PRICE_ANSWER = answer<ReturnType<typeof priceResource>>({
  id: idOf('price'), created: MOMENT, deleted: FLAG, product: idOf('prod'), amount: MINOR_UNITS,
  currency: CURRENCY, interval: { enum: [...INTERVALS, null] },
  interval_count: { type: ['integer', 'null'], minimum: 1 },
});
export const PRICE_LIST_ANSWER = pageOf('prices', PRICE_ANSWER);
