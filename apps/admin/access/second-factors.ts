import { Inject, Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { inTransaction } from '#log';
import { Rejection } from '#kernel';
import { recordAudit } from '#operations';
import { firstRow, type SecretBox } from '#platform';
import { SECRET_BOX } from '../admin-config.js';
import type { Acting } from './allow.js';
import { secondFactorRequired } from './second-factor-state.js';
import { Sessions } from './sessions.js';
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

/** The kind of a right code. */
type Proof = 'authenticator' | 'recovery_code';

interface StoredFactor {
  readonly sealed: string;
  readonly lastStep: number;
}

const wrongCode = (): Rejection =>
  new Rejection('wrong_code', 'the code is wrong, expired or already used: enter a new one');

const purposeOf = (userId: string): string => `${userId}.second_factor`;

/** The second factors of console users: codes of an authenticator app, and recovery codes. */
@Injectable()
export class SecondFactors {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly sessions: Sessions,
    private readonly limits: SignInLimits,
    @Inject(SECRET_BOX) private readonly secretBox: SecretBox,
  ) {}

  /**
   * Returns a new secret, in base32, which replaces the user's second factor when `confirm` gets
   * its first code. A user who has a second factor must give a `code` of it. Throws
   * `Rejection('wrong_code')`; `Problem` 403 without a code, 429 after too many.
   */
  async begin(by: Acting, code: string | undefined): Promise<string> {
    const isProven = code !== undefined && by.hasSecondFactor;
    if (isProven) await this.prove(by, code, () => Promise.resolve());
    const secret = newTotpSecret();
    const { rowCount } = await this.pool.query(
      `INSERT INTO admin_second_factors AS f (user_id, pending_sealed) VALUES ($1, $2)
       ON CONFLICT (user_id) DO UPDATE SET pending_sealed = excluded.pending_sealed
        WHERE $3 OR f.set_up_at IS NULL`,
      [by.userId, this.secretBox.seal(secret, purposeOf(by.userId)), isProven],
    );
    if (rowCount === 1) return secret;
    throw secondFactorRequired();
  }

  /**
   * Sets up the second factor; ends all sessions of the user. Returns the token of a new session
   * and the recovery codes, which are not stored. Throws
   * `Rejection('second_factor_not_begun' | 'wrong_code')`.
   */
  confirm(
    by: Acting,
    code: string,
  ): Promise<{ readonly token: string; readonly recoveryCodes: readonly string[] }> {
    const { userId } = by;
    return inTransaction(this.pool, async (client) => {
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
      const recoveryCodes = await this.renewRecoveryCodes(client, userId);
      await this.sessions.endAll(client, userId);
      const subject = { type: 'user', id: userId };
      const detail = { isReplaced: stored.isReplaced };
      await recordAudit(client, by, { action: 'user.second_factor_set_up', subject, detail });
      const token = await this.sessions.begin(client, userId, { ...by, gaveSecondFactor: true });
      return { token, recoveryCodes };
    });
  }

  /**
   * Replaces the session by one in which the user has given the second factor; returns its token.
   * Throws `Rejection('wrong_code' | 'second_factor_absent')`; `Problem` 429 after too many codes.
   */
  give(by: Acting, code: string): Promise<string> {
    return this.prove(by, code, async (client) => {
      await this.sessions.end(client, by.token);
      return this.sessions.begin(client, by.userId, { ...by, gaveSecondFactor: true });
    });
  }

  /** Does `work` if the code is right, in the transaction that makes the code invalid. */
  private async prove<T>(
    by: Acting,
    code: string,
    work: (client: PoolClient) => Promise<T>,
  ): Promise<T> {
    const { userId } = by;
    await this.limits.countCode(userId, by.requestId);
    const subject = { type: 'user', id: userId };
    const proven = await inTransaction(this.pool, async (client) => {
      const proof = await this.consume(client, userId, plainCode(code));
      if (proof === null) {
        // Committed: an exception would roll the audit entry back.
        await recordAudit(client, by, { action: 'session.second_factor_refused', subject });
        return null;
      }
      await this.limits.forgetCodes(client, userId);
      const detail = { proof };
      await recordAudit(client, by, { action: 'session.second_factor_given', subject, detail });
      return { outcome: await work(client) };
    });
    if (proven === null) throw wrongCode();
    return proven.outcome;
  }

  /** Makes a right code invalid, under a lock: of concurrent requests only one can use the code. */
  private async consume(client: PoolClient, userId: string, plain: string): Promise<Proof | null> {
    const factor = await firstRow<StoredFactor>(
      client,
      `SELECT sealed, last_step AS "lastStep" FROM admin_second_factors
        WHERE user_id = $1 AND set_up_at IS NOT NULL FOR UPDATE`,
      [userId],
    );
    if (factor === undefined) throw noSecondFactor();
    if (!isTotpCode(plain)) {
      const { rowCount } = await client.query(
        'DELETE FROM admin_recovery_codes WHERE user_id = $1 AND code_hash = $2',
        [userId, recoveryHash(userId, plain)],
      );
      return rowCount === 1 ? 'recovery_code' : null;
    }
    const step = this.stepOf(userId, factor.sealed, plain);
    if (step === null || step <= factor.lastStep) return null;
    await client.query('UPDATE admin_second_factors SET last_step = $2 WHERE user_id = $1', [
      userId,
      step,
    ]);
    return 'authenticator';
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
