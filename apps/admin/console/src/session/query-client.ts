import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiProblem } from '../api/client';
import { endedFrom, SESSION_KEY, type SessionState } from './session-query';

const isFinal = (error: unknown): boolean =>
  error instanceof ApiProblem && error.status >= 400 && error.status < 500 && error.status !== 429;

/**
 * The error codes that mean that the session of the browser is not the session that the page knows.
 */
const SESSION_CHANGED = ['csrf_refused', 'second_factor_required', 'second_factor_set_up_required'];

/**
 * Any request may fail because the session has ended; then the sign-in form is shown. It may also
 * fail because another tab has begun a new session or because the session now requires a second
 * factor; then the session is read again.
 */
const updateSession = (error: unknown): void => {
  if (!(error instanceof ApiProblem)) return;
  if (error.status === 401) queryClient.setQueryData<SessionState>(SESSION_KEY, endedFrom);
  if (SESSION_CHANGED.includes(error.code)) {
    void queryClient.invalidateQueries({ queryKey: SESSION_KEY });
  }
};

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: updateSession }),
  // Runs for every mutation, even if the mutation handles its errors itself.
  mutationCache: new MutationCache({ onError: updateSession }),
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      retry: (failures, error) => !isFinal(error) && failures < 2,
    },
  },
});
