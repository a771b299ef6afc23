import { Inject, Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { isToken, newToken, tokenHash } from './token.js';

/** A browser is forgotten after this many days without a sign-in of the user. */
export const KNOWN_DAYS = 180;
/**
 * The maximum number of known browsers per user; a further browser replaces the least recently used
 * one.
 */
const MAX_OF_USER = 10;

/**
 * The browsers in which a user has signed in, each with a token that proves this and grants no
 * access. Sign-ins from a known browser have a separate limit, so that guesses made elsewhere do
 * not lock the user out.
 */
@Injectable()
export class KnownBrowsers {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /** Whether the user of this name has signed in with the browser to which the token was given. */
  async knows(name: string, token: string | null): Promise<boolean> {
    if (token === null || !isToken(token)) return false;
    const { rowCount } = await this.pool.query(
      `SELECT FROM admin_known_browsers b JOIN admin_users u ON u.id = b.user_id
        WHERE b.token_hash = $1 AND u.name = $2
          AND b.used_at > now() - interval '${KNOWN_DAYS} days'`,
      [tokenHash(token), name],
    );
    return rowCount === 1;
  }

  /** Records a sign-in; returns the browser's token, or a new token for an unknown browser. */
  async signedIn(client: PoolClient, userId: string, known: string | null): Promise<string> {
    const token = known ?? newToken();
    await client.query(
      `INSERT INTO admin_known_browsers (token_hash, user_id) VALUES ($1, $2)
       ON CONFLICT (token_hash) DO UPDATE SET used_at = clock_timestamp()`,
      [tokenHash(token), userId],
    );
    await client.query(
      `DELETE FROM admin_known_browsers WHERE user_id = $1 AND token_hash NOT IN
         (SELECT token_hash FROM admin_known_browsers WHERE user_id = $1
           ORDER BY used_at DESC LIMIT ${MAX_OF_USER})`,
      [userId],
    );
    return token;
  }

  /** Forgets all known browsers of a user whose account or password is no longer trusted. */
  async forget(client: PoolClient, userId: string): Promise<void> {
    await client.query('DELETE FROM admin_known_browsers WHERE user_id = $1', [userId]);
  }
}
