import { type CallJob, type CallOutcome, retryLater, stuck } from '#jobs';
import { isProviderError, ProviderRejected } from '#psp';

const NOT_FOUND = 404;
/**
 * The attempts, in about two minutes, after which an object that the provider does not find is taken
 * to be missing. Until then a replica of the provider may not have it yet.
 */
const MISSING_TRIES = 8;

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

/** Like `outcomeOfFailure`, for calls that read an existing object, which may not be found at first. */
export const outcomeOfRead = (error: unknown, { attempts }: CallJob): CallOutcome<never> | null =>
  error instanceof ProviderRejected && error.status === NOT_FOUND && attempts < MISSING_TRIES
    ? retryLater(`${error.message}: ${error.providerMessage}`)
    : outcomeOfFailure(error);
