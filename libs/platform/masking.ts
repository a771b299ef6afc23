import { holdsCardNumber, mayHoldCard, readingsOf, withoutCardNumbers } from '#kernel';

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const DATE_TIME =
  /\b(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:[0-2]\d|3[01])[ T][0-2]\d:[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?:[+-][01]\d(?::?[0-5]\d)?)?/g;
const STRING_OR_LONG_NUMBER = /"(?:[^"\\]|\\.)*"|\d{13,19}/g;
const SECRET_FIELD =
  /"(authorization|cookie|set-cookie|[\w-]*(?:secret|password|api[_-]?key|token))":"(?:[^"\\]|\\.)+"/gi;
const SECRET_TEXT =
  /\b((?:stest|sprod|spart_test|spart_live|po)_[A-Za-z0-9]{4})[A-Za-z0-9._-]{8,}/g;

/**
 * Removes UUIDs and times from a text. Their many digits may pass the Luhn check by chance, as in
 * about one of a thousand UUIDs and one of ten dates with a time.
 */
export const withoutHarmlessDigits = (text: string): string =>
  text.replace(UUID, 'x').replace(DATE_TIME, 'x');

/** Whether a text from outside may contain a card number. */
export const mayHoldCardNumber = (text: string): boolean =>
  holdsCardNumber(text) &&
  readingsOf(text).some((plain) => holdsCardNumber(withoutHarmlessDigits(plain)));

/** The text with all but the last four digits of every possible card number replaced. */
export const maskCardNumbers = (text: string): string =>
  mayHoldCardNumber(text) ? withoutCardNumbers(text) : text;

const maskValue = (json: string): string => {
  if (!json.startsWith('"')) return holdsCardNumber(json) ? `"${maskCardNumbers(json)}"` : json;
  const text = json.includes('\\') ? String(JSON.parse(json)) : json.slice(1, -1);
  return mayHoldCardNumber(text) ? JSON.stringify(maskCardNumbers(text)) : json;
};

/** Masks secrets in all nested fields of a log line, and card numbers. */
export const maskLine = (line: string): string => {
  const withoutSecrets = line
    .replace(SECRET_FIELD, (_, field: string) => `"${field}":"[redacted]"`)
    .replace(SECRET_TEXT, '$1[redacted]');
  // Most lines contain no card number, so they are checked as a whole before their values.
  if (!mayHoldCard(withoutSecrets)) return withoutSecrets;
  // Values are masked one by one, so that digits of two values are not joined.
  return withoutSecrets.replace(STRING_OR_LONG_NUMBER, maskValue);
};
