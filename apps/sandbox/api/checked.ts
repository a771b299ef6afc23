import {
  Ajv2020,
  type AnySchemaObject,
  type ErrorObject,
  str,
  type ValidateFunction,
} from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { mayHoldCardNumber } from '#platform';
import type { Shape } from './answers.js';
import { ApiError, type ValidationDetail } from './api-error.js';

const ajvOptions = { allErrors: true, useDefaults: true, verbose: false } as const;
const forBodies = new Ajv2020(ajvOptions);
const forQueries = new Ajv2020({ ...ajvOptions, coerceTypes: true });
for (const ajv of [forBodies, forQueries]) addFormats.default(ajv);
forBodies.addKeyword({
  keyword: 'x-max-bytes',
  schemaType: 'number',
  validate: (most: number, value: unknown) => Buffer.byteLength(JSON.stringify(value)) <= most,
  error: { message: ({ schema }) => str`is larger than ${schema as number} bytes` },
});

/** The `type` of a 422 error, by the keyword of the JSON Schema rule that the input violates. */
const TYPES: Readonly<Record<string, string>> = {
  required: 'missing',
  dependentRequired: 'missing',
  additionalProperties: 'extra_forbidden',
  enum: 'enum',
  pattern: 'string_pattern_mismatch',
  minLength: 'string_too_short',
  maxLength: 'string_too_long',
  minimum: 'greater_than_equal',
  maximum: 'less_than_equal',
  minProperties: 'value_error',
  anyOf: 'value_error',
  'x-max-bytes': 'too_large',
};

const named = (error: ErrorObject): string | undefined => {
  const { missingProperty, additionalProperty } = error.params as Record<string, unknown>;
  const name = missingProperty ?? additionalProperty;
  return typeof name === 'string' ? name : undefined;
};

const messageOf = (error: ErrorObject): string => {
  if (error.keyword === 'required') return 'Field required';
  if (error.keyword === 'additionalProperties') return 'Extra inputs are not permitted';
  if (error.keyword === 'enum') {
    const { allowedValues } = error.params as { allowedValues: readonly unknown[] };
    return `Input should be one of ${allowedValues.map(String).join(', ')}`;
  }
  return `Input ${error.message ?? 'is not valid'}`;
};

const typeOf = (error: ErrorObject): string => {
  if (error.keyword !== 'type') return TYPES[error.keyword] ?? 'value_error';
  const { type } = error.params as { type: string | readonly string[] };
  return `${Array.isArray(type) ? type.join('_or_') : String(type)}_type`;
};

const detailOf = (place: string, error: ErrorObject): ValidationDetail => {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/'));
  const steps = path.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  const name = named(error);
  const loc = [place, ...steps, ...(name === undefined ? [] : [name])];
  return { loc, msg: messageOf(error), type: typeOf(error) };
};

/** The maximum number of levels of a value: the functions that read it call themselves for each. */
const MAX_DEPTH = 100;
const LONE_SURROGATE = /\p{Surrogate}/u;

interface Unwanted {
  readonly msg: string;
  readonly type: string;
}

type Rule = (text: string) => Unwanted | null;

/** Rejects NUL and lone surrogates, which PostgreSQL cannot store. */
const noText: Rule = (text) =>
  text.includes('\0') || LONE_SURROGATE.test(text)
    ? { msg: 'Input contains characters that are not valid text', type: 'string_unicode' }
    : null;

const LIKE_A_CARD_NUMBER =
  'Input contains 13 to 19 digits that may be a card number, because their check digit is valid: ' +
  'send a card number as `number` of a card only, and another reference otherwise';

/**
 * Rejects card numbers, which belong on the payment page only; the error does not repeat the
 * number.
 */
const cardNumber: Rule = (text) =>
  mayHoldCardNumber(text) ? { msg: LIKE_A_CARD_NUMBER, type: 'card_number' } : null;

/**
 * Rejects numbers that JavaScript cannot represent exactly, because they would be stored changed,
 * e.g. 9007199254740993 as …992.
 */
const TOO_LARGE: Unwanted = {
  msg: `Input contains a number beyond ${Number.MAX_SAFE_INTEGER}, which would be changed`,
  type: 'number_too_large',
};

/** Searches every level of an input for content that no field may contain. */
const unwantedIn = (value: unknown, rule: Rule, depth = 0): Unwanted | null => {
  if (typeof value === 'string') return rule(value);
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) return TOO_LARGE;
  if (Number.isInteger(value)) return rule(String(value));
  if (typeof value !== 'object' || value === null) return null;
  if (depth === MAX_DEPTH) return { msg: 'Input is nested too deeply', type: 'too_deep' };
  for (const [key, item] of Object.entries(value)) {
    const fault = rule(key) ?? unwantedIn(item, rule, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
};

const refuseUnwanted = (place: string, value: object, rule: Rule): void => {
  const detail = Object.entries(value).flatMap(([key, item]) => {
    const fault = unwantedIn(item, rule);
    return fault === null ? [] : [{ loc: [place, key], ...fault }];
  });
  if (detail.length > 0) throw new ApiError(422, { detail });
};

/**
 * Copies an object without the value at the path, e.g. `sepa.iban`; returns the object unchanged if
 * it has no such value.
 */
const without = (input: object, path: string): object => {
  const [key = '', ...rest] = path.split('.');
  const { [key]: value, ...others } = input as Readonly<Record<string, unknown>>;
  if (value === undefined || rest.length === 0) return others;
  if (typeof value !== 'object' || value === null) return input;
  return { ...others, [key]: without(value, rest.join('.')) };
};

/** Validates an input against its schema; `read` throws `ApiError` 422 with all errors. */
export interface Checked<T> {
  readonly schema: Shape<T>;
  readonly read: (input: unknown) => T;
}

const checked = <T>(
  ajv: Ajv2020,
  place: string,
  schema: AnySchemaObject,
  numbers: readonly string[] = [],
): Checked<T> => {
  // Compiled on first use: compiling all schemas takes a third of the start-up time.
  let compiled: ValidateFunction | undefined;
  return {
    schema: schema as Shape<T>,
    read: (input) => {
      const validate = (compiled ??= ajv.compile(schema));
      const isObject = typeof input === 'object' && input !== null;
      // Before the schema, whose rules cannot read an input of many thousand levels.
      if (isObject) refuseUnwanted(place, input, noText);
      if (!validate(input)) {
        const detail = (validate.errors ?? []).map((error) => detailOf(place, error));
        throw new ApiError(422, { detail });
      }
      if (isObject) refuseUnwanted(place, numbers.reduce(without, input), cardNumber);
      return input as T;
    },
  };
};

/**
 * Validates a JSON body, which may contain only the keys of the schema. `T` must match the schema.
 * `numbers` lists the fields with long numbers, e.g. `sepa.iban` or `legal_id`, some of which
 * satisfy the Luhn check: only these fields may look like a card number. References such as
 * `order_id` may not, as they are stored and shown in plain text.
 */
export const checkedBody = <T>(
  schema: AnySchemaObject | Shape<T>,
  numbers: readonly string[] = [],
): Checked<T> =>
  checked<T>(
    forBodies,
    'body',
    { type: 'object', additionalProperties: false, ...schema },
    numbers,
  );

/**
 * Validates query parameters, converted from text; a parameter that is not in `properties` is
 * rejected. See `checkedBody` for `numbers`.
 */
export const checkedQuery = <T>(
  properties: AnySchemaObject,
  numbers: readonly string[] = [],
): Checked<T> =>
  checked<T>(
    forQueries,
    'query',
    { type: 'object', additionalProperties: false, properties },
    numbers,
  );

const noBody = checkedBody<Record<string, never>>({});

/**
 * Validates the body of a method that takes no body: the body must be absent or an empty object.
 */
export const readNoBody = (input: unknown): void => {
  if (input !== undefined && input !== null) noBody.read(input);
};
