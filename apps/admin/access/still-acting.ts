import type { PoolClient } from 'pg';
import { Problem } from '#platform';
import { isAtLeast, type Role } from './role.js';
import { lockSession, type SignedIn } from './sessions.js';

/** A user as the transaction that locks the row sees it. */
interface LockedUser {
  readonly id: string;
  readonly role: Role;
  readonly isEnabled: boolean;
}

/** Admins first, as who changes users locks all of them: so nobody waits for each other in a ring. */
const LOCK = `
  SELECT id, role, disabled_at IS NULL AS "isEnabled" FROM admin_users
   WHERE id = ANY ($1) ORDER BY role = 'admin' DESC, id FOR SHARE`;

/** Keeps users from being disabled or given another role, to the end of the transaction. */
export const lockUsers = async (
  client: PoolClient,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, LockedUser>> => {
  const { rows } = await client.query<LockedUser>(LOCK, [userIds]);
  return new Map(rows.map((user) => [user.id, user]));
};

export const mayStill = (user: LockedUser | undefined, least: Role): boolean =>
  user !== undefined && user.isEnabled && isAtLeast(user.role, least);

/**
 * Checked before a request is read, a right may have ended by the time that it is used: reading the
 * provider takes seconds. So the transaction that changes something asks again, and holds the answer.
 * `others` are locked with who acts. Throws `Problem` 401, 403.
 */
export const lockActing = async (
  client: PoolClient,
  { userId, token }: SignedIn,
  least: Role,
  others: readonly string[] = [],
): Promise<ReadonlyMap<string, LockedUser>> => {
  const users = await lockUsers(client, [userId, ...others]);
  const acting = users.get(userId);
  if (acting?.isEnabled !== true || !(await lockSession(client, token))) {
    throw new Problem(401, 'unauthorized', 'your session has ended meanwhile: sign in again');
  }
  if (!mayStill(acting, least)) {
    throw new Problem(403, 'role_missing', `this needs the role ${least}`);
  }
  return users;
};
