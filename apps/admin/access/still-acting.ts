import type { PoolClient } from 'pg';
import { Problem } from '#platform';
import { type AccessScope, seesSame, UNLIMITED } from './access-scope.js';
import { isAtLeast, type Role } from './role.js';
import { lockSession, type SignedIn } from './sessions.js';

/** A user row, read under its lock. */
export interface LockedUser extends AccessScope {
  readonly id: string;
  readonly role: Role;
  readonly isEnabled: boolean;
}

/** Locks user rows, admins first: the lock order of user changes, to prevent deadlocks. */
const LOCK = `
  SELECT id, role, scope, limits, disabled_at IS NULL AS "isEnabled" FROM admin_users
   WHERE id = ANY ($1) ORDER BY role = 'admin' DESC, id FOR SHARE`;

/** Locks users until the transaction ends, so that they cannot be disabled or demoted meanwhile. */
export const lockUsers = async (
  client: PoolClient,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, LockedUser>> => {
  const { rows } = await client.query<LockedUser>(LOCK, [userIds]);
  return new Map(rows.map((user) => [user.id, user]));
};

export const mayStill = (user: LockedUser | undefined, least: Role): boolean =>
  user !== undefined && user.isEnabled && isAtLeast(user.role, least);

/** Whether the locked user's scope is still the scope with which the request began. */
export const stillSees = (
  users: ReadonlyMap<string, LockedUser>,
  { userId, scope }: Pick<SignedIn, 'userId' | 'scope'>,
): boolean => seesSame(users.get(userId) ?? UNLIMITED, { scope });

/**
 * Checks, under the lock, that what the user may see has not changed since the request arrived.
 * Throws `Problem` 403.
 */
export const mustStillSee = (users: ReadonlyMap<string, LockedUser>, by: SignedIn): void => {
  if (stillSees(users, by)) return;
  throw new Problem(
    403,
    'scope_missing',
    'what you may see has changed meanwhile: reload the page',
  );
};

export const sessionEnded = (): Problem =>
  new Problem(401, 'unauthorized', 'your session has ended meanwhile: sign in again');

/**
 * Locks the row of the acting user, who changes or gives a second factor. So concurrent changes by
 * one user in several sessions run one after the other. Throws `Problem` 401.
 */
export const lockSelf = async (client: PoolClient, { userId }: SignedIn): Promise<void> => {
  const { rowCount } = await client.query(
    'SELECT FROM admin_users WHERE id = $1 AND disabled_at IS NULL FOR NO KEY UPDATE',
    [userId],
  );
  if (rowCount === 0) throw sessionEnded();
};

/**
 * Locks the user's row like `lockSelf`, and checks that the session may still change the user's
 * second factors. Throws `Problem` 401.
 */
export const lockOwnFactors = async (client: PoolClient, by: SignedIn): Promise<void> => {
  await lockSelf(client, by);
  if (!(await lockSession(client, by.token))) throw sessionEnded();
};

/**
 * Checks the acting user's right again, under a lock. The right was checked when the request
 * arrived, and may have been withdrawn since, because a read of the provider takes seconds. The
 * users in `others` are locked as well. Throws `Problem` 401, 403.
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
    throw sessionEnded();
  }
  if (!mayStill(acting, least)) {
    throw new Problem(403, 'role_missing', `this requires the role ${least}`);
  }
  return users;
};
