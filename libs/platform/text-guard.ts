import { type FastifyRequest } from 'fastify';
import { mayHoldIban } from './ibans.js';
import { mayHoldCardNumber } from './masking.js';
import { Problem, type ProblemDetail } from './problem.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body fields of the route that may contain account numbers or other long numbers. */
    longNumbers?: ReadonlySet<string>;
  }
}

const MAX_DEPTH = 32;
const NONE: ReadonlySet<string> = new Set();
/** Matches an unpaired surrogate: the u flag makes a complete pair one character. */
const LONE_SURROGATE = /\p{Surrogate}/u;
/**
 * Matches printable ASCII without a digit, such as most names of fields: such a text needs no
 * further checks.
 */
const PLAIN_WORDS = /^[ -/:-~]*$/;

/**
 * Why a text is rejected: the error code, the message of the response, and the message for the
 * field.
 */
const FLAWS = {
  card_number_not_allowed: [
    'a field contains what looks like a card number: remove it, because payers enter card numbers only on the payment page',
    'looks like a card number',
  ],
  iban_not_allowed: [
    'a text contains an IBAN: send account numbers only in the field that is meant for them',
    'contains an IBAN',
  ],
  // The code that clients know for all kinds of invalid fields: here, for a reserved name.
  validation_failed: [
    'some fields are invalid: correct each field that errors lists',
    'has a name that is reserved',
  ],
  unstorable_text: [
    'a text contains characters that cannot be stored: remove them',
    'contains NUL or half of a surrogate pair',
  ],
} as const;

type Flaw = keyof typeof FLAWS;

interface Found {
  readonly flaw: Flaw;
  readonly path: string;
}

/**
 * Why a text is rejected; null if it is accepted. NUL and half of a surrogate pair are valid in
 * JSON, but PostgreSQL cannot store them.
 */
const flawOf = (text: string, isLongNumber = false): Flaw | undefined => {
  if (PLAIN_WORDS.test(text)) return undefined;
  if (!isLongNumber && mayHoldCardNumber(text)) return 'card_number_not_allowed';
  if (!isLongNumber && mayHoldIban(text)) return 'iban_not_allowed';
  return text.includes('\0') || LONE_SURROGATE.test(text) ? 'unstorable_text' : undefined;
};

/**
 * Whether an object has a property of this name anyway, such as `toString`, or gives it to
 * constructors. The libraries that create an object from a body omit or call such a property.
 */
const isReserved = (name: string): boolean => name === 'prototype' || name in Object.prototype;

const escapeKey = (key: string): string =>
  encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));

/**
 * The first forbidden text in a value, at any depth and including names of fields. Its path is
 * built only when a text is found.
 */
const findFlaw = (value: unknown, name = '', longNumbers = NONE, depth = 0): Found | undefined => {
  if (typeof value === 'string' || typeof value === 'number') {
    const flaw = flawOf(String(value), longNumbers.has(name));
    return flaw && { flaw, path: '' };
  }
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return undefined;
  if (depth > MAX_DEPTH) {
    throw new Problem(422, 'too_deep', `nest values at most ${MAX_DEPTH} levels deep`);
  }
  for (const [key, item] of Object.entries(value)) {
    if (isReserved(key)) return { flaw: 'validation_failed', path: `/${key}` };
    const flaw = flawOf(key);
    if (flaw !== undefined) return { flaw, path: '' };
    const found = findFlaw(item, key, longNumbers, depth + 1);
    if (found !== undefined) return { ...found, path: `/${escapeKey(key)}${found.path}` };
  }
  return undefined;
};

const refuse = (flaw: Flaw, where: Omit<ProblemDetail, 'detail'>): never => {
  const [message, detail] = FLAWS[flaw];
  throw new Problem(422, flaw, message, { errors: [{ detail, ...where }] });
};

/** Does the check of `refuseUnwantedTexts` on a text outside a JSON body. Throws `Problem` 422. */
export const refuseUnwantedText = (text: string, pointer: string): void => {
  const flaw = flawOf(text);
  if (flaw !== undefined) refuse(flaw, { pointer });
};

/**
 * Rejects a request whose body, query, path or idempotency key contains a possible card number, an
 * IBAN, a text that PostgreSQL cannot store, or a field with a reserved name. The error contains the
 * location of the text, never the text. Throws `Problem` 422.
 */
export const refuseUnwantedTexts = (request: FastifyRequest): void => {
  const places = [
    ['Idempotency-Key', request.headers['idempotency-key']],
    ['path', request.params],
    ['query', request.query],
  ] as const;
  for (const [name, value] of places) {
    const found = findFlaw(value);
    if (found) refuse(found.flaw, { parameter: found.path.slice(1) || name });
  }
  const found = findFlaw(request.body, '', request.routeOptions.config.longNumbers);
  if (found) refuse(found.flaw, { pointer: `#${found.path}` });
};
