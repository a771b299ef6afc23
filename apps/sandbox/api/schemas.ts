import { CURRENCIES, MAX_AMOUNT_MINOR } from '#kernel';
import { type IdPrefix, idPattern } from './ids.js';

export const text = (minLength: number, maxLength: number) =>
  ({ type: 'string', minLength, maxLength }) as const;

export const reference = (prefix: IdPrefix) =>
  ({ type: 'string', pattern: idPattern(prefix) }) as const;

const OR_NULL = { type: ['string', 'null'] } as const;

/** What is optional may also be null, which is the same as not given. */
export const optionalText = (minLength: number, maxLength: number) =>
  ({ ...text(minLength, maxLength), ...OR_NULL }) as const;

export const optionalReference = (prefix: IdPrefix) =>
  ({ ...reference(prefix), ...OR_NULL }) as const;

/** YYYY-MM-DD, from the year 1900 on. */
export const OPTIONAL_DATE = {
  type: ['string', 'null'], format: 'date', pattern: '^(19|20)',
} as const;

/** ISO 3166 alpha-2, taken in either case; `capitals` makes of it what is answered. */
export const COUNTRY = { type: 'string', pattern: '^[A-Za-z]{2}$' } as const;

/** The body with its country in capitals. */
export const capitals = <T extends { readonly country?: string | null }>(body: T): T =>
  typeof body.country === 'string' ? { ...body, country: body.country.toUpperCase() } : body;

export const OPTIONAL_COUNTRY = { ...COUNTRY, ...OR_NULL } as const;

/** Minor units of what is paid: at least 1. */
export const AMOUNT = { type: 'integer', minimum: 1, maximum: MAX_AMOUNT_MINOR } as const;

export const OPTIONAL_CURRENCY = { enum: [...CURRENCIES, null] } as const;

export const OPTIONAL_FLAG = { type: ['boolean', 'null'] } as const;

/** Kept and answered as it came. */
export const METADATA = {
  description: 'Any JSON value of at most 16 KiB.', 'x-max-bytes': 16_384,
} as const;

/** Where a browser is sent back to. */
export const OPTIONAL_URL = {
  type: ['string', 'null'], maxLength: 2_048, pattern: '^https?://[^\\s]+$',
} as const;
