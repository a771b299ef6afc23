import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { inTransaction } from '#log';
import { Problem } from '#platform';
import { recordAudit } from '#operations';
import type { Acting } from './allow.js';
import { KnownBrowsers } from './known-browsers.js';
import { provesPassword } from './passwords.js';
import { type SignedIn, Sessions } from './sessions.js';
import { SignInLimits, type Tried } from './sign-in-limits.js';

interface Account {
  readonly id: string;
  readonly hash: string;
  readonly isOpen: boolean;
}

const refused = (): Problem =>
  new Problem(401, 'sign_in_refused', 'the name or the password is wrong');

/** The tokens that a browser stores after a sign-in. */
export interface Begun {
  /** The session token. */
  readonly token: string;
  /** The token by which later sign-ins recognise the browser. */
  readonly browser: string;
}

/** Signs users in and out. */
@Injectable()
export class SignIn {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly limits: SignInLimits,
    private readonly sessions: Sessions,
    private readonly browsers: KnownBrowsers,
  ) {}

  /**
   * Signs a user in; returns the tokens of a new session. Throws the same `Problem` 401 after the
   * same time for an unknown name, a wrong or expired password and a disabled user; 429 after too
   * many attempts. `gaveSecondFactor`: the user has given the second factor in the session that
   * the new session replaces.
   */
  async signIn(
    tried: Tried,
    password: string,
    { gaveSecondFactor }: Pick<SignedIn, 'gaveSecondFactor'> = { gaveSecondFactor: false },
  ): Promise<Begun> {
    const { name, requestId } = tried;
    await this.limits.count(tried);
    const { rows } = await this.pool.query<Account>(
      `SELECT id, password_hash AS hash,
              disabled_at IS NULL AND (password_expires_at IS NULL OR password_expires_at > now())
                AS "isOpen"
         FROM admin_users WHERE name = $1`,
      [name],
    );
    const account = rows[0] ?? null;
    const isRight = await provesPassword(account?.hash ?? null, password);
    const subject = account === null ? null : { type: 'user', id: account.id };
    if (account === null || !isRight || !account.isOpen) {
      const origin = { actor: 'unknown', requestId };
      await recordAudit(this.pool, origin, { action: 'session.sign_in_refused', subject });
      throw refused();
    }
    await this.limits.forget(tried);
    return inTransaction(this.pool, async (client) => {
      // The user may have been disabled, or the password reset, while the password was compared.
      const { rowCount } = await client.query(
        `SELECT FROM admin_users WHERE id = $1 AND password_hash = $2 AND disabled_at IS NULL
            FOR SHARE`,
        [account.id, account.hash],
      );
      if (rowCount === 0) throw refused();
      const origin = { actor: `user:${account.id}`, requestId };
      await recordAudit(client, origin, { action: 'session.signed_in', subject });
      return {
        token: await this.sessions.begin(client, account.id, {
          gaveSecondFactor,
          begunWith: 'password',
        }),
        browser: await this.browsers.signedIn(client, account.id, tried.knownBrowser),
      };
    });
  }

  signOut(by: Acting): Promise<void> {
    return inTransaction(this.pool, async (client) => {
      await this.sessions.end(client, by.token);
      await recordAudit(client, by, { action: 'session.signed_out', subject: null });
    });
  }

  signOutEverywhere(by: Acting): Promise<void> {
    return inTransaction(this.pool, async (client) => {
      await this.sessions.endAll(client, by.userId);
      await recordAudit(client, by, { action: 'session.all_signed_out', subject: null });
    });
  }
}
