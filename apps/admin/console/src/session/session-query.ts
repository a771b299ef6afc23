import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, ApiProblem, bodyOf, csrf, rememberCsrfToken, type Schemas } from '../api/client';

export type Session = Schemas['SessionAnswer'];
export type Role = Schemas['Role'];

export const SESSION_KEY = ['session'] as const;

const RANK: Readonly<Record<Role, number>> = { viewer: 0, operator: 1, admin: 2 };

export const isAtLeast = (role: Role, least: Role): boolean => RANK[role] >= RANK[least];

/** Null: nobody is signed in. */
const readSession = async (): Promise<Session | null> => {
  try {
    const session = await bodyOf(api.GET('/v1/session'));
    rememberCsrfToken(session.csrfToken);
    return session;
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 401) return null;
    throw error;
  }
};

/** Who is signed in; asked again now and then, because sessions end. */
export const useSessionQuery = () =>
  useQuery({ queryKey: SESSION_KEY, queryFn: readSession, staleTime: 60_000 });

/** Ends a session, or finds that it had ended. */
const end = async (ending: Promise<unknown>): Promise<void> => {
  try {
    await ending;
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status !== 401) throw error;
  }
};

/** What the doors do: each begins or ends the session that the whole console shows. */
export const useDoors = () => {
  const queries = useQueryClient();
  /** Nothing that one person has read stays for the next. */
  const change = (session: Session | null): void => {
    rememberCsrfToken(session?.csrfToken ?? '');
    queries.setQueryData(SESSION_KEY, session);
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
  };
  return {
    signIn: async (name: string, password: string): Promise<void> =>
      change(await bodyOf(api.POST('/v1/session', { body: { name, password } }))),
    changePassword: async (current: string, next: string): Promise<void> =>
      change(await bodyOf(api.POST('/v1/session/password', {
        params: { header: csrf() }, body: { current, next },
      }))),
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
