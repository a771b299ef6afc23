import { CURRENCIES, type Currency, MAX_AMOUNT_MINOR } from '#kernel';
import {
  ANY_VALUE,
  CURRENCY,
  DATE_OR_NULL,
  FLAG,
  idOf,
  idOrNull,
  MINOR_UNITS,
  type Shape,
  shape,
  TEXT,
  TEXT_OR_NULL,
} from './answers.js';
import type { IdPrefix } from './ids.js';

/** A type of value: its form in responses, in creations and in PATCH requests. */
export interface Value<Out = unknown, In = unknown, Change = unknown> {
  readonly out: Shape<Out>;
  readonly in: Shape<In>;
  readonly change: Shape<Change>;
  /** True for the id of another object: requests are rejected when that object does not exist. */
  readonly refers?: true;
}

/** Declares a type of value; by default PATCH accepts the same values as a creation. */
export const valueOf = <Out, In>(out: Shape<Out>, taken: Shape<In>): Value<Out, In, In> => ({
  out,
  in: taken,
  change: taken,
});

/** The schema of an optional text; null is the same as omitting the text. */
const OR_NULL = { type: ['string', 'null'] } as const;

export const text = (minLength: number, maxLength: number) =>
  valueOf(TEXT, shape<string>({ type: 'string', minLength, maxLength }));

export const optionalText = (minLength: number, maxLength: number, more: object = {}) =>
  valueOf(TEXT_OR_NULL, shape<string | null>({ ...OR_NULL, minLength, maxLength, ...more }));

export const reference = (prefix: IdPrefix): Value<string, string, string> => ({
  ...valueOf(idOf(prefix), idOf(prefix)),
  refers: true,
});

export const optionalReference = (
  prefix: IdPrefix,
): Value<string | null, string | null, string | null> => ({
  ...valueOf(idOrNull(prefix), idOrNull(prefix)),
  refers: true,
});

/** YYYY-MM-DD, from 1900 on. */
export const OPTIONAL_DATE = valueOf(
  DATE_OR_NULL,
  shape<string | null>({ ...OR_NULL, format: 'date', pattern: '^(19|20)' }),
);

const ALPHA2 = '^[A-Za-z]{2}$';

/**
 * ISO 3166 alpha-2 in upper or lower case; `capitals` converts the code to upper case for
 * responses.
 */
export const COUNTRY = valueOf(TEXT, shape<string>({ type: 'string', pattern: ALPHA2 }));
export const OPTIONAL_COUNTRY = valueOf(
  TEXT_OR_NULL,
  shape<string | null>({ ...OR_NULL, pattern: ALPHA2 }),
);

/** Returns the body with its country in capitals. */
export const capitals = <T extends { readonly country?: string | null }>(body: T): T =>
  typeof body.country === 'string' ? { ...body, country: body.country.toUpperCase() } : body;

/** Minor units of a payment: at least 1. */
export const AMOUNT = valueOf(
  MINOR_UNITS,
  shape<number>({ type: 'integer', minimum: 1, maximum: MAX_AMOUNT_MINOR }),
);
/** A creation sets a default if the value is omitted; a PATCH cannot remove the value. */
export const OPTIONAL_CURRENCY = {
  ...valueOf(CURRENCY, shape<Currency | null>({ enum: [...CURRENCIES, null] })),
  change: CURRENCY,
};
export const OPTIONAL_FLAG = {
  ...valueOf(FLAG, shape<boolean | null>({ type: ['boolean', 'null'] })),
  change: FLAG,
};

/** The value is stored and returned unchanged. */
export const METADATA = valueOf(
  ANY_VALUE,
  shape<unknown>({
    description:
      'Any JSON value of at most 16 KiB and 100 levels, without numbers beyond 9007199254740991.',
    'x-max-bytes': 16_384,
  }),
);

/** The URL to which the browser is redirected. */
export const OPTIONAL_URL = valueOf(
  TEXT_OR_NULL,
  shape<string | null>({
    ...OR_NULL,
    maxLength: 2_048,
    pattern: '^https?://[^\\s]+$',
  }),
);
