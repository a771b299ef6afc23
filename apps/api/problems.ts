import { ReservationTaken, StepConflict, WrittenByNewerRelease } from '#log';
import { Rejection } from '#kernel';
import { type ProblemOptions, type Problem, temporarilyUnavailable } from '#platform';
import { isProviderError, type ProviderError } from '#psp';
import { ERROR_CODES, problem } from './shared/error-codes.js';

/**
 * Maps errors of our calls to the provider to problems: the platform learns what to do, not the
 * provider's message.
 */
const providerProblem = (cause: ProviderError): Problem => {
  const away = (retryAfterSeconds: number): Problem =>
    problem('provider_unavailable', {
      headers: { 'retry-after': String(retryAfterSeconds) },
      cause,
    });
  switch (cause.kind) {
    case 'capability_missing': {
      const { message: detail, capability: code } = cause;
      return problem(cause.kind, { detail, errors: [{ detail, code, pointer: '#' }], cause });
    }
    case 'rejected':
    case 'unauthorized':
      return problem(`provider_${cause.kind}`, { cause });
    case 'rate_limited':
      return away(Math.ceil((cause.retryAfterMs ?? 1_000) / 1_000));
    case 'unavailable':
    case 'unknown_outcome':
      return away(5);
  }
};

/** Maps errors that only the API throws to HTTP problems. */
export const problems: ProblemOptions = {
  rejections: Object.fromEntries(
    Object.entries(ERROR_CODES).map(([code, { status }]) => [code, status]),
  ),
  other: (error) => {
    if (error instanceof ReservationTaken) {
      const thing = error.scope.startsWith('merchant.') ? 'merchant' : 'order';
      const detail = `the ${thing} ${error.holder} has this reference already: read that order, or use another reference`;
      return problem('reference_taken', { detail });
    }
    if (error instanceof StepConflict) {
      return problem('busy', { headers: { 'retry-after': '1' }, cause: error });
    }
    if (error instanceof Rejection && error.code === 'capability_missing') {
      const { message: detail, details } = error;
      const code = String(details['capability']);
      const errors = [{ detail, code, pointer: '#/amountMinor' }];
      return problem(error.code, { detail, errors, cause: error });
    }
    // The stored events are of a newer release, whose processes can handle the request: the client
    // should retry.
    if (error instanceof WrittenByNewerRelease) return temporarilyUnavailable(error, 5);
    return isProviderError(error) ? providerProblem(error) : undefined;
  },
};
