import { flag, flagOrNull, MalformedWire, text, textOrNull, wholeNumber } from './wire-decode.js';
import { code, day, id, inner, listOf, shape } from './wire-shape.js';

/**
 * The rest of the onboarding API: lists of codes, progress, history, terminals, keys. Unknown
 * statuses stay unchanged here; the code that maps the response to our words handles them.
 */

/** A row of a list of codes. */
export const codeOfRow = shape('code', { code: text });

/** A list of codes. Its items are texts, or objects with a code and further fields. */
export const decodeCodes = listOf((row) =>
  typeof row === 'string' ? code(row) : codeOfRow(row).code,
);

export const decodeLink = shape('link', { link: text });

export const decodeProgress = shape('progress', {
  company: id('comp'),
  status: text,
  steps: inner(
    listOf(
      shape('step', {
        code: text,
        complete: flag,
        missing: inner(listOf(code)),
      }),
    ),
  ),
  percent: wholeNumber,
});

/** The last change of a company in the requested days. Days are days in Europe/Paris. */
const statusChange = shape('change', {
  id: id('comp'),
  'date-update': day,
  status: text,
  'terminated-by-service': flagOrNull,
});

export type WireStatusChange = ReturnType<typeof statusChange>;

export interface WireHistory {
  readonly rows: readonly WireStatusChange[];
  /** The number of rows that could not be decoded. */
  readonly unreadable: number;
}

const statusChangeOrNull = (value: unknown): WireStatusChange | null => {
  try {
    return statusChange(value);
  } catch (error) {
    if (error instanceof MalformedWire) return null;
    throw error;
  }
};

/**
 * A row that cannot be decoded is only counted, so that the rows of all other companies can be
 * read.
 */
export const decodeHistory = (value: unknown): WireHistory => {
  const all = listOf(statusChangeOrNull)(value);
  const rows = all.filter((row) => row !== null);
  return { rows, unreadable: all.length - rows.length };
};

export const decodeTerminal = shape('terminal', {
  id: id('term'),
  name: text,
  status: text,
  'carrier-name': textOrNull,
  'tracking-url': textOrNull,
});

/** The company's keys are secret, and stored only in provider accounts. */
export const decodeKeys = shape('keys', { test: text, live: text });

export const decodeUploadResult = shape('upload result', {
  company: id('comp'),
  files: inner(listOf(shape('file', { id: id('dcmt') }))),
});

export const decodeDeleted = shape('deletion', { deleted: flag, id: text });

export type WireProgress = ReturnType<typeof decodeProgress>;
export type WireTerminal = ReturnType<typeof decodeTerminal>;
