/**
 * Thrown for a response in a wrong format. The message contains the field's name and the expected
 * format, never the value, because the value may be personal data.
 */
export class MalformedWire extends Error {
  override readonly name = 'MalformedWire';
}

export type WireFields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown, what: string): WireFields => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new MalformedWire(`${what} must be an object`);
  }
  return value as WireFields;
};

export const itemsOf = (value: unknown, what: string): readonly unknown[] => {
  if (!Array.isArray(value)) throw new MalformedWire(`${what} must be an array`);
  return value;
};

/** Makes a reader that also accepts null and a missing field, both as null. */
const orNull =
  <T>(read: (fields: WireFields, name: string) => T) =>
  (fields: WireFields, name: string): T | null =>
    fields[name] === null || fields[name] === undefined ? null : read(fields, name);

/** NUL and half of a surrogate pair are valid in JSON, but PostgreSQL can store neither. */
const UNSTORABLE = /[\p{Surrogate}\0]/u;

const plainText = (fields: WireFields, name: string): string => {
  const value = fields[name];
  if (typeof value !== 'string') throw new MalformedWire(`${name} must be a text`);
  if (UNSTORABLE.test(value)) {
    throw new MalformedWire(`${name} must not contain NUL or half of a surrogate pair`);
  }
  return value;
};

export const text = (fields: WireFields, name: string): string => {
  const value = plainText(fields, name);
  if (value === '') throw new MalformedWire(`${name} must be a text`);
  return value;
};

/** A whole number that is not negative: minor units, months, years, counts. */
export const wholeNumber = (fields: WireFields, name: string): number => {
  const value = fields[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw new MalformedWire(`${name} must be a whole number`);
  }
  return value;
};

/**
 * An amount in minor units that may be negative, such as captured amounts less refunds and
 * chargebacks.
 */
export const signedNumber = (fields: WireFields, name: string): number => {
  const value = fields[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    throw new MalformedWire(`${name} must be a whole number`);
  }
  return value;
};

export const flag = (fields: WireFields, name: string): boolean => {
  const value = fields[name];
  if (typeof value !== 'boolean') throw new MalformedWire(`${name} must be true or false`);
  return value;
};

export const textOrNull = orNull(plainText);
export const wholeNumberOrNull = orNull(wholeNumber);
export const flagOrNull = orNull(flag);

/** An id with the given prefix, e.g. `pi_` followed by letters and digits. */
export const idOf = (fields: WireFields, name: string, prefix: string): string => {
  const value = fields[name];
  if (typeof value !== 'string' || !isIdOf(value, prefix)) {
    throw new MalformedWire(`${name} must be an id that begins with ${prefix}_`);
  }
  return value;
};

export const idOrNull = (fields: WireFields, name: string, prefix: string): string | null =>
  orNull((some, of) => idOf(some, of, prefix))(fields, name);

/**
 * Whether the text is the prefix, an underscore, and 1 to 64 letters and digits. Such an id can be
 * put into a path unchanged.
 */
export const isIdOf = (value: string, prefix: string): boolean =>
  value.startsWith(`${prefix}_`) && /^[A-Za-z0-9]{1,64}$/.test(value.slice(prefix.length + 1));

const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The value of JSON in valid UTF-8; undefined for any other bytes. */
export const jsonOf = (bytes: Uint8Array): unknown => {
  if (bytes.length === 0) return undefined;
  try {
    return JSON.parse(STRICT_UTF8.decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
};

/** The value of `jsonOf`, which must exist. The error does not quote the body. */
export const jsonValue = (json: unknown): unknown => {
  if (json === undefined) throw new MalformedWire('the body must be JSON');
  return json;
};
