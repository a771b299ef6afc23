import type { PoolClient } from 'pg';
import { Problem } from '#platform';
import { isAtLeast, type Role } from './role.js';
import { lockSession, type SignedIn } from './sessions.js';

/** A user as read under the row's lock. */
interface LockedUser {
  readonly id: string;
  readonly role: Role;
  readonly isEnabled: boolean;
}

/** Admins first, in the lock order of user changes, to prevent deadlocks. */
const LOCK = `
  SELECT id, role, disabled_at IS NULL AS "isEnabled" FROM admin_users
   WHERE id = ANY ($1) ORDER BY role = 'admin' DESC, id FOR SHARE`;

/** Locks users against being disabled or demoted, to the end of the transaction. */
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
 * Checks the user's right again under a lock: it was checked before the request was read, and may
 * have ended since, as reading the provider takes seconds. `others` are locked as well. Throws
 * `Problem` 401, 403.
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
