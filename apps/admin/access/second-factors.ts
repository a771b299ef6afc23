import { Inject, Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { inTransaction } from '#log';
import { Rejection } from '#kernel';
import { recordAudit } from '#operations';
import { firstRow, type SecretBox } from '#platform';
import { SECRET_BOX } from '../admin-config.js';
import type { Acting } from './allow.js';
import { factorsSince } from './factor-sql.js';
import { providerSignInRequired, secondFactorRequired } from './second-factor-state.js';
import { SecurityKeys, wrongKey } from './security-keys.js';
import { Sessions } from './sessions.js';
import { lockOwnFactors, lockSelf, sessionEnded } from './still-acting.js';
import { SignInLimits } from './sign-in-limits.js';
import {
  isTotpCode,
  newRecoveryCodes,
  newTotpSecret,
  plainCode,
  recoveryHash,
  stepOfCode,
} from './totp.js';
import { noSecondFactor } from './users.js';

/** A proof of a second factor: a code, or the answer of a security key as JSON. */
export interface Proof {
  readonly code?: string | undefined;
  readonly key?: string | undefined;
}

/** The kind of a correct proof of the second factor. */
type Kind = 'authenticator' | 'recovery_code' | 'security_key';

/** The token of a new session, and new recovery codes, if any. */
interface SetUp {
  readonly token: string;
  readonly recoveryCodes: readonly string[];
}

interface StoredFactor {
  readonly sealed: string;
  readonly lastStep: number;
}

const wrongCode = (): Rejection =>
  new Rejection('wrong_code', 'the code is wrong, expired or already used: enter a new one');

const purposeOf = (userId: string): string => `${userId}.second_factor`;

/**
 * The second factors of console users: codes of an authenticator app, security keys, and recovery
 * codes.
 */
@Injectable()
export class SecondFactors {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly sessions: Sessions,
    private readonly limits: SignInLimits,
    private readonly keys: SecurityKeys,
    @Inject(SECRET_BOX) private readonly secretBox: SecretBox,
  ) {}

  /**
   * Returns a new secret, in base32, which replaces the user's authenticator app when `confirm` gets
   * its first code. A user who has a second factor must prove it. Throws like `prove`; `Problem` 401
   * if the session ended meanwhile, 403 for the first second factor of a user who should sign in at
   * the identity provider.
   */
  async begin(by: Acting, proof: Proof): Promise<string> {
    await this.proveIfAny(by, proof);
    const secret = newTotpSecret();
    const sealed = this.secretBox.seal(secret, purposeOf(by.userId));
    return inTransaction(this.pool, async (client) => {
      // Another session of the user may have set up a second factor since the check.
      await lockOwnFactors(client, by);
      await client.query(
        `INSERT INTO admin_second_factors (user_id, pending_sealed) VALUES ($1, $2)
         ON CONFLICT (user_id) DO UPDATE SET pending_sealed = excluded.pending_sealed`,
        [by.userId, sealed],
      );
      return secret;
    });
  }

  /**
   * Sets up the authenticator app; ends all sessions of the user. Returns the token of a new session
   * and the recovery codes, which are not stored. Throws
   * `Rejection('second_factor_not_begun' | 'wrong_code')`; `Problem` 401 if the session ended
   * meanwhile.
   */
  async confirm(by: Acting, code: string): Promise<SetUp> {
    await this.mustBeProven(by);
    const { userId } = by;
    return inTransaction(this.pool, async (client) => {
      await lockOwnFactors(client, by);
      const stored = await firstRow<{ pending: string; isReplaced: boolean }>(
        client,
        `SELECT pending_sealed AS pending, set_up_at IS NOT NULL AS "isReplaced"
           FROM admin_second_factors WHERE user_id = $1 AND pending_sealed IS NOT NULL FOR UPDATE`,
        [userId],
      );
      if (stored === undefined) {
        throw new Rejection('second_factor_not_begun', 'begin the set-up of the second factor');
      }
      const step = this.stepOf(userId, stored.pending, plainCode(code));
      if (step === null) throw wrongCode();
      await client.query(
        `UPDATE admin_second_factors SET sealed = pending_sealed, pending_sealed = NULL,
                set_up_at = now(), last_step = $2 WHERE user_id = $1`,
        [userId, step],
      );
      const detail = { isReplaced: stored.isReplaced };
      return this.setUp(client, by, { action: 'user.second_factor_set_up', detail });
    });
  }

  /**
   * Returns the options to register a security key, as JSON. A user who has a second factor must
   * prove it. Throws like `prove` and `SecurityKeys.beginRegistration`.
   */
  async beginKey(by: Acting, proof: Proof): Promise<string> {
    await this.proveIfAny(by, proof);
    return this.keys.beginRegistration(by);
  }

  /**
   * Registers a security key; ends all sessions of the user. Returns the token of a new session,
   * and recovery codes if it is the user's first factor. An authenticator app whose set-up was
   * begun but not completed is deleted, because it may belong to another person. Throws like
   * `SecurityKeys.register`, and `Problem` 401 if the session ended meanwhile.
   */
  async addKey(by: Acting, name: string, answer: string): Promise<SetUp> {
    await this.mustBeProven(by);
    const challenge = await this.keys.take(by, 'register');
    return inTransaction(this.pool, async (client) => {
      await lockOwnFactors(client, by);
      await this.keys.register(client, by, { name, answer, challenge });
      await this.forgetBegun(client, by.userId);
      const renewsCodes = !by.hasSecondFactor;
      return this.setUp(client, by, { action: 'user.security_key_added', renewsCodes });
    });
  }

  /**
   * Removes a security key of the user, who must prove a second factor, and ends the user's other
   * sessions: the key may have been stolen. Throws like `prove`, and
   * `Rejection('security_key_not_found')`; `Problem` 401 if the session ended meanwhile.
   */
  async removeKey(by: Acting, id: string, proof: Proof): Promise<void> {
    await this.prove(by, proof, async (client) => {
      await lockOwnFactors(client, by);
      await this.keys.remove(client, by.userId, id);
      await this.sessions.endOthers(client, by);
      await client.query(
        `DELETE FROM admin_recovery_codes
          WHERE user_id = $1 AND ${factorsSince('$1')} IS NULL`,
        [by.userId],
      );
      const subject = { type: 'user', id: by.userId };
      await recordAudit(client, by, { action: 'user.security_key_removed', subject });
    });
  }

  /**
   * Replaces the session by one in which the user has given the second factor; returns its token.
   * Throws like `prove`, and `Problem` 401 if the session ended meanwhile.
   */
  give(by: Acting, proof: Proof): Promise<string> {
    return this.prove(by, proof, async (client) => {
      if (!(await this.sessions.end(client, by.token))) throw sessionEnded();
      return this.sessions.begin(client, by.userId, { ...by, gaveSecondFactor: true });
    });
  }

  private async setUp(
    client: PoolClient,
    by: Acting,
    {
      action,
      detail = {},
      renewsCodes = true,
    }: { readonly action: string; readonly detail?: object; readonly renewsCodes?: boolean },
  ): Promise<SetUp> {
    const { userId } = by;
    const recoveryCodes = renewsCodes ? await this.renewRecoveryCodes(client, userId) : [];
    await this.sessions.endAll(client, userId);
    const subject = { type: 'user', id: userId };
    await recordAudit(client, by, { action, subject, detail: { ...detail } });
    const token = await this.sessions.begin(client, userId, { ...by, gaveSecondFactor: true });
    return { token, recoveryCodes };
  }

  /**
   * Throws `Problem` 403 if the user has signed in by password, has no second factor, and has an
   * account at the identity provider.
   */
  private async mustBeProven({ userId, hasSecondFactor, begunWith }: Acting): Promise<void> {
    if (hasSecondFactor || begunWith === 'identity_provider') return;
    const { rowCount } = await this.pool.query(
      'SELECT FROM admin_identities WHERE user_id = $1 AND subject IS NOT NULL',
      [userId],
    );
    if (rowCount !== 0) throw providerSignInRequired();
  }

  /** Throws `Problem` 403 if the user has a second factor and proves none, or like `mustBeProven`. */
  private async proveIfAny(by: Acting, proof: Proof): Promise<void> {
    await this.mustBeProven(by);
    if (!by.hasSecondFactor) return;
    if (proof.code === undefined && proof.key === undefined) throw secondFactorRequired();
    await this.prove(by, proof, () => Promise.resolve());
  }

  /**
   * Runs `work` if the proof is correct. The same transaction marks the proof as used, so that it
   * cannot be used again. Throws `Rejection('wrong_code' | 'wrong_security_key' |
   * 'second_factor_absent')`; `Problem` 429 after too many proofs.
   */
  private async prove<T>(
    by: Acting,
    proof: Proof,
    work: (client: PoolClient) => Promise<T>,
  ): Promise<T> {
    const { userId } = by;
    await this.limits.countCode(userId, by.requestId);
    const challenge = proof.key === undefined ? null : await this.keys.take(by, 'prove');
    const subject = { type: 'user', id: userId };
    const proven = await inTransaction(this.pool, async (client) => {
      await lockSelf(client, by);
      const kind = await this.kindOf(client, by, { ...proof, challenge });
      if (kind === null) {
        // Returns instead of throwing, because an exception would roll the audit entry back.
        await recordAudit(client, by, { action: 'session.second_factor_refused', subject });
        return null;
      }
      await this.limits.forgetCodes(client, userId);
      const detail = { proof: kind };
      await recordAudit(client, by, { action: 'session.second_factor_given', subject, detail });
      return { outcome: await work(client) };
    });
    if (proven !== null) return proven.outcome;
    throw proof.key === undefined ? wrongCode() : wrongKey();
  }

  /** Marks a correct proof as used and returns its kind; null if the proof is wrong. */
  private async kindOf(
    client: PoolClient,
    by: Acting,
    { code, key, challenge }: Proof & { readonly challenge: string | null },
  ): Promise<Kind | null> {
    if (!by.hasSecondFactor) throw noSecondFactor();
    if (key === undefined) return this.consume(client, by.userId, plainCode(code ?? ''));
    const isProven = await this.keys.proves(client, by, { answer: key, challenge });
    return isProven ? 'security_key' : null;
  }

  /**
   * Marks a correct code as used, under a lock, so that only one of several concurrent requests can
   * use the code.
   */
  private async consume(client: PoolClient, userId: string, plain: string): Promise<Kind | null> {
    if (!isTotpCode(plain)) {
      const { rowCount } = await client.query(
        'DELETE FROM admin_recovery_codes WHERE user_id = $1 AND code_hash = $2',
        [userId, recoveryHash(userId, plain)],
      );
      return rowCount === 1 ? 'recovery_code' : null;
    }
    const factor = await firstRow<StoredFactor>(
      client,
      `SELECT sealed, last_step AS "lastStep" FROM admin_second_factors
        WHERE user_id = $1 AND set_up_at IS NOT NULL FOR UPDATE`,
      [userId],
    );
    if (factor === undefined) return null;
    const step = this.stepOf(userId, factor.sealed, plain);
    if (step === null || step <= factor.lastStep) return null;
    await client.query('UPDATE admin_second_factors SET last_step = $2 WHERE user_id = $1', [
      userId,
      step,
    ]);
    return 'authenticator';
  }

  private async forgetBegun(client: PoolClient, userId: string): Promise<void> {
    await client.query('UPDATE admin_second_factors SET pending_sealed = NULL WHERE user_id = $1', [
      userId,
    ]);
  }

  private stepOf(userId: string, sealed: string, plain: string): number | null {
    const secret = this.secretBox.open(sealed, purposeOf(userId));
    return stepOfCode(secret, plain, Date.now());
  }

  private async renewRecoveryCodes(client: PoolClient, userId: string): Promise<readonly string[]> {
    const codes = newRecoveryCodes();
    await client.query('DELETE FROM admin_recovery_codes WHERE user_id = $1', [userId]);
    await client.query(
      'INSERT INTO admin_recovery_codes (user_id, code_hash) SELECT $1, unnest($2::bytea[])',
      [userId, codes.map((code) => recoveryHash(userId, code))],
    );
    return codes;
  }
}
