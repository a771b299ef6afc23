import { isIP } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type WebAuthnCredential,
} from '@simplewebauthn/server';
import { Pool, type PoolClient } from 'pg';
import { Rejection } from '#kernel';
import { firstRow } from '#platform';
import { CONSOLE_ORIGIN } from '../admin-config.js';
import type { Acting } from './allow.js';
import type { ConsoleOrigin } from './session-cookie.js';
import { tokenHash } from './token.js';

/** The user must sign a challenge within this time. */
const CHALLENGE_SECONDS = 300;
const MAX_OF_USER = 10;

/** A security key, as shown to its user. */
export interface SecurityKey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** The purpose of a challenge. A signature for one purpose is refused for the other. */
type Purpose = 'register' | 'prove';

/**
 * The answer that a browser sent, and the challenge that the answer must match; null: the session
 * has no open challenge.
 */
interface Answered {
  readonly answer: string;
  readonly challenge: string | null;
}

interface StoredKey {
  readonly publicKey: Buffer;
  readonly counter: string;
  readonly transports: string[];
}

const keyNotFound = (): Rejection =>
  new Rejection('security_key_not_found', 'security key not found');

export const wrongKey = (): Rejection =>
  new Rejection(
    'wrong_security_key',
    'the answer of the security key is wrong or too late: begin again',
  );

/**
 * Parses the JSON that a browser sent; null if it is not an object. The library checks the fields.
 */
const parsed = (text: string): object | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
};

/**
 * The host name to which security keys are bound. A key signs for no page of another host, so it
 * cannot be phished. Null if the host is an IP address, for which browsers support no keys.
 */
const relyingPartyOf = ({ origin }: ConsoleOrigin): string | null => {
  const { hostname } = new URL(origin);
  return isIP(hostname.replaceAll(/[[\]]/g, '')) === 0 ? hostname : null;
};

/** The security keys (WebAuthn) of console users. */
@Injectable()
export class SecurityKeys {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(CONSOLE_ORIGIN) private readonly at: ConsoleOrigin,
  ) {}

  async list(userId: string): Promise<readonly SecurityKey[]> {
    const { rows } = await this.pool.query<SecurityKey>(
      `SELECT id, name, created_at AS "createdAt", last_used_at AS "lastUsedAt"
         FROM admin_security_keys WHERE user_id = $1 ORDER BY created_at, id`,
      [userId],
    );
    return rows;
  }

  /**
   * Returns the options with which the browser asks for a new key, as JSON. Throws
   * `Rejection('security_keys_unavailable' | 'too_many_security_keys')`.
   */
  async beginRegistration(by: Acting): Promise<string> {
    const rpID = this.relyingParty();
    const keys = await this.credentials(by.userId);
    if (keys.length >= MAX_OF_USER) {
      throw new Rejection(
        'too_many_security_keys',
        `a user has at most ${MAX_OF_USER} security keys: remove one first`,
      );
    }
    const options = await generateRegistrationOptions({
      rpName: rpID,
      rpID,
      userName: by.name,
      userID: new Uint8Array(Buffer.from(by.userId)),
      timeout: CHALLENGE_SECONDS * 1_000,
      excludeCredentials: keys,
      authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
    });
    await this.challenge(by, 'register', options.challenge);
    return JSON.stringify(options);
  }

  /**
   * Verifies and stores a new key, whose answer must match the session's challenge. Throws
   * `Rejection('security_keys_unavailable' | 'wrong_security_key')`.
   */
  async register(
    client: PoolClient,
    { userId }: Acting,
    { name, answer, challenge }: Answered & { readonly name: string },
  ): Promise<void> {
    const rpID = this.relyingParty();
    const response = parsed(answer) as RegistrationResponseJSON | null;
    if (response === null || challenge === null) throw wrongKey();
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: this.at.origin,
      expectedRPID: rpID,
      requireUserVerification: false,
    }).catch(() => ({ registrationInfo: undefined }));
    if (registrationInfo === undefined) throw wrongKey();
    const { id, publicKey, counter, transports } = registrationInfo.credential;
    const { rowCount } = await client.query(
      `INSERT INTO admin_security_keys (id, user_id, name, public_key, counter, transports)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO NOTHING`,
      [id, userId, name, Buffer.from(publicKey), counter, transports ?? []],
    );
    if (rowCount === 0) throw wrongKey();
  }

  /**
   * Returns the options with which the browser asks for the signature of one of the user's keys, as
   * JSON. Throws `Rejection('security_keys_unavailable' | 'security_key_not_found')`.
   */
  async beginProof(by: Acting): Promise<string> {
    const rpID = this.relyingParty();
    const allowCredentials = await this.credentials(by.userId);
    if (allowCredentials.length === 0) throw keyNotFound();
    const options = await generateAuthenticationOptions({
      rpID,
      allowCredentials,
      timeout: CHALLENGE_SECONDS * 1_000,
      userVerification: 'preferred',
    });
    await this.challenge(by, 'prove', options.challenge);
    return JSON.stringify(options);
  }

  /**
   * Whether one of the user's keys has signed the session's challenge. A key that counts its
   * signatures must show a higher count than before.
   */
  async proves(
    client: PoolClient,
    { userId }: Acting,
    { answer, challenge }: Answered,
  ): Promise<boolean> {
    const response = parsed(answer) as AuthenticationResponseJSON | null;
    if (response === null || challenge === null) return false;
    const stored = await firstRow<StoredKey>(
      client,
      `SELECT public_key AS "publicKey", counter, transports FROM admin_security_keys
        WHERE id = $1 AND user_id = $2 FOR UPDATE`,
      [String(response.id), userId],
    );
    if (stored === undefined) return false;
    const credential: WebAuthnCredential = {
      id: response.id,
      publicKey: new Uint8Array(stored.publicKey),
      counter: Number(stored.counter),
      transports: stored.transports,
    };
    const verified = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: this.at.origin,
      expectedRPID: this.relyingParty(),
      credential,
      requireUserVerification: false,
    }).catch(() => null);
    if (verified?.verified !== true) return false;
    await client.query(
      'UPDATE admin_security_keys SET counter = $2, last_used_at = now() WHERE id = $1',
      [response.id, verified.authenticationInfo.newCounter],
    );
    return true;
  }

  /**
   * Deletes the session's challenge and returns it; null if there is no challenge for this purpose,
   * or if it is too old. Call this function before the transaction that uses the answer, for two
   * reasons: each answer is compared only once, even if the transaction fails, and no request waits
   * for a second database connection while it holds one.
   */
  async take({ token }: Acting, purpose: Purpose): Promise<string | null> {
    const row = await firstRow<{ challenge: string }>(
      this.pool,
      `UPDATE admin_sessions s SET key_challenge = NULL
         FROM (SELECT token_hash, key_challenge, key_challenge_ends_at > now() AS is_fresh
                 FROM admin_sessions WHERE token_hash = $1 FOR UPDATE) AS was
        WHERE s.token_hash = was.token_hash AND was.is_fresh
       RETURNING was.key_challenge AS challenge`,
      [tokenHash(token)],
    );
    const [found, challenge] = row?.challenge?.split(' ') ?? [];
    return found === purpose ? (challenge ?? null) : null;
  }

  /** Removes a key of the user. Throws `Rejection('security_key_not_found')`. */
  async remove(client: PoolClient, userId: string, id: string): Promise<void> {
    const { rowCount } = await client.query(
      'DELETE FROM admin_security_keys WHERE id = $1 AND user_id = $2',
      [id, userId],
    );
    if (rowCount === 0) throw keyNotFound();
  }

  private relyingParty(): string {
    const name = relyingPartyOf(this.at);
    if (name !== null) return name;
    throw new Rejection(
      'security_keys_unavailable',
      'security keys need a console whose ADMIN_ORIGIN has a host name, not an IP address',
    );
  }

  private async credentials(userId: string): Promise<{ id: string; transports: string[] }[]> {
    const { rows } = await this.pool.query<{ id: string; transports: string[] }>(
      'SELECT id, transports FROM admin_security_keys WHERE user_id = $1 ORDER BY created_at, id',
      [userId],
    );
    return rows;
  }

  private async challenge({ token }: Acting, purpose: Purpose, challenge: string): Promise<void> {
    await this.pool.query(
      `UPDATE admin_sessions SET key_challenge = $2,
              key_challenge_ends_at = now() + interval '${CHALLENGE_SECONDS} seconds'
        WHERE token_hash = $1`,
      [tokenHash(token), `${purpose} ${challenge}`],
    );
  }
}
