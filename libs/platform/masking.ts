import { holdsCardNumber, mayHoldCard, readingsOf, withoutCardNumbers } from '#kernel';

const UUID =
  /(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f])/gi;
const STRING_OR_LONG_NUMBER = /"(?:[^"\\]|\\.)*"|\d{13,19}/g;
const SECRET_FIELD =
  /"(authorization|cookie|set-cookie|[\w-]*(?:secret|password|api[_-]?key|token))":"(?:[^"\\]|\\.)+"/gi;
const SECRET_TEXT =
  /\b((?:stest|sprod|spart_test|spart_live|po)_[A-Za-z0-9]{4})[A-Za-z0-9._-]{8,}/g;

/** Removes UUIDs from a text: some would be taken for a card number or an IBAN by chance. */
export const withoutUuids = (text: string): string => text.replace(UUID, 'x');

/** Whether a text from outside may contain a card number. */
export const mayHoldCardNumber = (text: string): boolean =>
  holdsCardNumber(text) && readingsOf(text).some((plain) => holdsCardNumber(withoutUuids(plain)));

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
