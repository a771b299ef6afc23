import type { Pool, PoolClient } from 'pg';
import { Rejection } from '#kernel';
import { type AuditOrigin, recordAudit } from '#operations';
import { firstRow } from '#platform';
import { USER_COLUMNS, type UserAnswer } from './user-answer.js';

/** The actor and reason of a user's change, for the audit log. */
export interface UserDeed {
  readonly origin: AuditOrigin;
  readonly reason: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

export const notFound = (): Rejection => new Rejection('user_not_found', 'user not found');

export const READ_USER = `SELECT ${USER_COLUMNS} FROM admin_users WHERE id = $1`;

/** Throws `Rejection('user_not_found')`. */
export const readUser = async (db: Pool | PoolClient, id: string): Promise<UserAnswer> => {
  const user = await firstRow<UserAnswer>(db, READ_USER, [id]);
  if (user === undefined) throw notFound();
  return user;
};

/**
 * Locks all admins in a fixed order, so that two admins who disable each other concurrently cannot
 * both succeed.
 */
export const lockAdmins = (client: PoolClient): Promise<unknown> =>
  client.query(`SELECT FROM admin_users WHERE role = 'admin' ORDER BY id FOR UPDATE`);

/**
 * Locks all admins and then a user. Call this before rows that belong to the user are locked or
 * changed.
 */
export const lockUser = async (client: PoolClient, id: string): Promise<void> => {
  await lockAdmins(client);
  await client.query('SELECT FROM admin_users WHERE id = $1 FOR NO KEY UPDATE', [id]);
};

/** Records a change of a user in the audit log. */
export const recordUser = (
  client: PoolClient,
  id: string,
  action: string,
  { origin, reason, detail }: UserDeed,
): Promise<void> => {
  const subject = { type: 'user', id };
  return recordAudit(client, origin, { action, subject, reason, detail: detail ?? {} });
};
