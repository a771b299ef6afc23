import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { Problem } from '#platform';
import { Audit } from '../audit/audit.js';

const WINDOW_MINUTES = 15;
/**
 * Tries in a window. Of one account from one address, so that nobody shuts its owner out from
 * another one; of one account from anywhere; and of an address, which is that of all users where a
 * proxy is not named.
 */
const MOST = { accountHere: 10, account: 50, address: 100 } as const;

const COUNT = `
  INSERT INTO admin_sign_in_tries AS t (key_hash, tries, ends_at)
  VALUES ($1, 1, now() + interval '${WINDOW_MINUTES} minutes')
  ON CONFLICT (key_hash) DO UPDATE
     SET tries = CASE WHEN t.ends_at <= now() THEN 1 ELSE t.tries + 1 END,
         ends_at = CASE WHEN t.ends_at <= now() THEN excluded.ends_at ELSE t.ends_at END
  RETURNING tries, ceil(extract(epoch FROM ends_at - now()))::int AS seconds`;

type Limit = keyof typeof MOST;

const LIMITS = ['address', 'accountHere', 'account'] as const satisfies readonly Limit[];

/** A sign-in that is tried. */
export interface Tried {
  readonly name: string;
  readonly address: string;
  readonly requestId: string;
}

/** Hashed: what is typed as a name may be a password. */
const hashOf = (kind: string, text: string): Buffer =>
  createHash('sha256').update(`${kind} ${text}`).digest();

const keysOf = ({ name, address }: Pick<Tried, 'name' | 'address'>): Record<Limit, Buffer> => ({
  accountHere: hashOf('account here', `${name} ${address}`),
  account: hashOf('account', name),
  address: hashOf('address', address),
});

/** How often a sign-in may be tried: for each account, there or not, and for each address. */
@Injectable()
export class SignInLimits {
  constructor(@Inject(Pool) private readonly pool: Pool, private readonly audit: Audit) {}

  /**
   * Counts before anything is compared, so that tries at once count too. That a limit is reached is
   * audited, once in its window. Throws `Problem` 429.
   */
  async count({ name, address, requestId }: Tried): Promise<void> {
    const keys = keysOf({ name, address });
    for (const limit of LIMITS) await this.countOne(limit, keys[limit], requestId);
  }

  /** Who signed in was no guesser. */
  async forget(tried: Pick<Tried, 'name' | 'address'>): Promise<void> {
    const { accountHere, account, address } = keysOf(tried);
    await this.pool.query(
      'DELETE FROM admin_sign_in_tries WHERE key_hash = ANY ($1) OR ends_at < now()',
      [[accountHere, account]],
    );
    await this.pool.query(
      'UPDATE admin_sign_in_tries SET tries = tries - 1 WHERE key_hash = $1 AND tries > 0',
      [address],
    );
  }

  /** Lets everybody try again. */
  async forgetAll(client: PoolClient): Promise<void> {
    await client.query('DELETE FROM admin_sign_in_tries');
  }

  private async countOne(limit: Limit, keyHash: Buffer, requestId: string): Promise<void> {
    const { rows } = await this.pool.query<{ tries: number; seconds: number }>(COUNT, [keyHash]);
    const [row] = rows;
    if (row === undefined || row.tries <= MOST[limit]) return;
    if (row.tries === MOST[limit] + 1) {
      const entry = { action: 'session.limited', subject: null, detail: { limit } };
      await this.audit.record({ actor: 'unknown', requestId }, entry);
    }
    throw new Problem(429, 'too_many_sign_ins', 'too many sign-ins were tried: wait', {
      headers: { 'retry-after': String(row.seconds) },
    });
  }
}
