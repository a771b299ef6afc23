import type { HttpAnswer, HttpFailure } from './http-exchange.js';
import {
  type FailureDetails,
  type ProviderCallTrace,
  type ProviderError,
  ProviderRateLimited,
  ProviderRejected,
  ProviderUnauthorized,
  ProviderUnavailable,
  ProviderUnknownOutcome,
} from '#psp';
import {
  type ProviderErrorBody,
  readErrorBody,
  readOnboardingErrorBody,
} from './provider-error-body.js';
import { parseRetryAfterMs } from './retry-after.js';
import { jsonValue, MalformedWire } from './wire-decode.js';

/** How one of the provider's two APIs shows that a request is rejected. */
export interface RefusalWire {
  /** The HTTP statuses that mean that the API key is invalid, independent of the request. */
  readonly unauthorized: ReadonlySet<number>;
  readonly read: (body: unknown) => ProviderErrorBody;
}

export const PAYMENT_REFUSALS: RefusalWire = {
  unauthorized: new Set([401, 403]),
  read: readErrorBody,
};

/**
 * docs/provider/onboarding-completion.md#errors: in this API a 403 is `not-allowed` or
 * `sandbox-only`, and the API key is valid.
 */
export const ONBOARDING_REFUSALS: RefusalWire = {
  unauthorized: new Set([401]),
  read: readOnboardingErrorBody,
};

const isJson = (answer: HttpAnswer): boolean =>
  /^application\/(?:[\w.+-]+\+)?json\b/i.test(String(answer.headers['content-type'] ?? ''));

/**
 * The error of a request without a result. A read changes nothing, so its failure is certain; a
 * write that was sent may have been executed.
 */
const unsettled = (trace: ProviderCallTrace, failure: FailureDetails): ProviderError =>
  trace.method === 'GET'
    ? new ProviderUnavailable(trace, failure)
    : new ProviderUnknownOutcome(trace, failure);

const errorOfFailure = (failure: HttpFailure, trace: ProviderCallTrace): ProviderError => {
  const { sent, reason, status, code } = failure;
  return sent
    ? unsettled(trace, { reason, status, detail: code })
    : new ProviderUnavailable(trace, { reason: 'unreachable', status: null, detail: code });
};

const readJson = (answer: HttpAnswer): unknown => {
  if (!isJson(answer)) throw new MalformedWire('the response must be JSON');
  return jsonValue(answer.json);
};

/**
 * The error of a 4xx response. The error is final only if the response contains the provider's own
 * error body: a 404 that is empty or HTML comes from a proxy, and says nothing about the payment.
 */
const errorOfRefusal = (
  answer: HttpAnswer,
  trace: ProviderCallTrace,
  refusals: RefusalWire,
): ProviderError => {
  const { status } = answer;
  if (refusals.unauthorized.has(status)) return new ProviderUnauthorized(trace, status);
  if (status === 429) {
    const retryAfterMs = parseRetryAfterMs(answer.headers['retry-after'], Date.now());
    return new ProviderRateLimited(trace, retryAfterMs);
  }
  // 408: a proxy did not receive a response in time, so whether the provider received the request
  // is unknown.
  if (status === 408) return unsettled(trace, { reason: 'timeout', status, detail: null });
  const { code, message, faults } = refusals.read(readJson(answer));
  return new ProviderRejected(trace, status, code, message, faults);
};

/**
 * The content of the response. Otherwise throws the `ProviderError` that says whether the request
 * was rejected, was certainly not executed, or may have been executed.
 */
export const classifyOutcome = <T>(
  outcome: HttpAnswer | HttpFailure,
  trace: ProviderCallTrace,
  decode: (answer: unknown) => T,
  refusals: RefusalWire = PAYMENT_REFUSALS,
): T => {
  if (outcome.type === 'failure') throw errorOfFailure(outcome, trace);
  const { status } = outcome;
  if (status >= 500) {
    throw unsettled(trace, { reason: 'server_error', status, detail: null });
  }
  try {
    if (status >= 200 && status < 300) return decode(readJson(outcome));
    if (status >= 400) throw errorOfRefusal(outcome, trace, refusals);
  } catch (error) {
    if (!(error instanceof MalformedWire)) throw error;
    throw unsettled(trace, { reason: 'unreadable_answer', status, detail: error.message });
  }
  throw unsettled(trace, { reason: 'unreadable_answer', status, detail: 'unexpected status' });
};
