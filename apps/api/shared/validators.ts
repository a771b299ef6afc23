import { registerDecorator } from 'class-validator';
import { parseDurationMs, Rejection } from '#kernel';

const MAX_ENTRIES = 20;
const MAX_KEY = 40;
const MAX_VALUE = 500;

const validator =
  (name: string, validate: (value: unknown) => boolean, message: string) =>
  (): PropertyDecorator =>
  (target, property) =>
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: String(property),
      options: { message: `$property ${message}` },
      validator: { validate },
    });

/**
 * Checks the number of characters (Unicode code points), as OpenAPI and the provider count them.
 * `Length` of the validation library omits variation selectors, so that it accepts texts that the
 * provider refuses.
 */
export const HasLength = (min: number, max: number): PropertyDecorator => {
  const form = new RegExp(`^[^]{${min},${max}}$`, 'u');
  return validator(
    'isLength',
    (value) => typeof value === 'string' && form.test(value),
    `must have ${min} to ${max} characters`,
  )();
};

export const isDuration = (value: unknown): boolean => {
  if (typeof value !== 'string') return false;
  try {
    return parseDurationMs(value) > 0;
  } catch (error) {
    if (error instanceof Rejection) return false;
    throw error;
  }
};

/** Checks an ISO 8601 duration of days, hours, minutes and seconds. */
export const IsDuration = validator(
  'isDuration',
  isDuration,
  'must be an ISO 8601 duration such as P3D, PT12H or PT30M',
);

const isTextMap = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value as Readonly<Record<string, unknown>>);
  return (
    entries.length <= MAX_ENTRIES &&
    entries.every(
      ([key, text]) =>
        key.length <= MAX_KEY && typeof text === 'string' && text.length <= MAX_VALUE,
    )
  );
};

/** Checks a small map of names to texts. */
export const IsTextMap = validator(
  'isTextMap',
  isTextMap,
  `must map at most ${MAX_ENTRIES} names (to ${MAX_KEY} characters) to texts (to ${MAX_VALUE})`,
);

const EMAIL = /[^\s@]{1,64}@[^\s@.]{1,64}\.[^\s@]{2}/;

/** Decodes the text, so that a percent-encoded email address is detected as well. */
const decoded = (text: string): string => text.replace(/%40/gi, '@').replace(/%2e/gi, '.');

/** Searches only texts with an `@`, because the search tries up to 64 characters per position. */
const mayHoldEmail = (text: string): boolean => text.includes('@') && EMAIL.test(text);

const holdsNoEmail = (value: unknown): boolean => {
  if (typeof value === 'string') return !mayHoldEmail(decoded(value));
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, item]) => !mayHoldEmail(key) && holdsNoEmail(item));
};

/**
 * Refuses a text with an email address. Events are stored permanently, so they must not contain a
 * payer's email address.
 */
export const HoldsNoEmail = validator(
  'holdsNoEmail',
  holdsNoEmail,
  'must not hold an email address: it would be stored in the history',
);
