import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { assert } from '#kernel';
import { Problem } from '#platform';
import { Audit } from '../shared/audit.js';
import { networkOf } from './network-of.js';

const WINDOW_MINUTES = 15;
/**
 * Tries in a window, unless the browser is one that the user has signed in with: there they are
 * counted apart, so that guessing from elsewhere keeps nobody out. From anywhere else: of one account
 * from one address, of one account, and of an address, which is that of all users where a proxy is
 * not named.
 */
const MOST = { browser: 10, accountHere: 10, account: 500, address: 100 } as const;
/** After so many tries at one account, each address has only a few of them. */
const GUESSED_AT = { accountTries: 50, mostHere: 2 } as const;

const COUNT = `
  INSERT INTO admin_sign_in_tries AS t (key_hash, tries, ends_at)
  VALUES ($1, 1, now() + interval '${WINDOW_MINUTES} minutes')
  ON CONFLICT (key_hash) DO UPDATE
     SET tries = CASE WHEN t.ends_at <= now() THEN 1 ELSE t.tries + 1 END,
         ends_at = CASE WHEN t.ends_at <= now() THEN excluded.ends_at ELSE t.ends_at END
  RETURNING tries, ceil(extract(epoch FROM ends_at - now()))::int AS seconds`;

type Limit = keyof typeof MOST;

/** A sign-in that is tried. */
export interface Tried {
  readonly name: string;
  readonly address: string;
  /** The browser's own token, where it is one that the user has signed in with; else null. */
  readonly knownBrowser: string | null;
  readonly requestId: string;
}

interface Counted {
  readonly tries: number;
  readonly seconds: number;
}

/** Hashed: what is typed as a name may be a password. */
const hashOf = (kind: string, text: string): Buffer =>
  createHash('sha256').update(`${kind} ${text}`).digest();

const keysOf = ({
  name,
  address,
  knownBrowser,
}: Omit<Tried, 'requestId'>): Record<Limit, Buffer> => {
  const network = networkOf(address);
  return {
    browser: hashOf('browser', knownBrowser ?? ''),
    accountHere: hashOf('account here', `${name} ${network}`),
    account: hashOf('account', name),
    address: hashOf('address', network),
  };
};

const tooMany = ({ seconds }: Counted): Problem =>
  new Problem(429, 'too_many_sign_ins', 'too many sign-ins were tried: wait', {
    headers: { 'retry-after': String(seconds) },
  });

/** How often a sign-in may be tried: for each account, there or not, and for each address. */
@Injectable()
export class SignInLimits {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly audit: Audit,
  ) {}

  /**
   * Counts before anything is compared, so that tries at once count too. That a limit is reached is
   * audited, once in its window. Throws `Problem` 429.
   */
  async count(tried: Tried): Promise<void> {
    const { knownBrowser, requestId } = tried;
    const keys = keysOf(tried);
    if (knownBrowser !== null) {
      await this.countOne('browser', keys.browser, requestId);
      return;
    }
    await this.countOne('address', keys.address, requestId);
    const here = await this.countOne('accountHere', keys.accountHere, requestId);
    const account = await this.countOne('account', keys.account, requestId);
    const isGuessedAt = account.tries > GUESSED_AT.accountTries;
    if (isGuessedAt && here.tries > GUESSED_AT.mostHere) throw tooMany(here);
  }

  /** Who signed in was no guesser. */
  async forget(tried: Tried): Promise<void> {
    const keys = keysOf(tried);
    const isKnown = tried.knownBrowser !== null;
    await this.pool.query(
      'DELETE FROM admin_sign_in_tries WHERE key_hash = ANY ($1) OR ends_at < now()',
      [isKnown ? [keys.browser] : [keys.accountHere, keys.account]],
    );
    if (isKnown) return;
    await this.pool.query(
      'UPDATE admin_sign_in_tries SET tries = tries - 1 WHERE key_hash = $1 AND tries > 0',
      [keys.address],
    );
  }

  /** Lets everybody try again. */
  async forgetAll(client: PoolClient): Promise<void> {
    await client.query('DELETE FROM admin_sign_in_tries');
  }

  private async countOne(limit: Limit, keyHash: Buffer, requestId: string): Promise<Counted> {
    const {
      rows: [row],
    } = await this.pool.query<Counted>(COUNT, [keyHash]);
    assert(row !== undefined, 'a try that is counted has a count');
    if (row.tries <= MOST[limit]) return row;
    if (row.tries === MOST[limit] + 1) {
      const entry = { action: 'session.limited', subject: null, detail: { limit } };
      await this.audit.record({ actor: 'unknown', requestId }, entry);
    }
    throw tooMany(row);
  }
}
