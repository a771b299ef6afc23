import { type CallOutcome, retryLater, stuck } from '#jobs';
import { isProviderError } from '#psp';

/**
 * The outcome of a job whose call failed with a `ProviderError`: the call had no effect, and
 * nothing is to be recorded. Null for any other error.
 */
export const outcomeOfFailure = (error: unknown): CallOutcome<never> | null => {
  if (!isProviderError(error)) return null;
  switch (error.kind) {
    case 'rate_limited':
      return {
        commands: [],
        next: { state: 'waiting', afterMs: error.retryAfterMs ?? 0 },
        note: error.message,
      };
    case 'unavailable':
    case 'unauthorized':
    case 'unknown_outcome':
      return retryLater(error.message);
    case 'capability_missing':
      return stuck(error.message);
    case 'rejected':
      return stuck(`${error.message}: ${error.providerMessage}`);
  }
};
