import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiProblem } from '../api/client';
import { endedFrom, SESSION_KEY, type SessionState } from './session-query';

const isFinal = (error: unknown): boolean =>
  error instanceof ApiProblem && error.status >= 400 && error.status < 500 && error.status !== 429;

/** Any query may report the end of the session; then the sign-in form is shown. */
const forgetEndedSession = (error: unknown): void => {
  if (error instanceof ApiProblem && error.status === 401) {
    queryClient.setQueryData<SessionState>(SESSION_KEY, endedFrom);
  }
};

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: forgetEndedSession }),
  // Runs for every mutation, also for those that handle their own errors.
  mutationCache: new MutationCache({ onError: forgetEndedSession }),
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      retry: (failures, error) => !isFinal(error) && failures < 2,
    },
  },
});
