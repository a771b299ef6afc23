/**
 * SQL: the time of the last set-up of a second factor, an authenticator app or a security key; null
 * if the user has none. A second factor given in a session before this time no longer counts.
 * `userId`: the SQL expression of the user's id.
 */
export const factorsSince = (userId: string): string => `
  (SELECT max(at) FROM (
     SELECT f.set_up_at AS at FROM admin_second_factors f WHERE f.user_id = ${userId}
     UNION ALL
     SELECT k.created_at FROM admin_security_keys k WHERE k.user_id = ${userId}) AS factors)`;

/** SQL: whether the user has set up an authenticator app. */
export const hasAuthenticator = (userId: string): string => `
  EXISTS (SELECT FROM admin_second_factors f
           WHERE f.user_id = ${userId} AND f.set_up_at IS NOT NULL)`;

/** SQL: whether the user has a security key. */
export const hasSecurityKey = (userId: string): string =>
  `EXISTS (SELECT FROM admin_security_keys k WHERE k.user_id = ${userId})`;
