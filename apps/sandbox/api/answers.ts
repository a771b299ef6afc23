import { CURRENCIES, MAX_AMOUNT_MINOR } from '#kernel';
import { type IdPrefix, idPattern } from './ids.js';

/** Epoch seconds. */
export const MOMENT = { type: 'integer', minimum: 0 } as const;
export const FLAG = { type: 'boolean' } as const;
export const TEXT = { type: 'string' } as const;
export const TEXT_OR_NULL = { type: ['string', 'null'] } as const;
export const ANY_VALUE = { description: 'Any JSON value.' } as const;
export const MINOR_UNITS = { type: 'integer', minimum: 0, maximum: MAX_AMOUNT_MINOR } as const;
export const CURRENCY = { enum: [...CURRENCIES] } as const;

export const idOf = (prefix: IdPrefix) =>
  ({ type: 'string', pattern: idPattern(prefix) }) as const;

export const idOrNull = (prefix: IdPrefix) =>
  ({ type: ['string', 'null'], pattern: idPattern(prefix) }) as const;

/** YYYY-MM-DD. */
export const DATE = { type: 'string', format: 'date' } as const;
export const DATE_OR_NULL = { type: ['string', 'null'], format: 'date' } as const;
export const ADDRESS = { type: 'string', format: 'uri' } as const;
export const ADDRESS_OR_NULL = { type: ['string', 'null'], format: 'uri' } as const;

export const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] }) as const;

/**
 * An object of the API as it is answered: each of its keys is always there, and no other. `T` is
 * what makes it, so that a key without its schema, or a schema without its key, does not compile.
 */
export const answer = <T = Readonly<Record<string, unknown>>>(
  properties: Readonly<Record<keyof T, object>>,
) =>
  ({
    type: 'object', additionalProperties: false, required: Object.keys(properties), properties,
  }) as const;

const RANGE = answer({
  start: { type: 'integer', minimum: 0 },
  end: { type: 'integer', minimum: 0 },
  limit: { type: 'integer', minimum: 1, maximum: 100 },
  count: { type: 'integer', minimum: 0, maximum: 100 },
  has_more: FLAG,
});

/** A page of a list: the items under the plural of their name, and which ones they are. */
export const pageOf = (plural: string, item: object) =>
  answer({ [plural]: { type: 'array', items: item }, range: RANGE });
