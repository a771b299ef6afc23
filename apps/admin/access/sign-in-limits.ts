import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Problem } from '#platform';

const WINDOW_MINUTES = 15;
/** Tries in a window. Behind a proxy of ours all users come from one address. */
const OF_ACCOUNT = 10;
const OF_ADDRESS = 100;

const COUNT = `
  INSERT INTO admin_sign_in_tries AS t (key_hash, tries, ends_at)
  VALUES ($1, 1, now() + interval '${WINDOW_MINUTES} minutes')
  ON CONFLICT (key_hash) DO UPDATE
     SET tries = CASE WHEN t.ends_at <= now() THEN 1 ELSE t.tries + 1 END,
         ends_at = CASE WHEN t.ends_at <= now() THEN excluded.ends_at ELSE t.ends_at END
  RETURNING tries, ceil(extract(epoch FROM ends_at - now()))::int AS seconds`;

/** Hashed: what is typed as a name may be a password. */
const hashOf = (kind: string, text: string): Buffer =>
  createHash('sha256').update(`${kind} ${text}`).digest();

/** How often a sign-in may be tried: for each account, there or not, and for each address. */
@Injectable()
export class SignInLimits {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /** Counts before anything is compared, so that tries at once count too. Throws `Problem` 429. */
  async count(name: string, address: string): Promise<void> {
    await this.countOne(hashOf('address', address), OF_ADDRESS);
    await this.countOne(hashOf('account', name), OF_ACCOUNT);
  }

  /** Who signed in was no guesser. */
  async forget(name: string): Promise<void> {
    await this.pool.query(
      'DELETE FROM admin_sign_in_tries WHERE key_hash = $1 OR ends_at < now()',
      [hashOf('account', name)],
    );
  }

  private async countOne(keyHash: Buffer, most: number): Promise<void> {
    const { rows } = await this.pool.query<{ tries: number; seconds: number }>(COUNT, [keyHash]);
    const [row] = rows;
    if (row === undefined || row.tries <= most) return;
    throw new Problem(429, 'too_many_sign_ins', 'too many sign-ins were tried: wait', {
      headers: { 'retry-after': String(row.seconds) },
    });
  }
}
