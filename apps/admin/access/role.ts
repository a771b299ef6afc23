/** The roles; each role includes the rights of the preceding role in this list. */
export const ROLES = ['viewer', 'operator', 'admin'] as const;

export type Role = (typeof ROLES)[number];

export const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text);

/**
 * The access requirement of a route. `public`: none, as for signing in. `session`: any session.
 * `identified`: a session whose user has given the second factor, if the user has one; even one
 * with a one-time password. Otherwise the lowest sufficient role.
 */
export type Access = 'public' | 'session' | 'identified' | Role;

export const isAtLeast = (role: Role, least: Role): boolean =>
  ROLES.indexOf(role) >= ROLES.indexOf(least);
