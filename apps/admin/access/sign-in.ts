import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { inTransaction } from '#log';
import { Problem } from '#platform';
import { Audit, type AuditOrigin } from '../shared/audit.js';
import { KnownBrowsers } from './known-browsers.js';
import { provesPassword } from './passwords.js';
import { Sessions } from './sessions.js';
import { SignInLimits, type Tried } from './sign-in-limits.js';

interface Account {
  readonly id: string;
  readonly hash: string;
  readonly isOpen: boolean;
}

const refused = (): Problem =>
  new Problem(401, 'sign_in_refused', 'the name or the password is not right');

/** What a browser keeps of a sign-in. */
export interface Begun {
  /** The session's token. */
  readonly token: string;
  /** The browser's own. */
  readonly browser: string;
}

/** Passwords in, sessions out. */
@Injectable()
export class SignIn {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly limits: SignInLimits,
    private readonly sessions: Sessions,
    private readonly browsers: KnownBrowsers,
    private readonly audit: Audit,
  ) {}

  /**
   * The tokens of a new session. Throws `Problem` 401, the same and after as long for an unknown
   * name, a wrong password, one that is over and a user that is shut out; 429 after too many.
   */
  async signIn(tried: Tried, password: string): Promise<Begun> {
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
      await this.audit.record(origin, { action: 'session.refused', subject });
      throw refused();
    }
    await this.limits.forget(tried);
    return inTransaction(this.pool, async (client) => {
      // Whoever was shut out, or given another password, while we compared does not come in.
      const { rowCount } = await client.query(
        `SELECT FROM admin_users WHERE id = $1 AND password_hash = $2 AND disabled_at IS NULL
            FOR SHARE`,
        [account.id, account.hash],
      );
      if (rowCount === 0) throw refused();
      const origin = { actor: `user:${account.id}`, requestId };
      await this.audit.record(origin, { action: 'session.begun', subject }, client);
      return {
        token: await this.sessions.begin(client, account.id),
        browser: await this.browsers.signedIn(client, account.id, tried.knownBrowser),
      };
    });
  }

  signOut(token: string, origin: AuditOrigin): Promise<void> {
    return inTransaction(this.pool, async (client) => {
      await this.sessions.end(client, token);
      await this.audit.record(origin, { action: 'session.ended', subject: null }, client);
    });
  }

  signOutEverywhere(userId: string, origin: AuditOrigin): Promise<void> {
    return inTransaction(this.pool, async (client) => {
      await this.sessions.endAll(client, userId);
      await this.audit.record(origin, { action: 'session.all_ended', subject: null }, client);
    });
  }
}
