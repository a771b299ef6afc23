import { Inject, Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { inTransaction } from '#event-store';
import { newId, Rejection } from '#kernel';
import { Audit, type AuditOrigin } from '../audit/audit.js';
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

  /** Throws `Rejection('invalid_name' | 'name_taken')`. */
  async create(
    name: string, role: Role, origin: AuditOrigin, reason: string,
  ): Promise<NewPassword> {
    if (!NAME.test(name)) {
      throw new Rejection(
        'invalid_name', 'a name is 2 to 32 lower-case letters, digits, dots, _ or -',
      );
    }
    const password = oneTimePassword();
    const hash = await hashPassword(password);
    return inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<UserRow>(
        `INSERT INTO admin_users (id, name, role, password_hash, password_expires_at)
         VALUES ($1, $2, $3, $4, now() + interval '${ONE_TIME_DAYS} days')
         ON CONFLICT (name) DO NOTHING RETURNING ${COLUMNS}`,
        [newId('usr'), name, role, hash],
      );
      const [user] = rows;
      if (user === undefined) throw new Rejection('name_taken', 'there is a user of this name');
      const subject = { type: 'user', id: user.id };
      await this.audit.record(
        origin, { action: 'user.created', subject, reason, detail: { role } }, client,
      );
      return { user, oneTimePassword: password };
    });
  }

  /** Changes the role; it counts at once. Throws `Rejection('user_not_found' | 'last_admin')`. */
  changeRole(id: string, role: Role, origin: AuditOrigin, reason: string): Promise<UserRow> {
    return this.change(id, origin, async (client) => {
      const { rows } = await client.query<UserRow>(
        `UPDATE admin_users SET role = $2 WHERE id = $1 RETURNING ${COLUMNS}`, [id, role],
      );
      if (role === 'viewer') await rejectWishesOf(client, this.audit, id, origin, reason);
      return { row: rows[0], entry: { action: 'user.role_changed', reason, detail: { role } } };
    });
  }

  /** Shuts a user out or lets them in again; sessions end. Throws as `changeRole`. */
  setDisabled(
    id: string, isDisabled: boolean, origin: AuditOrigin, reason: string,
  ): Promise<UserRow> {
    return this.change(id, origin, async (client) => {
      const { rows } = await client.query<UserRow>(
        `UPDATE admin_users SET disabled_at = CASE WHEN $2 THEN coalesce(disabled_at, now()) END
          WHERE id = $1 RETURNING ${COLUMNS}`, [id, isDisabled],
      );
      await this.sessions.endAll(client, id);
      await this.browsers.forget(client, id);
      if (isDisabled) await rejectWishesOf(client, this.audit, id, origin, reason);
      const action = isDisabled ? 'user.disabled' : 'user.enabled';
      return { row: rows[0], entry: { action, reason } };
    });
  }

  /**
   * A new one-time password; sessions end. Not by its own user, who changes it instead: whose
   * password somebody else was shown would be told to know it alone.
   * Throws `Rejection('user_not_found' | 'own_account')`.
   */
  async resetPassword(id: string, origin: AuditOrigin, reason: string): Promise<NewPassword> {
    if (origin.actor === `user:${id}`) {
      throw new Rejection('own_account', 'change your own password, or let somebody else reset it');
    }
    const password = oneTimePassword();
    const hash = await hashPassword(password);
    const user = await this.change(id, origin, async (client) => {
      const { rows } = await client.query<UserRow>(
        `UPDATE admin_users
            SET password_hash = $2, password_expires_at = now() + interval '${ONE_TIME_DAYS} days'
          WHERE id = $1 RETURNING ${COLUMNS}`, [id, hash],
      );
      await this.sessions.endAll(client, id);
      await this.browsers.forget(client, id);
      return { row: rows[0], entry: { action: 'user.password_reset', reason } };
    });
    return { user, oneTimePassword: password };
  }

  /** A user's own choice; all sessions end. Throws `Rejection('wrong_password' | 'weak_password')`. */
  async changePassword(
    id: string, current: string, next: string, origin: AuditOrigin,
  ): Promise<void> {
    const { rows } = await this.pool.query<{ name: string; hash: string }>(
      'SELECT name, password_hash AS hash FROM admin_users WHERE id = $1', [id],
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

  /** The locks are of all admins, in one order: two who shut each other out are one after another. */
  private change(
    id: string, origin: AuditOrigin,
    work: (client: PoolClient) => Promise<{
      readonly row: UserRow | undefined;
      readonly entry: Omit<Parameters<Audit['record']>[1], 'subject'>;
    }>,
  ): Promise<UserRow> {
    return inTransaction(this.pool, async (client) => {
      await client.query(`SELECT FROM admin_users WHERE role = 'admin' ORDER BY id FOR UPDATE`);
      const { row, entry } = await work(client);
      if (row === undefined) throw notFound();
      const { rows } = await client.query<{ admins: number }>(
        `SELECT count(*)::int AS admins FROM admin_users
          WHERE role = 'admin' AND disabled_at IS NULL`,
      );
      if (rows[0]?.admins === 0) {
        throw new Rejection('last_admin', 'the last admin stays one: make another one first');
      }
      await this.audit.record(origin, { ...entry, subject: { type: 'user', id } }, client);
      return row;
    });
  }
}
