import { Inject, Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { inTransaction } from '#log';
import { newId, Rejection } from '#kernel';
import { Audit, type AuditOrigin } from '../shared/audit.js';
import { KnownBrowsers } from './known-browsers.js';
import { isEasilyGuessed } from './password-strength.js';
import { hashPassword, oneTimePassword, PASSWORD_CHARS, provesPassword } from './passwords.js';
import { rejectWishesOf } from './reject-wishes.js';
import type { Role } from './role.js';
import { Sessions } from './sessions.js';

/** A user of the console, as others may see them. */
export interface UserRow {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly mustChangePassword: boolean;
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
}

/** A user and the password for the first sign-in, never to be seen again. */
export interface NewPassword {
  readonly user: UserRow;
  readonly oneTimePassword: string;
}

/** Who changes a user, and why: in the audit. */
export interface UserDeed {
  readonly origin: AuditOrigin;
  readonly reason: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

const ONE_TIME_DAYS = 7;
const NAME = /^[a-z][a-z0-9._-]{1,31}$/;

const COLUMNS = `id, name, role, password_expires_at IS NOT NULL AS "mustChangePassword",
  created_at AS "createdAt", disabled_at AS "disabledAt"`;

const notFound = (): Rejection => new Rejection('user_not_found', 'there is no such user');

const wrongPassword = (): Rejection =>
  new Rejection('wrong_password', 'the present password is another one');

/** Throws `Rejection('weak_password')`. */
const checkNewPassword = (next: string, current: string, name: string): void => {
  const isLong = next.length >= PASSWORD_CHARS.min && next.length <= PASSWORD_CHARS.max;
  const isNew = next !== current && !next.toLowerCase().includes(name);
  if (isLong && isNew && !isEasilyGuessed(next, name)) return;
  throw new Rejection(
    'weak_password',
    `a password has ${PASSWORD_CHARS.min} to ${PASSWORD_CHARS.max} characters, is a new one, ` +
      'does not hold your name and is none of those that are guessed first',
  );
};

const nameTaken = (): Rejection => new Rejection('name_taken', 'there is a user of this name');

export const ownAccount = (): Rejection =>
  new Rejection('own_account', 'change your own password, or let somebody else reset it');

/** All admins, in one order: two who disable each other are one after another. */
export const lockAdmins = (client: PoolClient): Promise<unknown> =>
  client.query(`SELECT FROM admin_users WHERE role = 'admin' ORDER BY id FOR UPDATE`);

/** The user that the statement changed; an admin is left. */
const changed = async (
  client: PoolClient,
  sql: string,
  values: readonly unknown[],
): Promise<UserRow> => {
  const {
    rows: [user],
  } = await client.query<UserRow>(sql, [...values]);
  if (user === undefined) throw notFound();
  const { rowCount } = await client.query(
    `SELECT FROM admin_users WHERE role = 'admin' AND disabled_at IS NULL LIMIT 1`,
  );
  if (rowCount === 1) return user;
  throw new Rejection('last_admin', 'the last admin stays one: make another one first');
};

/** The users of the console. */
@Injectable()
export class Users {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly sessions: Sessions,
    private readonly browsers: KnownBrowsers,
    private readonly audit: Audit,
  ) {}

  async list(): Promise<readonly UserRow[]> {
    const { rows } = await this.pool.query<UserRow>(
      `SELECT ${COLUMNS} FROM admin_users ORDER BY name LIMIT 1000`,
    );
    return rows;
  }

  /** Throws `Rejection('user_not_found')`. */
  async get(id: string): Promise<UserRow> {
    const { rows } = await this.pool.query<UserRow>(
      `SELECT ${COLUMNS} FROM admin_users WHERE id = $1`,
      [id],
    );
    if (rows[0] === undefined) throw notFound();
    return rows[0];
  }

  /** Throws `Rejection('invalid_name' | 'name_taken')`. */
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

  /** By one person alone. Throws as `mustBeFree`. */
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

  /** By one person alone, as `setPassword`. */
  async resetPassword(id: string, origin: AuditOrigin, reason: string): Promise<NewPassword> {
    const password = oneTimePassword();
    const hash = await hashPassword(password);
    const user = await inTransaction(this.pool, (client) =>
      this.setPassword(client, id, hash, { origin, reason }),
    );
    return { user, oneTimePassword: password };
  }

  /** Throws `Rejection('name_taken')`. */
  async insert(
    client: PoolClient,
    {
      id,
      name,
      role,
      passwordHash,
    }: Pick<UserRow, 'id' | 'name' | 'role'> & {
      readonly passwordHash: string;
    },
    deed: UserDeed,
  ): Promise<UserRow> {
    const {
      rows: [user],
    } = await client.query<UserRow>(
      `INSERT INTO admin_users (id, name, role, password_hash, password_expires_at)
       VALUES ($1, $2, $3, $4, now() + interval '${ONE_TIME_DAYS} days')
       ON CONFLICT (name) DO NOTHING RETURNING ${COLUMNS}`,
      [id, name, role, passwordHash],
    );
    if (user === undefined) throw nameTaken();
    await this.record(client, id, 'user.created', { ...deed, detail: { role, ...deed.detail } });
    return user;
  }

  /** Changes the role; it counts at once. Throws `Rejection('user_not_found' | 'last_admin')`. */
  async setRole(client: PoolClient, id: string, role: Role, deed: UserDeed): Promise<UserRow> {
    await lockAdmins(client);
    const user = await changed(
      client,
      `UPDATE admin_users SET role = $2 WHERE id = $1
      RETURNING ${COLUMNS}`,
      [id, role],
    );
    if (role === 'viewer') await rejectWishesOf(client, this.audit, id, deed.origin, deed.reason);
    await this.record(client, id, 'user.role_changed', {
      ...deed,
      detail: { role, ...deed.detail },
    });
    return user;
  }

  /** Shuts a user out or lets them in again; sessions end. Throws as `setRole`. */
  async setDisabled(
    client: PoolClient,
    id: string,
    isDisabled: boolean,
    deed: UserDeed,
  ): Promise<UserRow> {
    await lockAdmins(client);
    const user = await changed(
      client,
      `UPDATE admin_users SET disabled_at = CASE WHEN $2 THEN coalesce(disabled_at, now()) END
        WHERE id = $1 RETURNING ${COLUMNS}`,
      [id, isDisabled],
    );
    await this.sessions.endAll(client, id);
    await this.browsers.forget(client, id);
    if (isDisabled) await rejectWishesOf(client, this.audit, id, deed.origin, deed.reason);
    await this.record(client, id, isDisabled ? 'user.disabled' : 'user.enabled', deed);
    return user;
  }

  /**
   * A new one-time password; sessions end. Not by its own user, who changes it instead: whose
   * password somebody else was shown would be recorded to know it alone.
   * Throws `Rejection('user_not_found' | 'own_account')`.
   */
  async setPassword(
    client: PoolClient,
    id: string,
    hash: string,
    deed: UserDeed,
  ): Promise<UserRow> {
    if (deed.origin.actor === `user:${id}`) throw ownAccount();
    await lockAdmins(client);
    const user = await changed(
      client,
      `UPDATE admin_users
          SET password_hash = $2, password_expires_at = now() + interval '${ONE_TIME_DAYS} days'
        WHERE id = $1 RETURNING ${COLUMNS}`,
      [id, hash],
    );
    await this.sessions.endAll(client, id);
    await this.browsers.forget(client, id);
    await this.record(client, id, 'user.password_reset', deed);
    return user;
  }

  /** A user's own choice; all sessions end. Throws `Rejection('wrong_password' | 'weak_password')`. */
  async changePassword(
    id: string,
    current: string,
    next: string,
    origin: AuditOrigin,
  ): Promise<void> {
    const { rows } = await this.pool.query<{ name: string; hash: string }>(
      'SELECT name, password_hash AS hash FROM admin_users WHERE id = $1',
      [id],
    );
    const [known] = rows;
    if (!(await provesPassword(known?.hash ?? null, current)) || known === undefined) {
      throw wrongPassword();
    }
    checkNewPassword(next, current, known.name);
    const hash = await hashPassword(next);
    await inTransaction(this.pool, async (client) => {
      // A reset that came meanwhile, against who may know the present password, holds.
      const { rowCount } = await client.query(
        `UPDATE admin_users SET password_hash = $2, password_expires_at = NULL
          WHERE id = $1 AND password_hash = $3 AND disabled_at IS NULL`,
        [id, hash, known.hash],
      );
      if (rowCount === 0) throw wrongPassword();
      await this.sessions.endAll(client, id);
      const subject = { type: 'user', id };
      await this.audit.record(origin, { action: 'user.password_changed', subject }, client);
    });
  }

  private record(
    client: PoolClient,
    id: string,
    action: string,
    { origin, reason, detail }: UserDeed,
  ): Promise<void> {
    const subject = { type: 'user', id };
    return this.audit.record(origin, { action, subject, reason, detail: detail ?? {} }, client);
  }
}
