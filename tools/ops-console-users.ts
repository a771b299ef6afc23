import type { Pool, PoolClient } from 'pg';
import { type AuditOrigin } from '#operations';
import { Identities } from '../apps/admin/access/identities.js';
import { KnownBrowsers } from '../apps/admin/access/known-browsers.js';
import { hashPassword, oneTimePassword } from '../apps/admin/access/passwords.js';
import { isRole, ROLES } from '../apps/admin/access/role.js';
import { Sessions } from '../apps/admin/access/sessions.js';
import { SignInLimits } from '../apps/admin/access/sign-in-limits.js';
import type { UserAnswer } from '../apps/admin/access/user-answer.js';
import { type NewPassword, noSecondFactor, Users } from '../apps/admin/access/users.js';
import { ActionStore } from '../apps/admin/actions/action-store.js';
import { giveUpRestored } from '../apps/admin/actions/give-up.js';
import { inTransaction, noteRestore } from '#log';
import { newId, Rejection } from '#kernel';
import { allowAlone } from './two-people.js';

/** Manages the console's users from the command line, without a sign-in. */
export const consoleUsers = (pool: Pool): Users =>
  new Users(pool, new Sessions(pool), new KnownBrowsers(pool));

/** Lets users who were blocked after too many failed sign-ins sign in again. */
export const unlockSignIns = (pool: Pool, client: PoolClient): Promise<void> =>
  new SignInLimits(pool).forgetAll(client);

/**
 * Ends all sessions and open action requests after a restore of the database, and deletes email
 * addresses that await a first sign-in. They may be invalid, because the restored database lacks
 * the last changes: a session may have been ended, an action executed, or an address used. Returns
 * the text to print.
 */
export const restoredConsole = async (
  pool: Pool,
  client: PoolClient,
  origin: AuditOrigin,
  reason: string,
): Promise<string> => {
  await noteRestore(client);
  const actions = await giveUpRestored(client, new ActionStore(pool), origin, reason);
  const sessions = new Sessions(pool);
  const ended = await sessions.endEverybodys(client);
  const addresses = await new Identities(pool, sessions).removeAwaiting(client, { origin, reason });
  return (
    `ended ${actions} open action requests and ${ended} sessions, and deleted ${addresses} email ` +
    'addresses that awaited a first sign-in'
  );
};

const shownOnce = ({ user, oneTimePassword }: NewPassword): string =>
  `${user.name} (${user.role}), one-time password: ${oneTimePassword}\n` +
  'The password is shown only now, expires after seven days, and must be changed at the first sign-in.';

/**
 * The number of console users that one person may create alone in production. Two are needed,
 * because the first user cannot approve anything without a second user. Users are never deleted, so
 * one person cannot create a third user alone.
 */
const SET_UP_USERS = 2;

/** The name of the user whom a command changes, and the reason of the change. */
interface OnUser {
  readonly name: string;
  readonly reason: string;
  readonly breaksGlass: boolean;
}

/**
 * Whether the first users already exist. Locks the table until the end of the transaction, so that
 * concurrent callers wait.
 */
const isSetUp = async (client: PoolClient): Promise<boolean> => {
  await client.query('LOCK TABLE admin_users IN SHARE ROW EXCLUSIVE MODE');
  const { rowCount } = await client.query('SELECT FROM admin_users LIMIT $1', [SET_UP_USERS]);
  return rowCount === SET_UP_USERS;
};

/**
 * Creates a console user; returns the text to print. Throws `Rejection` for an invalid name or
 * role.
 */
export const createConsoleUser = async (
  pool: Pool,
  origin: AuditOrigin,
  { name, role, reason, breaksGlass }: OnUser & { readonly role: string },
): Promise<string> => {
  if (!isRole(role))
    throw new Rejection('invalid_role', `--role must be one of ${ROLES.join(', ')}`);
  const users = consoleUsers(pool);
  await users.mustBeFree(name);
  const password = oneTimePassword();
  const user = { id: newId('usr'), name, role, passwordHash: await hashPassword(password) };
  const made = await inTransaction(pool, async (client) =>
    (await isSetUp(client)) ? null : users.insert(client, user, { origin, reason }),
  );
  if (made !== null) return shownOnce({ user: made, oneTimePassword: password });
  await allowAlone(pool, origin, { action: 'user.created', subject: null, reason, breaksGlass });
  return shownOnce(await users.create(name, role, origin, reason));
};

/** Finds a user by name. Throws `Rejection('user_not_found')`. */
const userNamed = async (users: Users, name: string): Promise<UserAnswer> => {
  const user = (await users.list()).find((one) => one.name === name);
  if (user === undefined) throw new Rejection('user_not_found', `there is no user ${name}`);
  return user;
};

/** Sets a new one-time password. Throws `Rejection('user_not_found')`. */
export const resetConsoleUser = async (
  pool: Pool,
  origin: AuditOrigin,
  { name, reason, breaksGlass }: OnUser,
): Promise<string> => {
  const users = consoleUsers(pool);
  const user = await userNamed(users, name);
  const subject = { type: 'user', id: user.id };
  await allowAlone(pool, origin, { action: 'user.password_reset', subject, reason, breaksGlass });
  return shownOnce(await users.resetPassword(user.id, origin, reason));
};

/**
 * Deletes a user's second factor, for a user who has lost the device and the recovery codes. Throws
 * `Rejection('user_not_found' | 'second_factor_absent')`.
 */
export const resetSecondFactor = async (
  pool: Pool,
  origin: AuditOrigin,
  { name, reason, breaksGlass }: OnUser,
): Promise<string> => {
  const users = consoleUsers(pool);
  const { id, hasSecondFactor } = await userNamed(users, name);
  if (!hasSecondFactor) throw noSecondFactor();
  const subject = { type: 'user', id };
  const action = 'user.second_factor_reset';
  await allowAlone(pool, origin, { action, subject, reason, breaksGlass });
  await inTransaction(pool, (client) => users.resetSecondFactor(client, id, { origin, reason }));
  return `${name} has no second factor any more; all sessions of ${name} have ended`;
};
