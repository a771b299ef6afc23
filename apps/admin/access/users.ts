import { firstRow } from '#platform';
import { Inject, Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { inTransaction } from '#log';
import { newId, Rejection } from '#kernel';
import { type AuditOrigin, recordAudit } from '#operations';
import type { Acting } from './allow.js';
import { KnownBrowsers } from './known-browsers.js';
import { isEasilyGuessed } from './password-strength.js';
import { hashPassword, oneTimePassword, PASSWORD_CHARS, provesPassword } from './passwords.js';
import { rejectRequestsOf } from './reject-requests.js';
import { type AccessScope, isLimited, UNLIMITED } from './access-scope.js';
import type { Role } from './role.js';
import { Sessions } from './sessions.js';
import { USER_COLUMNS, type UserAnswer } from './user-answer.js';
import {
  lockAdmins,
  lockUser,
  notFound,
  READ_USER,
  readUser,
  recordUser,
  type UserDeed,
} from './user-rows.js';

interface NewUser extends Pick<UserAnswer, 'id' | 'name' | 'role'> {
  /**
   * The hash of the user's one-time password; null: a random password is set, which no person is
   * shown.
   */
  readonly passwordHash: string | null;
  /** By default the user sees everything and may act on any amount. */
  readonly access?: AccessScope;
}

/** A user with a new one-time password, which is shown only once. */
export interface NewPassword {
  readonly user: UserAnswer;
  readonly oneTimePassword: string;
}

const ONE_TIME_DAYS = 7;
const NAME = /^[a-z][a-z0-9._-]{1,31}$/;

const wrongPassword = (): Rejection =>
  new Rejection('wrong_password', 'the current password is wrong');

/**
 * Checks that a new password is strong enough and differs from the current one. Throws
 * `Rejection('weak_password')`.
 */
const checkNewPassword = (next: string, current: string, name: string): void => {
  const isLong = next.length >= PASSWORD_CHARS.min && next.length <= PASSWORD_CHARS.max;
  const isNew = next !== current && !next.toLowerCase().includes(name);
  if (isLong && isNew && !isEasilyGuessed(next, name)) return;
  throw new Rejection(
    'weak_password',
    `a password must have ${PASSWORD_CHARS.min} to ${PASSWORD_CHARS.max} characters, differ ` +
      'from the current one, ' +
      'not contain your name, and not be easy to guess',
  );
};

const nameTaken = (): Rejection =>
  new Rejection('name_taken', 'a user with this name already exists');

export const ownAccount = (): Rejection =>
  new Rejection(
    'own_account',
    'change your own password or second factor, or ask another admin to reset it',
  );

export const noSecondFactor = (): Rejection =>
  new Rejection('second_factor_absent', 'the user has no second factor');

/** Returns the changed user, after checking that at least one admin remains. */
const changed = async (
  client: PoolClient,
  sql: string,
  values: readonly unknown[],
): Promise<UserAnswer> => {
  const user = await firstRow<UserAnswer>(client, sql, [...values]);
  if (user === undefined) throw notFound();
  const { rowCount } = await client.query(
    `SELECT FROM admin_users
      WHERE role = 'admin' AND disabled_at IS NULL AND scope = '[]' LIMIT 1`,
  );
  if (rowCount === 1) return user;
  throw new Rejection(
    'last_admin',
    'at least one admin who sees everything is required: create another one first',
  );
};

/** The users of the console. */
@Injectable()
export class Users {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly sessions: Sessions,
    private readonly browsers: KnownBrowsers,
  ) {}

  async list(): Promise<readonly UserAnswer[]> {
    const { rows } = await this.pool.query<UserAnswer>(
      `SELECT ${USER_COLUMNS} FROM admin_users ORDER BY name LIMIT 1000`,
    );
    return rows;
  }

  /** Reads a user. Throws `Rejection('user_not_found')`. */
  get(id: string): Promise<UserAnswer> {
    return readUser(this.pool, id);
  }

  /** Checks a user name. Throws `Rejection('invalid_name' | 'name_taken')`. */
  async mustBeFree(name: string): Promise<void> {
    if (!NAME.test(name)) {
      throw new Rejection(
        'invalid_name',
        'a name is 2 to 32 lower-case letters, digits, dots, _ or -',
      );
    }
    const { rowCount } = await this.pool.query('SELECT FROM admin_users WHERE name = $1', [name]);
    if (rowCount !== 0) throw nameTaken();
  }

  /** Creates a user with a one-time password, without an approval. Throws like `mustBeFree`. */
  async create(
    name: string,
    role: Role,
    origin: AuditOrigin,
    reason: string,
  ): Promise<NewPassword> {
    await this.mustBeFree(name);
    const password = oneTimePassword();
    const passwordHash = await hashPassword(password);
    const user = await inTransaction(this.pool, (client) =>
      this.insert(client, { id: newId('usr'), name, role, passwordHash }, { origin, reason }),
    );
    return { user, oneTimePassword: password };
  }

  /** Resets a password without an approval, like `setPassword`. */
  async resetPassword(id: string, origin: AuditOrigin, reason: string): Promise<NewPassword> {
    const password = oneTimePassword();
    const hash = await hashPassword(password);
    const user = await inTransaction(this.pool, (client) =>
      this.setPassword(client, id, hash, { origin, reason }),
    );
    return { user, oneTimePassword: password };
  }

  /** Inserts a user with an audit entry. Throws `Rejection('name_taken')`. */
  async insert(
    client: PoolClient,
    { id, name, role, passwordHash, access = UNLIMITED }: NewUser,
    deed: UserDeed,
  ): Promise<UserAnswer> {
    const hash = passwordHash ?? (await hashPassword(oneTimePassword()));
    const user = await firstRow<UserAnswer>(
      client,
      `INSERT INTO admin_users (id, name, role, password_hash, password_expires_at, scope, limits)
       VALUES ($1, $2, $3, $4, CASE WHEN $5 THEN now() + interval '${ONE_TIME_DAYS} days' END, $6, $7)
       ON CONFLICT (name) DO NOTHING RETURNING ${USER_COLUMNS}`,
      [
        id,
        name,
        role,
        hash,
        passwordHash !== null,
        JSON.stringify(access.scope),
        JSON.stringify(access.limits),
      ],
    );
    if (user === undefined) throw nameTaken();
    const detail = {
      role,
      ...(isLimited(access) && access),
      ...(passwordHash === null && { passwordShown: false }),
      ...deed.detail,
    };
    await recordUser(client, id, 'user.created', { ...deed, detail });
    return user;
  }

  /** Changes the role immediately. Throws `Rejection('user_not_found' | 'last_admin')`. */
  async setRole(client: PoolClient, id: string, role: Role, deed: UserDeed): Promise<UserAnswer> {
    await lockAdmins(client);
    const user = await changed(
      client,
      `UPDATE admin_users SET role = $2 WHERE id = $1
      RETURNING ${USER_COLUMNS}`,
      [id, role],
    );
    if (role === 'viewer') await rejectRequestsOf(client, id, deed.origin, deed.reason);
    await recordUser(client, id, 'user.role_changed', {
      ...deed,
      detail: { role, ...deed.detail },
    });
    return user;
  }

  /**
   * Changes what a user may see and up to which amounts the user may act, from the next request on.
   * Throws `Rejection('user_not_found' | 'last_admin')`.
   */
  async setAccess(
    client: PoolClient,
    id: string,
    { scope, limits }: AccessScope,
    deed: UserDeed,
  ): Promise<UserAnswer> {
    await lockAdmins(client);
    const user = await changed(
      client,
      `UPDATE admin_users SET scope = $2, limits = $3 WHERE id = $1 RETURNING ${USER_COLUMNS}`,
      [id, JSON.stringify(scope), JSON.stringify(limits)],
    );
    await recordUser(client, id, 'user.access_changed', {
      ...deed,
      detail: { scope, limits, ...deed.detail },
    });
    return user;
  }

  /** Disables or enables a user, and ends the user's sessions. Throws like `setRole`. */
  async setDisabled(
    client: PoolClient,
    id: string,
    isDisabled: boolean,
    deed: UserDeed,
  ): Promise<UserAnswer> {
    await lockAdmins(client);
    const user = await changed(
      client,
      `UPDATE admin_users SET disabled_at = CASE WHEN $2 THEN coalesce(disabled_at, now()) END
        WHERE id = $1 RETURNING ${USER_COLUMNS}`,
      [id, isDisabled],
    );
    await this.sessions.endAll(client, id);
    await this.browsers.forget(client, id);
    if (isDisabled) await rejectRequestsOf(client, id, deed.origin, deed.reason);
    await recordUser(client, id, isDisabled ? 'user.disabled' : 'user.enabled', deed);
    return user;
  }

  /**
   * Sets a new one-time password; ends the user's sessions and requests. Users cannot reset their
   * own password: in the audit log, that would hide who was shown the previous one-time password.
   * Throws `Rejection('user_not_found' | 'own_account')`.
   */
  async setPassword(
    client: PoolClient,
    id: string,
    hash: string,
    deed: UserDeed,
  ): Promise<UserAnswer> {
    if (deed.origin.actor === `user:${id}`) throw ownAccount();
    await lockAdmins(client);
    const user = await changed(
      client,
      `UPDATE admin_users
          SET password_hash = $2, password_expires_at = now() + interval '${ONE_TIME_DAYS} days'
        WHERE id = $1 RETURNING ${USER_COLUMNS}`,
      [id, hash],
    );
    await this.sessions.endAll(client, id);
    await this.browsers.forget(client, id);
    await rejectRequestsOf(client, id, deed.origin, deed.reason);
    await recordUser(client, id, 'user.password_reset', deed);
    return user;
  }

  /**
   * Deletes a user's authenticator app and security keys, and ends the user's sessions. Throws
   * `Rejection('user_not_found' | 'own_account' | 'second_factor_absent')`.
   */
  async resetSecondFactor(client: PoolClient, id: string, deed: UserDeed): Promise<UserAnswer> {
    if (deed.origin.actor === `user:${id}`) throw ownAccount();
    // The user's row is locked before the rows of the factors, in the same order as when users
    // change their own factors.
    await lockUser(client, id);
    if (!(await changed(client, READ_USER, [id])).hasSecondFactor) throw noSecondFactor();
    // This also deletes an authenticator app whose set-up was begun but not completed, perhaps by
    // another person.
    await client.query('DELETE FROM admin_second_factors WHERE user_id = $1', [id]);
    await client.query('DELETE FROM admin_security_keys WHERE user_id = $1', [id]);
    await client.query('DELETE FROM admin_recovery_codes WHERE user_id = $1', [id]);
    await this.sessions.endAll(client, id);
    await recordUser(client, id, 'user.second_factor_reset', deed);
    return changed(client, READ_USER, [id]);
  }

  /**
   * Sets a password chosen by the user; ends all sessions.
   * Throws `Rejection('wrong_password' | 'weak_password')`.
   */
  async changePassword(by: Acting, current: string, next: string): Promise<void> {
    const { userId: id } = by;
    const known = await firstRow<{ name: string; hash: string }>(
      this.pool,
      'SELECT name, password_hash AS hash FROM admin_users WHERE id = $1',
      [id],
    );
    if (!(await provesPassword(known?.hash ?? null, current)) || known === undefined) {
      throw wrongPassword();
    }
    checkNewPassword(next, current, known.name);
    const hash = await hashPassword(next);
    await inTransaction(this.pool, async (client) => {
      // A concurrent reset by an admin takes precedence, as the current password may be
      // compromised.
      const { rowCount } = await client.query(
        `UPDATE admin_users SET password_hash = $2, password_expires_at = NULL
          WHERE id = $1 AND password_hash = $3 AND disabled_at IS NULL`,
        [id, hash, known.hash],
      );
      if (rowCount === 0) throw wrongPassword();
      await this.sessions.endAll(client, id);
      const subject = { type: 'user', id };
      await recordAudit(client, by, { action: 'user.password_changed', subject });
    });
  }
}
