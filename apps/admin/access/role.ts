/** What a user may do; each may all that the one before may. */
export const ROLES = ['viewer', 'operator', 'admin'] as const;

export type Role = (typeof ROLES)[number];

export const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text);

/**
 * What a route asks for. `public`: nothing, it is where a session begins. `session`: any session,
 * also one whose password must be changed first. Else the least role.
 */
export type Access = 'public' | 'session' | Role;

export const isAtLeast = (role: Role, least: Role): boolean =>
  ROLES.indexOf(role) >= ROLES.indexOf(least);
