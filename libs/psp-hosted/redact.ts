import { maskCardNumbers, mayHoldIban } from '#platform';

const REDACTED = '[redacted]';
const MAX_DEPTH = 8;
const MAX_ITEMS = 20;
const MAX_TEXT_CHARS = 300;

/**
 * The only fields whose texts and numbers are kept. Any other field may contain a person's name,
 * address or account number, now or in a later version of the provider's API, so its value is
 * replaced. A payout's `date` is not kept, because the onboarding API's `date` is a date of birth.
 */
const KEPT = new Set(
  [
    'id status amount currency reference order_id unique_id',
    'payment payment_intent payout refund dispute mandate object event',
    'method methods_allowed brand network funding threeds mode capture response',
    'created created_at updated_at date_bank date_settlement status-date',
    'fee fees fees_vat payments_amount refunds_amount disputes_amount',
    'payments_count refunds_count disputes_count count start end limit has_more',
    'type code error detail loc msg message reason field fields error-type error-code',
    'enabled deleted progress missing company-status',
  ].flatMap((names) => names.split(' ')),
);

const EMAIL = /[^\s@"'<>]{1,64}@[^\s@"'<>]{1,255}/g;
const IBAN = /\b[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){10,32}\b/gi;
const SECRET =
  /\b(?:stest|sprod|spart_test|spart_live|po)_[\w-]{4,}|\bBasic\s+\S+|\bBearer\s+\S+/gi;
const LONG_NUMBER = /(?<![\w])\d(?:[ .-]?\d){8,}(?![\w])/g;

/** Searches only texts with an `@`, because the search tries up to 64 characters per position. */
const withoutEmail = (text: string): string =>
  text.includes('@') ? text.replace(EMAIL, REDACTED) : text;

/** A text without possible addresses, account numbers, card numbers, telephone numbers or keys. */
export const scrubText = (text: string): string => {
  const scrubbed = withoutEmail(maskCardNumbers(text))
    .replace(IBAN, REDACTED)
    .replace(SECRET, REDACTED)
    .replace(LONG_NUMBER, REDACTED);
  return mayHoldIban(scrubbed) ? REDACTED : scrubbed.slice(0, MAX_TEXT_CHARS);
};

/**
 * Whether a number is short enough to be an amount or a time in seconds; a longer number may be
 * personal data.
 */
const isSmall = (value: number): boolean => Math.abs(value) < 1e11;

const redactValue = (value: unknown, isKept: boolean, depth: number): unknown => {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return isKept && isSmall(value) ? value : REDACTED;
  if (typeof value === 'string') return isKept ? scrubText(value) : REDACTED;
  if (depth > MAX_DEPTH || typeof value !== 'object') return REDACTED;
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => redactValue(item, isKept, depth + 1));
    return value.length > MAX_ITEMS ? [...items, `… ${value.length - MAX_ITEMS} more`] : items;
  }
  return redactFields(value, depth);
};

const redactFields = (value: object, depth: number): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      KEPT.has(name) ? name : scrubText(name).slice(0, 60),
      redactValue(item, KEPT.has(name), depth + 1),
    ]),
  );

/**
 * The part of a request or response that may be stored: the structure, and the values of the fields
 * that contain no personal data. Only the first items of a list are kept, and long texts are cut.
 */
export const redact = (value: unknown): unknown => redactValue(value, false, 0);
