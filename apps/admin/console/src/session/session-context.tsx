import { createContext, use } from 'react';
import { isAtLeast, type Role, type Session } from './session-query';

const SessionContext = createContext<Session | null>(null);

export const SessionProvider = SessionContext.Provider;

/** Who is signed in; only under the shell, where somebody always is. */
export const useSession = (): Session => {
  const session = use(SessionContext);
  if (session === null) throw new Error('nobody is signed in here');
  return session;
};

/** Whether the one who is signed in has at least this role. */
export const useMay = (least: Role): boolean => isAtLeast(useSession().role, least);
