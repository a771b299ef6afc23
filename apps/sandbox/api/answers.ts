import type { SchemaObject } from 'ajv';
import { CURRENCIES, type Currency, MAX_AMOUNT_MINOR } from '#kernel';
import { type IdPrefix, idPattern } from './ids.js';

declare const value: unique symbol;

/** A JSON Schema, and the TypeScript type of the values that it accepts. */
export type Shape<T = unknown> = SchemaObject & { readonly [value]: T };

export type ValueOf<S> = S extends { readonly [value]: infer T } ? T : never;

/** Gives a schema its TypeScript type; the compiler does not check that `T` matches the schema. */
export const shape = <T>(schema: SchemaObject): Shape<T> => schema as Shape<T>;

/** Returns the schema with the sentence `about` before the schema's description. */
export const described = <T>(about: string, of: Shape<T>): Shape<T> => {
  const { description } = of as { readonly description?: string };
  return { ...of, description: description === undefined ? about : `${about} ${description}` };
};

export const INTEGER = shape<number>({ type: 'integer' });
export const FLAG = shape<boolean>({ type: 'boolean' });
export const TEXT = shape<string>({ type: 'string' });
export const TEXT_OR_NULL = shape<string | null>({ type: ['string', 'null'] });
export const ANY_VALUE = shape<unknown>({ description: 'Any JSON value.' });
export const CURRENCY = shape<Currency>({ enum: [...CURRENCIES] });

/** Epoch seconds. */
export const MOMENT = shape<number>({ type: 'integer', minimum: 0 });
export const MOMENT_OR_NULL = shape<number | null>({ type: ['integer', 'null'], minimum: 0 });
export const MINOR_UNITS = shape<number>({
  type: 'integer',
  minimum: 0,
  maximum: MAX_AMOUNT_MINOR,
});

export const idOf = (prefix: IdPrefix): Shape<string> =>
  shape({ type: 'string', pattern: idPattern(prefix) });

export const idOrNull = (prefix: IdPrefix): Shape<string | null> =>
  shape({ type: ['string', 'null'], pattern: idPattern(prefix) });

/** YYYY-MM-DD. */
export const DATE = shape<string>({ type: 'string', format: 'date' });
export const DATE_OR_NULL = shape<string | null>({ type: ['string', 'null'], format: 'date' });
export const ADDRESS = shape<string>({ type: 'string', format: 'uri' });
export const ADDRESS_OR_NULL = shape<string | null>({ type: ['string', 'null'], format: 'uri' });

export const oneOf = <const T>(values: readonly T[]): Shape<T> => shape({ enum: [...values] });
export const orNull = <T>(of: Shape<T>): Shape<T | null> =>
  shape({ anyOf: [of, { type: 'null' }] });
export const listOf = <T>(items: Shape<T>): Shape<readonly T[]> => shape({ type: 'array', items });

type Shapes = Readonly<Record<string, Shape>>;

/** The schema of an object in a request: it accepts these keys and rejects all others. */
export const input = <const P extends Shapes, const R extends keyof P & string = never>(
  properties: P,
  required: readonly R[] = [],
): Shape<
  { readonly [K in R]: ValueOf<P[K]> } & { readonly [K in Exclude<keyof P, R>]?: ValueOf<P[K]> }
> =>
  shape({
    type: 'object',
    additionalProperties: false,
    ...(required.length === 0 ? {} : { required }),
    properties,
  });

/** The schema of an object in a response: every key is required, other keys are not allowed. */
export const answer = <const P extends Shapes>(
  properties: P,
): Shape<{ readonly [K in keyof P]: ValueOf<P[K]> }> =>
  shape({
    type: 'object',
    additionalProperties: false,
    required: Object.keys(properties),
    properties,
  });

const RANGE = answer({
  start: described('The index of the first item.', shape<number>({ type: 'integer', minimum: 0 })),
  end: described(
    'The index of the last item; equal to `start` when the page is empty.',
    shape<number>({ type: 'integer', minimum: 0 }),
  ),
  limit: described(
    'The maximum number of items in a page.',
    shape<number>({ type: 'integer', minimum: 1, maximum: 100 }),
  ),
  count: described(
    'The items in this page.',
    shape<number>({ type: 'integer', minimum: 0, maximum: 100 }),
  ),
  has_more: described('Whether there are items after this page.', FLAG),
});

/**
 * One page of a list: the items, under the plural name of the resource, and their position in the
 * list.
 */
export const pageOf = (plural: string, item: Shape) =>
  answer({
    [plural]: described('Newest first.', listOf(item)),
    range: described('The position of these items in the list.', RANGE),
  });
