import { type FastifyRequest } from 'fastify';
import { mayHoldCardNumber } from './masking.js';
import { Problem, type ProblemDetail } from './problem.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Fields of the body that are long numbers by nature: some pass a card's check digit. */
    longNumbers?: ReadonlySet<string>;
  }
}

const MAX_DEPTH = 32;
const NONE: ReadonlySet<string> = new Set();
/** With the u flag a whole pair is one character, so only half a pair is a surrogate. */
const LONE_SURROGATE = /\p{Surrogate}/u;

type Flaw = 'card_number' | 'unstorable_text';

interface Found {
  readonly flaw: Flaw;
  readonly path: string;
}

/** NUL and half a surrogate pair are valid in JSON and in no database text. */
const flawOf = (text: string, isLongNumber = false): Flaw | undefined => {
  if (!isLongNumber && mayHoldCardNumber(text)) return 'card_number';
  return text.includes('\0') || LONE_SURROGATE.test(text) ? 'unstorable_text' : undefined;
};

const escapeKey = (key: string): string =>
  encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));

/** The first flaw anywhere in a value. Keys are looked at too. */
const findFlaw = (
  value: unknown, path: string, longNumbers = NONE, depth = 0,
): Found | undefined => {
  if (typeof value === 'string' || typeof value === 'number') {
    const flaw = flawOf(String(value), longNumbers.has(path.slice(path.lastIndexOf('/') + 1)));
    return flaw && { flaw, path };
  }
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return undefined;
  if (depth > MAX_DEPTH) {
    throw new Problem(422, 'too_deep', `nest values at most ${MAX_DEPTH} levels deep`);
  }
  for (const [key, item] of Object.entries(value)) {
    const flaw = flawOf(key);
    const found = flaw
      ? { flaw, path } : findFlaw(item, `${path}/${escapeKey(key)}`, longNumbers, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
};

const refuse = (flaw: Flaw, where: Omit<ProblemDetail, 'detail'>): never => {
  if (flaw === 'unstorable_text') {
    throw new Problem(422, 'unstorable_text', 'a text holds characters that cannot be stored', {
      errors: [{ detail: 'holds NUL or half a surrogate pair', ...where }],
    });
  }
  throw new Problem(
    422,
    'card_number_refused',
    'a field holds what looks like a card number; card numbers belong on the payment page only',
    { errors: [{ detail: 'looks like a card number', ...where }] },
  );
};

/**
 * Refuses a request that carries what may be a card number in its body, query, path or
 * idempotency key, or a text that no database takes, naming the place and never the value.
 * Throws `Problem` 422.
 */
export const refuseCardNumbers = (request: FastifyRequest): void => {
  const places = [
    ['Idempotency-Key', request.headers['idempotency-key']],
    ['path', request.params],
    ['query', request.query],
  ] as const;
  for (const [name, value] of places) {
    const found = findFlaw(value, '');
    if (found) refuse(found.flaw, { parameter: found.path.slice(1) || name });
  }
  const found = findFlaw(request.body, '#', request.routeOptions.config.longNumbers);
  if (found) refuse(found.flaw, { pointer: found.path });
};
