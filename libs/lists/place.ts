import { Problem } from '#platform';
import type { Direction, List, Sort } from './list.js';

/** The position of the last row of a page, by its sort value and id, as text. */
export interface Place {
  readonly sort: string;
  readonly direction: Direction;
  readonly at: string;
  readonly id: string;
}

type Check = (text: string) => boolean;

/**
 * Whether the text is an instant that exists in the calendar; any other text would cause a database
 * error.
 */
const isInstant: Check = (text) => {
  const [, day] = /^((?:19|20)\d\d-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d{6}Z$/.exec(text) ?? [];
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${day}.`);
};
const isNumber: Check = (text) => /^-?\d{1,18}$/.test(text);

const IS_VALUE: Readonly<Record<Sort['of'], Check>> = {
  instant: isInstant,
  day: (text) => isInstant(`${text}T00:00:00.000000Z`),
  amount: isNumber,
  text: (text) => /^\w{1,40}$/.test(text),
};

/** The formats of row ids; a text of another format would cause a database error. */
const IDS: Readonly<Record<NonNullable<List['idIs']> | 'text', RegExp>> = {
  text: /^[\w.:-]{1,100}$/,
  uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/,
  number: /^-?\d{1,18}$/,
};
export const idPatternOf = ({ idIs }: Pick<List, 'idIs'>): RegExp => IDS[idIs ?? 'text'];

/** Converts a value to text in SQL without loss of precision. */
export const placeSql = ({ by, of }: Sort): string =>
  of === 'instant'
    ? `to_char(${by} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
    : `${by}::text`;

export const cursorOf = ({ sort, direction, at, id }: Place): string =>
  Buffer.from(JSON.stringify([sort, direction, at, id])).toString('base64url');

const partsOf = (cursor: string): readonly unknown[] => {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
};

/** Throws `Problem` 422 for a cursor that was not returned for this list and order. */
export const placeOf = (cursor: string, list: List, sort: string, direction: Direction): Place => {
  const [of, way, at, id] = partsOf(cursor);
  const known = list.sorts[sort];
  if (
    known !== undefined &&
    of === sort &&
    way === direction &&
    typeof at === 'string' &&
    typeof id === 'string' &&
    IS_VALUE[known.of](at) &&
    idPatternOf(list).test(id)
  )
    return { sort, direction, at, id };
  throw new Problem(
    422,
    'validation_failed',
    'the cursor is not valid for this list: send `nextCursor` of the previous page, with the same sort and direction',
    {
      errors: [
        { detail: 'was not returned for this list, sort and direction', parameter: 'cursor' },
      ],
    },
  );
};
