import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { randomText } from '#kernel';
import type { Role } from './role.js';

/** Who is signed in, and by which session. */
export interface SignedIn {
  readonly userId: string;
  readonly name: string;
  readonly role: Role;
  /** A one-time password is to be changed before anything else. */
  readonly mustChangePassword: boolean;
  readonly token: string;
  readonly expiresAt: Date;
}

/** Wall time. Who does nothing for so long is signed out, and everybody after a working day. */
export const IDLE_MINUTES = 30;
export const SESSION_HOURS = 12;
/** More of one user at once end the oldest. */
const MAX_OF_USER = 10;

/** About 190 random bits. */
const TOKEN_CHARS = 32;
const TOKEN = /^[A-Za-z0-9]{32}$/;

/** A fast hash is right here: nobody guesses 190 random bits. */
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** What each change must carry in a header: only a page that could read an answer of ours knows it. */
export const csrfTokenOf = (token: string): string =>
  createHmac('sha256', token).update('csrf').digest('base64url');

export const provesCsrf = (token: string, given: unknown): boolean => {
  const expected = Buffer.from(csrfTokenOf(token));
  const found = Buffer.from(typeof given === 'string' ? given : '');
  return found.length === expected.length && timingSafeEqual(found, expected);
};

/** Seen is written once a minute at most, and only by what a person does (`$2`). */
const FIND = `
  WITH live AS (
    SELECT s.token_hash, s.last_seen_at, s.expires_at, u.id, u.name, u.role, u.password_expires_at
      FROM admin_sessions s JOIN admin_users u ON u.id = s.user_id
     WHERE s.token_hash = $1 AND s.expires_at > now() AND u.disabled_at IS NULL
       AND s.last_seen_at > now() - interval '${IDLE_MINUTES} minutes'),
  seen AS (
    UPDATE admin_sessions s SET last_seen_at = now() FROM live
     WHERE s.token_hash = live.token_hash AND $2
       AND live.last_seen_at < now() - interval '1 minute')
  SELECT id AS "userId", name, role, password_expires_at IS NOT NULL AS "mustChangePassword",
         expires_at AS "expiresAt"
    FROM live`;

/** Keeps a session from being ended, to the end of the transaction; false when it has ended. */
export const lockSession = async (client: PoolClient, token: string): Promise<boolean> => {
  const { rowCount } = await client.query(
    'SELECT FROM admin_sessions WHERE token_hash = $1 AND expires_at > now() FOR KEY SHARE',
    [hashOf(token)],
  );
  return rowCount === 1;
};

/** The sessions of the console's users: kept as hashes. */
@Injectable()
export class Sessions {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /** Begins one; answers its token, never to be seen again. Old ones of the user go. */
  async begin(client: PoolClient, userId: string): Promise<string> {
    const token = randomText(TOKEN_CHARS);
    await client.query(
      `INSERT INTO admin_sessions (token_hash, user_id, expires_at)
       VALUES ($1, $2, now() + interval '${SESSION_HOURS} hours')`,
      [hashOf(token), userId],
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
   * Null when there is none, or it has ended. What a page reads by itself is no use of a session:
   * one that is left open ends as any other.
   */
  async find(
    token: string | null,
    { isUse }: { readonly isUse: boolean } = { isUse: true },
  ): Promise<SignedIn | null> {
    if (token === null || !TOKEN.test(token)) return null;
    const { rows } = await this.pool.query<Omit<SignedIn, 'token'>>({
      name: 'admin-session',
      text: FIND,
      values: [hashOf(token), isUse],
    });
    return rows[0] ? { ...rows[0], token } : null;
  }

  /** Everybody's. Answers how many there were. */
  async endEverybodys(client: PoolClient): Promise<number> {
    const { rowCount } = await client.query('DELETE FROM admin_sessions');
    return rowCount ?? 0;
  }

  async end(client: PoolClient, token: string): Promise<void> {
    await client.query('DELETE FROM admin_sessions WHERE token_hash = $1', [hashOf(token)]);
  }

  /** All of a user's. */
  async endAll(client: PoolClient, userId: string): Promise<void> {
    await client.query('DELETE FROM admin_sessions WHERE user_id = $1', [userId]);
  }
}
