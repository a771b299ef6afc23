import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { assert } from '#kernel';
import { Problem, firstRow } from '#platform';
import { type AuditSubject, recordAudit } from '#operations';
import { networkOf } from './network-of.js';

const WINDOW_MINUTES = 15;
/**
 * The maximum number of attempts per time window. Attempts in a browser in which the user has
 * signed in before are counted separately, so that guesses made elsewhere do not lock the user out.
 * Other attempts are counted per account and IP address, per account, and per IP address. Behind a
 * proxy that is not configured, all users share one IP address.
 */
const MOST = {
  browser: 10,
  accountHere: 10,
  account: 500,
  address: 100,
  // Codes of the second factor are counted per user only, because a person who guesses codes
  // already knows the password.
  secondFactor: 10,
} as const;
/**
 * After this many attempts on one account, each IP address may make only a few more attempts on the
 * account.
 */
const GUESSED_AT = { accountTries: 50, mostHere: 2 } as const;

const COUNT = `
  INSERT INTO admin_sign_in_attempts AS t (key_hash, tries, ends_at)
  VALUES ($1, 1, now() + interval '${WINDOW_MINUTES} minutes')
  ON CONFLICT (key_hash) DO UPDATE
     SET tries = CASE WHEN t.ends_at <= now() THEN 1 ELSE t.tries + 1 END,
         ends_at = CASE WHEN t.ends_at <= now() THEN excluded.ends_at ELSE t.ends_at END
  RETURNING tries, ceil(extract(epoch FROM ends_at - now()))::int AS seconds`;

type Limit = keyof typeof MOST;

/** A sign-in attempt. */
export interface Tried {
  readonly name: string;
  readonly address: string;
  /** The token of a browser in which the user has signed in before; else null. */
  readonly knownBrowser: string | null;
  readonly requestId: string;
}

interface Counted {
  readonly tries: number;
  readonly seconds: number;
}

/** Hashes a name or IP address, because users may type a password into the name field. */
const hashOf = (kind: string, text: string): Buffer =>
  createHash('sha256').update(`${kind} ${text}`).digest();

const addressKey = (address: string): Buffer => hashOf('address', networkOf(address));

const keysOf = ({
  name,
  address,
  knownBrowser,
}: Omit<Tried, 'requestId'>): Record<Exclude<Limit, 'secondFactor'>, Buffer> => {
  const network = networkOf(address);
  return {
    browser: hashOf('browser', knownBrowser ?? ''),
    accountHere: hashOf('account here', `${name} ${network}`),
    account: hashOf('account', name),
    address: addressKey(address),
  };
};

const codesKey = (userId: string): Buffer => hashOf('second factor', userId);

const tooMany = ({ seconds }: Counted): Problem =>
  new Problem(429, 'too_many_sign_ins', 'too many sign-in attempts: wait and try again', {
    headers: { 'retry-after': String(seconds) },
  });

/** Limits sign-in attempts per account, whether it exists or not, and per IP address. */
@Injectable()
export class SignInLimits {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /**
   * Counts an attempt before the password is compared, so that concurrent attempts are limited too.
   * Reaching a limit is audited once per time window. Throws `Problem` 429.
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

  /** Counts a sign-in by the identity provider. Throws like `count`. */
  async countAddress(address: string, requestId: string): Promise<void> {
    await this.countOne('address', addressKey(address), requestId);
  }

  /** Removes a successful sign-in from the count of attempts. */
  async forget(tried: Tried): Promise<void> {
    const keys = keysOf(tried);
    const isKnown = tried.knownBrowser !== null;
    await this.pool.query(
      'DELETE FROM admin_sign_in_attempts WHERE key_hash = ANY ($1) OR ends_at < now()',
      [isKnown ? [keys.browser] : [keys.accountHere, keys.account]],
    );
    if (!isKnown) await this.forgetAddress(tried.address);
  }

  /** Removes a successful sign-in from the count of the IP address. */
  async forgetAddress(address: string): Promise<void> {
    await this.pool.query(
      'UPDATE admin_sign_in_attempts SET tries = tries - 1 WHERE key_hash = $1 AND tries > 0',
      [addressKey(address)],
    );
  }

  /**
   * Counts a code of a user's second factor, before it is compared. Throws `Problem` 429, audited
   * as in `count`.
   */
  async countCode(userId: string, requestId: string): Promise<void> {
    const subject = { type: 'user', id: userId };
    await this.countOne('secondFactor', codesKey(userId), requestId, subject);
  }

  /** Removes the attempts of a user who has given the second factor. */
  async forgetCodes(client: PoolClient, userId: string): Promise<void> {
    await client.query('DELETE FROM admin_sign_in_attempts WHERE key_hash = $1', [
      codesKey(userId),
    ]);
  }

  /** Resets the limits of all sign-in attempts. */
  async forgetAll(client: PoolClient): Promise<void> {
    await client.query('DELETE FROM admin_sign_in_attempts');
  }

  private async countOne(
    limit: Limit,
    keyHash: Buffer,
    requestId: string,
    subject: AuditSubject | null = null,
  ): Promise<Counted> {
    const row = await firstRow<Counted>(this.pool, COUNT, [keyHash]);
    assert(row !== undefined, 'a counted attempt has a count');
    if (row.tries <= MOST[limit]) return row;
    if (row.tries === MOST[limit] + 1) {
      const entry = { action: 'session.sign_in_limited', subject, detail: { limit } };
      await recordAudit(this.pool, { actor: 'unknown', requestId }, entry);
    }
    throw tooMany(row);
  }
}
