import { Inject, Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { Rejection } from '#kernel';
import { recordAudit } from '#operations';
import { firstRow } from '#platform';
import { lowerCaseEmail } from './email.js';
import type { Identity } from './identity-provider.js';
import { rejectRequestsOf } from './reject-requests.js';
import { Sessions } from './sessions.js';
import { IS_ADDRESS_EXPIRED, type UserAnswer } from './user-answer.js';
import { lockUser, readUser, recordUser, type UserDeed } from './user-rows.js';

export const MAX_EMAIL_CHARS = 254;
const EMAIL = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]+$/;

/** The user to whom an account at the identity provider belongs. */
export interface Linked {
  readonly userId: string;
  readonly isEnabled: boolean;
  /** Whether the account was registered too long ago and has never been used to sign in. */
  readonly isExpired: boolean;
}

const emailTaken = (): Rejection =>
  new Rejection('email_taken', 'another user is registered with this email address');

/** Returns the address in lower case. Throws `Rejection('invalid_email')`. */
export const plainEmail = (typed: string): string => {
  const email = lowerCaseEmail(typed);
  if (email !== null && EMAIL.test(email) && email.length <= MAX_EMAIL_CHARS) return email;
  throw new Rejection('invalid_email', 'enter an email address such as jane@company.example');
};

/**
 * The accounts at the identity provider with which users sign in. An admin registers an email
 * address. The first sign-in with this address, verified by the provider, stores the account's
 * subject (its id at the provider) and deletes the address.
 */
@Injectable()
export class Identities {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly sessions: Sessions,
  ) {}

  /**
   * Throws `Rejection('email_taken')` if the address is registered for another user who has not
   * signed in with it yet.
   */
  async mustBeFree(email: string, userId: string | null): Promise<void> {
    const { rowCount } = await this.pool.query(
      'SELECT FROM admin_identities WHERE email = $1 AND user_id IS DISTINCT FROM $2',
      [email, userId],
    );
    if (rowCount !== 0) throw emailTaken();
  }

  /**
   * Lets the person with this verified email address sign in as the user. Replaces the user's
   * former account, whose sessions and requests end. Throws
   * `Rejection('email_taken' | 'user_not_found')`.
   */
  async register(
    client: PoolClient,
    userId: string,
    email: string,
    deed: UserDeed,
  ): Promise<UserAnswer> {
    await this.delete(client, userId, deed);
    const { rowCount } = await client.query(
      `INSERT INTO admin_identities (user_id, email, registered_by)
       SELECT id, $2, $3 FROM admin_users WHERE id = $1 ON CONFLICT (email) DO NOTHING`,
      [userId, email, deed.origin.actor.replace(/^user:/, '')],
    );
    const user = await readUser(client, userId);
    if (rowCount === 0) throw emailTaken();
    await recordUser(client, userId, 'user.identity_registered', deed);
    return user;
  }

  /**
   * Deletes the user's account at the identity provider, so that the user cannot sign in with it.
   * Throws `Rejection('identity_absent')`.
   */
  async remove(client: PoolClient, userId: string, deed: UserDeed): Promise<UserAnswer> {
    if (!(await this.delete(client, userId, deed))) {
      throw new Rejection('identity_absent', 'the user has no account at the identity provider');
    }
    await recordUser(client, userId, 'user.identity_removed', deed);
    return readUser(client, userId);
  }

  /** Deletes the email addresses that await a first sign-in. Returns their number. */
  async removeAwaiting(client: PoolClient, deed: UserDeed): Promise<number> {
    const { rows } = await client.query<{ id: string }>(
      'DELETE FROM admin_identities WHERE subject IS NULL RETURNING user_id AS id',
    );
    for (const { id } of rows) await recordUser(client, id, 'user.identity_removed', deed);
    return rows.length;
  }

  /**
   * Finds the user to whom an account at the identity provider belongs; null if it belongs to no
   * user. A verified email address that was registered within seven days links the account to its
   * user. The function locks first the user and then the account. So a concurrent removal of the
   * account waits until this sign-in has begun its session, and then ends the session.
   */
  async find(client: PoolClient, identity: Identity, requestId: string): Promise<Linked | null> {
    const { issuer, subject, email } = identity;
    const known = await firstRow<Linked & { readonly isLinked: boolean }>(
      client,
      `SELECT u.id AS "userId", u.disabled_at IS NULL AS "isEnabled",
              i.subject IS NOT NULL AS "isLinked", ${IS_ADDRESS_EXPIRED} AS "isExpired"
         FROM admin_identities i JOIN admin_users u ON u.id = i.user_id
        WHERE (i.issuer = $1 AND i.subject = $2) OR i.email = $3
        ORDER BY i.subject NULLS LAST LIMIT 1 FOR SHARE OF u FOR UPDATE OF i`,
      [issuer, subject, email],
    );
    if (known === undefined) return null;
    const { userId, isLinked, ...linked } = known;
    if (isLinked || !linked.isEnabled || linked.isExpired) return { userId, ...linked };
    const { rowCount } = await client.query(
      `UPDATE admin_identities SET email = NULL, issuer = $2, subject = $3, linked_at = now()
        WHERE user_id = $1 AND email = $4`,
      [userId, issuer, subject, email],
    );
    // A concurrent sign-in may have linked another account with this address to the user.
    if (rowCount === 0) return null;
    await recordAudit(
      client,
      { actor: `user:${userId}`, requestId },
      { action: 'user.identity_linked', subject: { type: 'user', id: userId } },
    );
    return { userId, ...linked };
  }

  /**
   * Deletes the user's account, ends the user's sessions, and rejects the user's action requests
   * that await approval. The person who deletes the account may have registered it, made these
   * requests with it, and could otherwise approve them.
   */
  private async delete(
    client: PoolClient,
    userId: string,
    { origin, reason }: UserDeed,
  ): Promise<boolean> {
    await lockUser(client, userId);
    const { rowCount } = await client.query('DELETE FROM admin_identities WHERE user_id = $1', [
      userId,
    ]);
    if (rowCount !== 1) return false;
    await this.sessions.endAll(client, userId);
    await rejectRequestsOf(client, userId, origin, reason);
    return true;
  }
}
