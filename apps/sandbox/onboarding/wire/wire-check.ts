import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { mayHoldCardNumber } from '#platform';
import type { Shape } from '../../api/answers.js';
import { type FieldFault, invalidFields } from '../../api/partner/partner-error.js';
import { object, type Shapes } from './schema.js';
import { WIRE_FORMATS } from './wire-formats.js';

const options = { allErrors: true, verbose: false, allowUnionTypes: true } as const;
const ajv = new Ajv2020(options);
addFormats.default(ajv);
for (const [name, { holds }] of Object.entries(WIRE_FORMATS)) ajv.addFormat(name, holds);

const nameIn = ({ params }: ErrorObject): string | null => {
  const { missingProperty, additionalProperty } = params as Record<string, unknown>;
  const name = missingProperty ?? additionalProperty;
  return typeof name === 'string' ? name : null;
};

const messageOf = (error: ErrorObject): string => {
  const { format, allowedValues } = error.params as {
    format?: string;
    allowedValues?: readonly unknown[];
  };
  switch (error.keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return 'is an unknown field';
    case 'enum':
      return `must be one of ${(allowedValues ?? []).join(', ')}`;
    case 'format':
      return WIRE_FORMATS[format ?? '']?.says ?? `must be a ${format}`;
    case 'pattern':
      return 'has the wrong format';
    case 'oneOf':
      return 'requires exactly one of person and company';
    default:
      return error.message ?? 'is invalid';
  }
};

const faultOf = (error: ErrorObject): FieldFault => {
  const steps = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/'));
  const name = nameIn(error);
  return {
    field: [...steps, ...(name === null ? [] : [name])].join('.'),
    message: messageOf(error),
  };
};

/**
 * Whether an error is inside an alternative of `oneOf`. Such errors are dropped: an alternative
 * that does not apply would report its own fields as missing.
 */
const isOfBranch = ({ schemaPath }: ErrorObject): boolean => /\/oneOf\/\d/.test(schemaPath);

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Fields with long numbers, some of which satisfy the Luhn check of card numbers by chance. */
const LONG_NUMBERS: ReadonlySet<string> = new Set(['legal-id', 'iban', 'phone', 'number']);

const textFault = (key: string, text: string): string | null => {
  if (text.includes('\0') || LONE_SURROGATE.test(text)) return 'contains invalid characters';
  if (!LONG_NUMBERS.has(key) && mayHoldCardNumber(text)) {
    return 'looks like a card number, which is accepted only on the payment page';
  }
  return null;
};

const textFaults = (value: unknown, path: readonly string[]): readonly FieldFault[] => {
  if (typeof value === 'string') {
    const message = textFault(path.at(-1) ?? '', value);
    return message === null ? [] : [{ field: path.join('.'), message }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => textFaults(item, [...path, key]));
};

/** Validates an input against its schema; `read` throws `PartnerError` 422 with all errors. */
export interface WireCheck<T> {
  readonly schema: Shape<T>;
  read(input: unknown): T;
}

export const wireCheck = <T>(schema: Shape<T>): WireCheck<T> => {
  let compiled: ValidateFunction | undefined;
  return {
    schema,
    read: (input) => {
      const validate = (compiled ??= ajv.compile(schema));
      if (!validate(input)) {
        const errors = (validate.errors ?? []).filter((error) => !isOfBranch(error));
        throw invalidFields(...errors.map(faultOf));
      }
      const faults = textFaults(input, []);
      if (faults.length > 0) throw invalidFields(...faults);
      return input as T;
    },
  };
};

/**
 * Declares the query parameters of an endpoint: all are strings; a parameter that is not declared
 * is ignored.
 */
export const wireQuery = <
  const P extends Shapes,
  const R extends keyof P & string = keyof P & string,
>(
  properties: P,
  required = Object.keys(properties) as (keyof P & string)[] as R[],
) => {
  const { additionalProperties: _, ...schema } = object(properties, required);
  return wireCheck(schema as ReturnType<typeof object<P, R>>);
};
