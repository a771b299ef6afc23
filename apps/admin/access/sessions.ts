import { createHmac, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { factorsSince, hasAuthenticator, hasSecurityKey } from './factor-sql.js';
import type { AccessScope } from './access-scope.js';
import type { Role } from './role.js';
import { isToken, newToken, tokenHash } from './token.js';

/** How a session began. */
export type BegunWith = 'password' | 'identity_provider';

/** The facts about a session that are recorded when it begins. */
export type Beginning = Pick<SignedIn, 'gaveSecondFactor' | 'begunWith'>;

/** The signed-in user and the session. */
export interface SignedIn extends AccessScope {
  readonly userId: string;
  readonly name: string;
  readonly role: Role;
  /**
   * Whether the user must replace the one-time password before any other request; false in a
   * session that began without this password.
   */
  readonly mustChangePassword: boolean;
  /** Whether the user has set up a second factor: an authenticator app, security keys or both. */
  readonly hasSecondFactor: boolean;
  readonly hasAuthenticator: boolean;
  readonly hasSecurityKey: boolean;
  /** Whether the user has given a second factor in this session, perhaps the identity provider's. */
  readonly gaveSecondFactor: boolean;
  readonly begunWith: BegunWith;
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * A session ends after `IDLE_MINUTES` without use, and in any case after `SESSION_HOURS`, a working
 * day.
 */
export const IDLE_MINUTES = 30;
export const SESSION_HOURS = 12;
/** The maximum number of sessions per user; a further session ends the oldest. */
const MAX_OF_USER = 10;

/**
 * The token that each change must carry in a header. Only a page of the console's origin can read
 * the token.
 */
export const csrfTokenOf = (token: string): string =>
  createHmac('sha256', token).update('csrf').digest('base64url');

export const provesCsrf = (token: string, given: unknown): boolean => {
  const expected = Buffer.from(csrfTokenOf(token));
  const found = Buffer.from(typeof given === 'string' ? given : '');
  return found.length === expected.length && timingSafeEqual(found, expected);
};

/**
 * Finds a session. `last_seen_at` is written at most once a minute, and only if a user action
 * caused the request (`$2`).
 */
const FIND = `
  WITH live AS (
    SELECT s.token_hash, s.last_seen_at, s.expires_at, u.id, u.name, u.role, u.scope, u.limits, u.password_expires_at,
           s.second_factor_at, s.begun_with, ${factorsSince('u.id')} AS set_up_at
      FROM admin_sessions s JOIN admin_users u ON u.id = s.user_id
     WHERE s.token_hash = $1 AND s.expires_at > now() AND u.disabled_at IS NULL
       AND s.last_seen_at > now() - interval '${IDLE_MINUTES} minutes'),
  seen AS (
    UPDATE admin_sessions s SET last_seen_at = now() FROM live
     WHERE s.token_hash = live.token_hash AND $2
       AND live.last_seen_at < now() - interval '1 minute')
  SELECT id AS "userId", name, role, scope, limits, begun_with AS "begunWith",
         password_expires_at IS NOT NULL AND begun_with = 'password' AS "mustChangePassword",
         set_up_at IS NOT NULL AS "hasSecondFactor",
         ${hasAuthenticator('live.id')} AS "hasAuthenticator",
         ${hasSecurityKey('live.id')} AS "hasSecurityKey",
         coalesce(second_factor_at >= coalesce(set_up_at, '-infinity'), false) AS "gaveSecondFactor",
         expires_at AS "expiresAt"
    FROM live`;

/**
 * Locks a session until the transaction ends; returns false if the session has ended, or lacks a
 * second factor that the user has set up meanwhile.
 */
export const lockSession = async (client: PoolClient, token: string): Promise<boolean> => {
  const { rowCount } = await client.query(
    `SELECT FROM admin_sessions s
      WHERE token_hash = $1 AND expires_at > now()
        AND coalesce(s.second_factor_at, '-infinity') >=
            coalesce(${factorsSince('s.user_id')}, '-infinity')
        FOR KEY SHARE`,
    [tokenHash(token)],
  );
  return rowCount === 1;
};

/** The sessions of console users. Their tokens are stored as hashes. */
@Injectable()
export class Sessions {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /**
   * Begins a session and returns its token, which is not stored. If the user then has more sessions
   * than the maximum, the oldest ones end.
   */
  async begin(
    client: PoolClient,
    userId: string,
    { gaveSecondFactor, begunWith }: Beginning,
  ): Promise<string> {
    const token = newToken();
    await client.query(
      `INSERT INTO admin_sessions (token_hash, user_id, expires_at, second_factor_at, begun_with)
       VALUES ($1, $2, now() + interval '${SESSION_HOURS} hours', CASE WHEN $3 THEN now() END, $4)`,
      [tokenHash(token), userId, gaveSecondFactor, begunWith],
    );
    await client.query(
      `DELETE FROM admin_sessions WHERE user_id = $1
          AND (expires_at < now() OR token_hash NOT IN
               (SELECT token_hash FROM admin_sessions WHERE user_id = $1
                 ORDER BY created_at DESC LIMIT ${MAX_OF_USER}))`,
      [userId],
    );
    return token;
  }

  /**
   * Finds a session; null if it does not exist or has ended. Background reads of a page do not
   * extend a session, so that the session of an unattended tab ends.
   */
  async find(
    token: string | null,
    { isUse }: { readonly isUse: boolean } = { isUse: true },
  ): Promise<SignedIn | null> {
    if (token === null || !isToken(token)) return null;
    const { rows } = await this.pool.query<Omit<SignedIn, 'token'>>({
      name: 'admin-session',
      text: FIND,
      values: [tokenHash(token), isUse],
    });
    return rows[0] ? { ...rows[0], token } : null;
  }

  /** Ends all sessions of all users. @returns the number of ended sessions */
  async endEverybodys(client: PoolClient): Promise<number> {
    const { rowCount } = await client.query('DELETE FROM admin_sessions');
    return rowCount ?? 0;
  }

  /** Ends a session; returns false if it has ended before. */
  async end(client: PoolClient, token: string): Promise<boolean> {
    const { rowCount } = await client.query('DELETE FROM admin_sessions WHERE token_hash = $1', [
      tokenHash(token),
    ]);
    return rowCount === 1;
  }

  /** Ends all sessions of a user but this one. */
  async endOthers(client: PoolClient, { userId, token }: SignedIn): Promise<void> {
    await client.query('DELETE FROM admin_sessions WHERE user_id = $1 AND token_hash <> $2', [
      userId,
      tokenHash(token),
    ]);
  }

  /** Ends all sessions of a user. */
  async endAll(client: PoolClient, userId: string): Promise<void> {
    await client.query('DELETE FROM admin_sessions WHERE user_id = $1', [userId]);
  }
}
