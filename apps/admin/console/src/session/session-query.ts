import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, ApiProblem, bodyOf, csrf, rememberCsrfToken, type Schemas } from '../api/client';

export type Session = Schemas['SessionAnswer'];
export type Role = Schemas['Role'];

export const SESSION_KEY = ['session'] as const;

const RANK: Readonly<Record<Role, number>> = { viewer: 0, operator: 1, admin: 2 };

export const isAtLeast = (role: Role, least: Role): boolean => RANK[role] >= RANK[least];

/**
 * The state of the session. `ended`: it has expired; the user's unsaved input is kept but hidden.
 */
export type SessionState =
  | { readonly status: 'signed_out' }
  | { readonly status: 'signed_in'; readonly session: Session }
  | { readonly status: 'ended'; readonly session: Session };

/** The session state after a 401 response. */
export const endedFrom = (before: SessionState | undefined): SessionState =>
  before === undefined || before.status === 'signed_out'
    ? { status: 'signed_out' }
    : { status: 'ended', session: before.session };

const readSession = async (queries: QueryClient): Promise<SessionState> => {
  try {
    const session = await bodyOf(api.GET('/v1/session'));
    rememberCsrfToken(session.csrfToken);
    return { status: 'signed_in', session };
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 401) {
      return endedFrom(queries.getQueryData(SESSION_KEY));
    }
    throw error;
  }
};

/** The current session, refetched periodically because sessions expire. */
export const useSessionQuery = () =>
  useQuery({
    queryKey: SESSION_KEY,
    queryFn: ({ client }) => readSession(client),
    staleTime: 60_000,
  });

/** Ends a session; a session that has already ended is no error. */
const end = async (ending: Promise<unknown>): Promise<void> => {
  try {
    await ending;
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status !== 401) throw error;
  }
};

/** Signing in and out, and changing the password. */
export const useDoors = () => {
  const queries = useQueryClient();
  const isOther = ({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean =>
    queryKey[0] !== SESSION_KEY[0];
  /**
   * Removes the previous user's data when a different user signs in; the unsaved input of the same
   * user is kept.
   */
  const change = (session: Session | null): void => {
    const before = queries.getQueryData<SessionState>(SESSION_KEY);
    rememberCsrfToken(session?.csrfToken ?? '');
    const state: SessionState =
      session === null ? { status: 'signed_out' } : { status: 'signed_in', session };
    queries.setQueryData<SessionState>(SESSION_KEY, state);
    const isBack = before?.status === 'ended' && before.session.userId === session?.userId;
    if (isBack) void queries.invalidateQueries({ predicate: isOther });
    else queries.removeQueries({ predicate: isOther });
  };
  return {
    signIn: async (name: string, password: string): Promise<void> =>
      change(await bodyOf(api.POST('/v1/session', { body: { name, password } }))),
    changePassword: async (current: string, next: string): Promise<void> =>
      change(
        await bodyOf(
          api.POST('/v1/session/password', {
            params: { header: csrf() },
            body: { current, next },
          }),
        ),
      ),
    signOut: async (): Promise<void> => {
      await end(bodyOf(api.DELETE('/v1/session', { params: { header: csrf() } })));
      change(null);
    },
    signOutEverywhere: async (): Promise<void> => {
      await end(bodyOf(api.DELETE('/v1/sessions', { params: { header: csrf() } })));
      change(null);
    },
  };
};
