import { type FastifyRequest } from 'fastify';
import { mayHoldCardNumber } from './masking.js';
import { Problem, type ProblemDetail } from './problem.js';

const MAX_DEPTH = 32;

/** Where in a value a card number may be; undefined when nowhere. Keys are looked at too. */
const findCardNumber = (value: unknown, path: string, depth = 0): string | undefined => {
  if (typeof value === 'string') return mayHoldCardNumber(value) ? path : undefined;
  if (typeof value === 'number') return mayHoldCardNumber(String(value)) ? path : undefined;
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return undefined;
  if (depth > MAX_DEPTH) {
    throw new Problem(422, 'too_deep', `nest values at most ${MAX_DEPTH} levels deep`);
  }
  for (const [key, item] of Object.entries(value)) {
    if (mayHoldCardNumber(key)) return path;
    const found = findCardNumber(item, `${path}/${encodeURIComponent(key)}`, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
};

const refuse = (where: ProblemDetail): never => {
  throw new Problem(
    422,
    'card_number_refused',
    'a field holds what looks like a card number; card numbers belong on the payment page only',
    { errors: [where] },
  );
};

/**
 * Refuses a request that carries what may be a card number in its body, query, path or
 * idempotency key, naming the place and never the value. Throws `Problem` 422.
 */
export const refuseCardNumbers = (request: FastifyRequest): void => {
  const detail = 'looks like a card number';
  const key = request.headers['idempotency-key'];
  if (typeof key === 'string' && mayHoldCardNumber(key)) {
    refuse({ detail, parameter: 'Idempotency-Key' });
  }
  const inPath = findCardNumber(request.params, '');
  if (inPath !== undefined) refuse({ detail, parameter: inPath.slice(1) || 'path' });
  const inQuery = findCardNumber(request.query, '');
  if (inQuery !== undefined) refuse({ detail, parameter: inQuery.slice(1) || 'query' });
  const inBody = findCardNumber(request.body, '#');
  if (inBody !== undefined) refuse({ detail, pointer: inBody });
};
