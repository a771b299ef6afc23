import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { randomText } from '#kernel';

/** A browser that its user has not signed in with for so long is a stranger's. */
export const KNOWN_DAYS = 180;
/** Of one user; the one that was not used for longest is forgotten. */
const MAX_OF_USER = 10;

/** About 190 random bits. */
const TOKEN_CHARS = 32;
const TOKEN = /^[A-Za-z0-9]{32}$/;

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/**
 * The browsers in which a user has signed in, each with a token of its own that proves nothing but
 * that: sign-ins from there are limited apart, so that guessing from elsewhere keeps nobody out.
 */
@Injectable()
export class KnownBrowsers {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /** Whether a user of this name has signed in with the browser. */
  async knows(name: string, token: string | null): Promise<boolean> {
    if (token === null || !TOKEN.test(token)) return false;
    const { rowCount } = await this.pool.query(
      `SELECT FROM admin_known_browsers b JOIN admin_users u ON u.id = b.user_id
        WHERE b.token_hash = $1 AND u.name = $2
          AND b.used_at > now() - interval '${KNOWN_DAYS} days'`,
      [hashOf(token), name],
    );
    return rowCount === 1;
  }

  /** The user has signed in: answers the browser's token, a new one where it was not known. */
  async signedIn(client: PoolClient, userId: string, known: string | null): Promise<string> {
    const token = known ?? randomText(TOKEN_CHARS);
    await client.query(
      `INSERT INTO admin_known_browsers (token_hash, user_id) VALUES ($1, $2)
       ON CONFLICT (token_hash) DO UPDATE SET used_at = clock_timestamp()`,
      [hashOf(token), userId],
    );
    await client.query(
      `DELETE FROM admin_known_browsers WHERE user_id = $1 AND token_hash NOT IN
         (SELECT token_hash FROM admin_known_browsers WHERE user_id = $1
           ORDER BY used_at DESC LIMIT ${MAX_OF_USER})`,
      [userId],
    );
    return token;
  }

  /** All of a user's, where the user or the password is no longer trusted. */
  async forget(client: PoolClient, userId: string): Promise<void> {
    await client.query('DELETE FROM admin_known_browsers WHERE user_id = $1', [userId]);
  }
}
