import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, ApiProblem, bodyOf, csrf, rememberCsrfToken, type Schemas } from '../api/client';
import { onSignInElsewhere, reportSignIn, takeReturn } from './provider-return';

export type Session = Schemas['SessionAnswer'];
export type Role = Schemas['Role'];

export const SESSION_KEY = ['session'] as const;

const RANK: Readonly<Record<Role, number>> = { viewer: 0, operator: 1, admin: 2 };

export const isAtLeast = (role: Role, least: Role): boolean => RANK[role] >= RANK[least];

/**
 * The state of the session in this tab. `ended`: the session has expired; the user's unsaved input
 * is hidden, but not lost. `isKept`: the console was already shown to this user, so its pages still
 * exist, perhaps hidden. `recoveryCodes`: new recovery codes, shown until the user confirms that
 * they are stored. `failure`: why the sign-in at the identity provider failed.
 */
export type SessionState =
  | { readonly status: 'signed_out'; readonly failure?: ApiProblem }
  | {
      readonly status: 'signed_in';
      readonly session: Session;
      readonly isKept: boolean;
      readonly recoveryCodes: readonly string[] | null;
    }
  | { readonly status: 'ended'; readonly session: Session };

/** The step that the user must complete before the console is shown; null if none. */
export type DoorStep = 'sign_in' | 'code' | 'password' | 'set_up' | 'recovery_codes';

export const doorStepOf = (state: SessionState): DoorStep | null => {
  if (state.status !== 'signed_in') return 'sign_in';
  const { secondFactor, mustChangePassword } = state.session;
  if (secondFactor === 'code_required') return 'code';
  if (mustChangePassword) return 'password';
  if (secondFactor === 'set_up_required') return 'set_up';
  return state.recoveryCodes === null ? null : 'recovery_codes';
};

const keepsPagesOf = (before: SessionState | undefined, userId: string): boolean => {
  if (before === undefined || before.status === 'signed_out') return false;
  return before.session.userId === userId && (before.status === 'ended' || before.isKept);
};

/** The session state after a response that describes the session. */
const signedInFrom = (
  before: SessionState | undefined,
  session: Session,
  recoveryCodes: readonly string[] | null,
): SessionState => {
  const state = { status: 'signed_in', session, isKept: true, recoveryCodes } as const;
  const isShown = doorStepOf(state) === null;
  return { ...state, isKept: isShown || keepsPagesOf(before, session.userId) };
};

/** The session state after a 401 response. */
export const endedFrom = (before: SessionState | undefined): SessionState => {
  if (before === undefined || before.status === 'signed_out') return { status: 'signed_out' };
  const isKept = keepsPagesOf(before, before.session.userId);
  return isKept ? { status: 'ended', session: before.session } : { status: 'signed_out' };
};

const isOther = ({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean =>
  queryKey[0] !== SESSION_KEY[0];

const codesOf = (state: SessionState): readonly string[] | null =>
  state.status === 'signed_in' ? state.recoveryCodes : null;

/** Completes a sign-in at the identity provider; returns the reason of a failure. */
const confirmAtProvider = async (query: string): Promise<ApiProblem | null> => {
  try {
    await bodyOf(api.POST('/v1/session/identity-provider/confirm', { body: { query } }));
    reportSignIn();
    return null;
  } catch (error) {
    if (error instanceof ApiProblem) return error;
    throw error;
  }
};

const readSession = async (queries: QueryClient): Promise<SessionState> => {
  const query = takeReturn();
  const failure = query === null ? null : await confirmAtProvider(query);
  try {
    const session = await bodyOf(api.GET('/v1/session'));
    rememberCsrfToken(session.csrfToken);
    const before = queries.getQueryData<SessionState>(SESSION_KEY);
    if (before === undefined) return signedInFrom(before, session, null);
    // Another user may have signed in in another tab; the data of the previous user is removed.
    const isSame = before.status !== 'signed_out' && before.session.userId === session.userId;
    if (!isSame) queries.removeQueries({ predicate: isOther });
    return signedInFrom(before, session, isSame ? codesOf(before) : null);
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 401) {
      const state = endedFrom(queries.getQueryData(SESSION_KEY));
      return failure !== null && state.status === 'signed_out' ? { ...state, failure } : state;
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

/** The name of the identity provider at which users can sign in; null if there is none. */
export const useIdentityProvider = (): string | null =>
  useQuery({
    // The key begins with the session's key: the results of such queries are kept when another user
    // signs in.
    queryKey: [...SESSION_KEY, 'identity-provider'],
    queryFn: async () => (await bodyOf(api.GET('/v1/session/identity-provider'))).label,
    staleTime: Infinity,
  }).data ?? null;

/**
 * Reads the session again after the user has signed in in another tab, so that this tab can
 * continue.
 */
export const useSignInElsewhere = (): void => {
  const queries = useQueryClient();
  useEffect(
    () =>
      onSignInElsewhere(() => {
        void queries
          .refetchQueries({ queryKey: SESSION_KEY, exact: true })
          .then(() => queries.invalidateQueries({ predicate: isOther }));
      }),
    [queries],
  );
};

/** Ends a session. It is not an error if the session has already ended. */
const end = async (ending: Promise<unknown>): Promise<void> => {
  try {
    await ending;
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status !== 401) throw error;
  }
};

/** Returns the function that shows a new session, or its end. */
export const useSessionChange = () => {
  const queries = useQueryClient();
  /**
   * Removes the previous user's data when a different user signs in; the unsaved input of the same
   * user is kept.
   */
  return (session: Session | null, recoveryCodes: readonly string[] | null = null): void => {
    const before = queries.getQueryData<SessionState>(SESSION_KEY);
    rememberCsrfToken(session?.csrfToken ?? '');
    const state: SessionState =
      session === null ? { status: 'signed_out' } : signedInFrom(before, session, recoveryCodes);
    queries.setQueryData<SessionState>(SESSION_KEY, state);
    const isBack = session !== null && keepsPagesOf(before, session.userId);
    if (isBack) void queries.invalidateQueries({ predicate: isOther });
    else queries.removeQueries({ predicate: isOther });
  };
};

/** The mutations that sign in, sign out and change the password. */
export const useDoors = () => {
  const queries = useQueryClient();
  const change = useSessionChange();
  return {
    signIn: async (name: string, password: string): Promise<void> =>
      change(await bodyOf(api.POST('/v1/session', { body: { name, password } }))),
    beginAtProvider: async (): Promise<string> =>
      (await bodyOf(api.POST('/v1/session/identity-provider/begin'))).url,
    changePassword: async (current: string, next: string): Promise<void> =>
      change(
        await bodyOf(
          api.POST('/v1/session/password', {
            params: { header: csrf() },
            body: { current, next },
          }),
        ),
      ),
    forgetRecoveryCodes: (): void => {
      const state = queries.getQueryData<SessionState>(SESSION_KEY);
      if (state?.status === 'signed_in') change(state.session);
    },
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
