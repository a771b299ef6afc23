import { instantFromMs } from '#kernel';
import {
  fieldsOf,
  idOf,
  itemsOf,
  MalformedWire,
  wholeNumber,
  type WireFields,
} from './wire-decode.js';

/** Reads one field by its name; throws `MalformedWire`. */
export type FieldReader<T> = (fields: WireFields, name: string) => T;

type Readers = Readonly<Record<string, FieldReader<unknown>>>;

type Decoded<R extends Readers> = { readonly [Name in keyof R]: ReturnType<R[Name]> };

/** Decodes an object: only the named fields, each with its reader. */
export const shape =
  <R extends Readers>(what: string, readers: R) =>
  (value: unknown): Decoded<R> => {
    const fields = fieldsOf(value, what);
    const decoded = Object.entries(readers).map(([name, read]) => [name, read(fields, name)]);
    // The result has one value for each name, which the type of `fromEntries` cannot express.
    return Object.fromEntries(decoded) as Decoded<R>;
  };

export const inner =
  <T>(decode: (value: unknown) => T): FieldReader<T> =>
  (fields, name) =>
    decode(fields[name]);

/** Makes a reader that returns null for a field that is null or missing. */
export const optional =
  <T>(read: FieldReader<T>): FieldReader<T | null> =>
  (fields, name) =>
    fields[name] === null || fields[name] === undefined ? null : read(fields, name);

export const listOf =
  <T>(decode: (value: unknown) => T) =>
  (value: unknown): readonly T[] =>
    itemsOf(value, 'the list').map(decode);

export const id =
  (prefix: string): FieldReader<string> =>
  (fields, name) =>
    idOf(fields, name, prefix);

/** Reads a share, from 0 to 1. */
export const share: FieldReader<number> = (fields, name) => {
  const value = fields[name];
  if (typeof value !== 'number' || !(value >= 0 && value <= 1)) {
    throw new MalformedWire(`${name} must be a share from 0 to 1`);
  }
  return value;
};

/** Reads a day in the format `YYYY-MM-DD` that is only shown; it may not exist in the calendar. */
export const shownDay: FieldReader<string> = (fields, name) => {
  const value = fields[name];
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) {
    throw new MalformedWire(`${name} must be a day`);
  }
  return value;
};

/**
 * Reads a day in the format `YYYY-MM-DD`. A day that does not exist, such as `0000-00-00`, is
 * malformed: PostgreSQL cannot store it, so an event with it would stop the projections.
 */
export const day: FieldReader<string> = (fields, name) => {
  const value = shownDay(fields, name);
  const epochMs = Date.parse(`${value}T00:00:00Z`);
  const exists = !Number.isNaN(epochMs) && instantFromMs(epochMs).startsWith(value);
  // PostgreSQL has no year 0.
  if (!exists || value < '0001') throw new MalformedWire(`${name} must be a day that exists`);
  return value;
};

/** The year 2100. A later time is malformed: it is probably in milliseconds. */
const MAX_EPOCH_SECONDS = 4_102_444_800;

/** Reads a time in epoch seconds. */
export const epochSeconds: FieldReader<number> = (fields, name) => {
  const value = wholeNumber(fields, name);
  if (value >= MAX_EPOCH_SECONDS)
    throw new MalformedWire(`${name} must be a time in epoch seconds`);
  return value;
};

/** Reads an item of a list that consists of texts. */
export const code = (value: unknown): string => {
  if (typeof value === 'string' && value !== '') return value;
  throw new MalformedWire('each item must be a text');
};
