import type { ProviderError } from '#psp';
import { type CallOutcome, lookAgain, stuck } from './effect-job.js';

/** What becomes of a job whose call did nothing and showed nothing. */
export const outcomeOfProviderError = (error: ProviderError): CallOutcome<never> => {
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
      return lookAgain(error.message);
    case 'capability_missing':
      return stuck(error.message);
    case 'rejected':
      return stuck(`${error.message}: ${error.providerMessage}`);
  }
};
