import { createContext, use } from 'react';
import { isAtLeast, type Role, type Session } from './session-query';

const SessionContext = createContext<Session | null>(null);

export const SessionProvider = SessionContext.Provider;

/** The current session. To be used only within the shell, where there always is a session. */
export const useSession = (): Session => {
  const session = use(SessionContext);
  if (session === null) throw new Error('useSession needs a signed-in user');
  return session;
};

/** Whether the user may see only some platforms or merchants. */
export const useIsLimited = (): boolean => useSession().scope.length > 0;

/** Whether the user has at least this role. */
export const useMay = (least: Role): boolean => isAtLeast(useSession().role, least);
