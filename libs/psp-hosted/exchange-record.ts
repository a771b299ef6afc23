import type { ExchangeListener } from '#psp';
import type { HttpAnswer, HttpFailure } from './http-exchange.js';
import type { ProviderRequest } from './provider-request.js';
import { redact, scrubText } from './redact.js';

/**
 * The maximum size of a response whose content is stored; for a larger response only the size is
 * stored.
 */
const MAX_ANSWER_BYTES = 64 * 1_024;

const answerOf = (outcome: HttpAnswer | HttpFailure): unknown => {
  if (outcome.type !== 'answer' || outcome.body.length === 0) return null;
  const size = { bytes: outcome.body.length };
  // A body that is not JSON is the error page of a proxy or an incomplete response: only its size
  // is stored.
  const isStored = outcome.json !== undefined && outcome.body.length <= MAX_ANSWER_BYTES;
  return isStored ? redact(outcome.json) : size;
};

const referenceOf = (asked: object): string | null => {
  const { order_id: reference } = asked as { readonly order_id?: unknown };
  return typeof reference === 'string' ? scrubText(reference) : null;
};

/**
 * The part of a request and its response that the call log stores; it contains no personal data.
 */
export const exchangeOf = (
  { method, pathTemplate, id, about, query, body }: ProviderRequest,
  outcome: HttpAnswer | HttpFailure,
  durationMs: number,
): Parameters<ExchangeListener>[0] => ({
  method,
  pathTemplate,
  durationMs,
  objectId: about ?? id ?? null,
  reference: referenceOf(body ?? query ?? {}),
  request: redact({ ...query, ...body }),
  status: outcome.status,
  answer: answerOf(outcome),
  failure: outcome.type === 'failure' ? `${outcome.reason} ${outcome.code}` : null,
});
