import { holdsCardNumber } from '#kernel';

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const DIGIT_RUN = /(?<!\d)\d(?:[ .-]?\d){12,18}(?!\d)/g;
const SECRET_FIELD =
  /"(authorization|cookie|set-cookie|[\w-]*(?:secret|password|api[_-]?key|token))":"(?:[^"\\]|\\.)+"/gi;
const SECRET_TEXT = /\b((?:stest|sprod|spart_test|spart_live|po)_[A-Za-z0-9]{4})[A-Za-z0-9._-]{8,}/g;

/**
 * Whether a text from outside may carry a card number. One UUID in about a thousand holds a run of
 * digits that passes Luhn by chance, so UUIDs are set aside before looking.
 */
export const mayHoldCardNumber = (text: string): boolean =>
  text.length >= 13 && holdsCardNumber(text.replace(UUID, ''));

/** The text with the digits of every possible card number but the last four replaced. */
export const maskCardNumbers = (text: string): string =>
  text.replace(DIGIT_RUN, (run) =>
    holdsCardNumber(run) ? `${'*'.repeat(run.length - 4)}${run.slice(-4)}` : run,
  );

/** A log line without secrets, whatever depth they were logged at, and without card numbers. */
export const maskLine = (line: string): string =>
  maskCardNumbers(
    line
      .replace(SECRET_FIELD, (_, field: string) => `"${field}":"[redacted]"`)
      .replace(SECRET_TEXT, '$1[redacted]'),
  );
