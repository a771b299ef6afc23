/** The roles; each role includes the rights of the preceding role in this list. */
export const ROLES = ['viewer', 'operator', 'admin'] as const;

export type Role = (typeof ROLES)[number];

export const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text);

/**
 * The access requirement of a route. `public`: no session, as for signing in. `session`: any
 * session. `identified`: a session in which a user who has a second factor has given it; the user
 * may still have a one-time password. Otherwise the value is the lowest sufficient role.
 */
export type Access = 'public' | 'session' | 'identified' | Role;

export const isAtLeast = (role: Role, least: Role): boolean =>
  ROLES.indexOf(role) >= ROLES.indexOf(least);
