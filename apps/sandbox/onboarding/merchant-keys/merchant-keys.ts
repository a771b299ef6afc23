import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Instant, randomText } from '#kernel';
import { ConfigError, createSecretBox, type SecretBox } from '#platform';
import { SANDBOX_CONFIG, type SandboxConfig } from '../../settings/sandbox-config.js';
import type { AccountScope } from '../../storage/account-scope.js';
import { Database, type Transaction } from '../../storage/database.js';

/** A merchant's keys of the payment API. */
export interface KeyPair {
  readonly test: string;
  readonly live: string;
}

const KEY_LENGTH = 32;
const PREFIXES = { test: 'stest_', live: 'sprod_' } as const;

const GIVE = {
  name: 'keys:give',
  text: `INSERT INTO merchant_keys (hash, company_id, live, sealed, created_at)
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT (company_id, live) DO NOTHING`,
};
const WITHDRAW = {
  name: 'keys:withdraw',
  text: `WITH deleted AS (DELETE FROM merchant_keys WHERE company_id = $1)
         UPDATE onboarding_companies SET keys_shown_at = NULL WHERE id = $1`,
};
const OF_COMPANY = {
  name: 'keys:of-company',
  text: 'SELECT live, sealed FROM merchant_keys WHERE company_id = $1',
};
const FIND = {
  name: 'keys:find',
  text: `SELECT c.account_id, k.live FROM merchant_keys k
         JOIN onboarding_companies c ON c.id = k.company_id WHERE k.hash = $1`,
};

const SHOWN = {
  name: 'keys:shown',
  text: `SELECT keys_shown_at IS NOT NULL AS shown FROM onboarding_companies c
         WHERE id = $1 AND EXISTS (SELECT FROM merchant_keys k WHERE k.company_id = c.id)`,
};
/**
 * Locks a company: while the lock is held, the company's keys are neither created nor revoked.
 */
const LOCK = {
  name: 'keys:lock',
  text: 'SELECT FROM onboarding_companies WHERE id = $1 FOR UPDATE',
};
const MARK_SHOWN = {
  name: 'keys:mark-shown',
  text: `UPDATE onboarding_companies c SET keys_shown_at = $2
         WHERE id = $1 AND keys_shown_at IS NULL
           AND EXISTS (SELECT FROM merchant_keys k WHERE k.company_id = c.id) RETURNING id`,
};

const digest = (key: string): Buffer => createHash('sha256').update(key).digest();

const isPlain = (stored: string): boolean => /^(stest|sprod)_/.test(stored);

/**
 * The payment API keys of onboarded merchants: created when the company becomes `available`,
 * deleted when its status becomes `deactivate`. They are stored encrypted (when SANDBOX_SECRETS_KEY
 * is set) instead of hashed, because the partner may request them again.
 */
@Injectable()
export class MerchantKeys {
  private readonly box: SecretBox | null;

  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(SANDBOX_CONFIG) { secretsKey }: SandboxConfig,
  ) {
    this.box = secretsKey === null ? null : createSecretBox(secretsKey);
  }

  /** Creates the keys of a company; does nothing when it already has keys. */
  async give(tx: Transaction, companyId: string, at: Instant): Promise<void> {
    for (const mode of ['test', 'live'] as const) {
      const key = `${PREFIXES[mode]}${randomText(KEY_LENGTH)}`;
      const sealed = this.box === null ? key : this.box.seal(key, companyId);
      await tx.query(GIVE, [digest(key), companyId, mode === 'live', sealed, at]);
    }
  }

  async withdraw(tx: Transaction, companyId: string): Promise<void> {
    await tx.query(WITHDRAW, [companyId]);
  }

  /** The keys of a company; null when it has none. */
  async read(
    companyId: string,
    database: Database | Transaction = this.database,
  ): Promise<KeyPair | null> {
    const rows = await database.query<{ live: boolean; sealed: string }>(OF_COMPANY, [companyId]);
    const open = (live: boolean): string | null => {
      const row = rows.find((candidate) => candidate.live === live);
      return row === undefined ? null : this.open(row.sealed, companyId);
    };
    const [test, live] = [open(false), open(true)];
    return test === null || live === null ? null : { test, live };
  }

  /** Whether the User Area may still show the company's keys; null when the company has no keys. */
  async shownState(companyId: string): Promise<'to_show' | 'shown' | null> {
    const [row] = await this.database.query<{ shown: boolean }>(SHOWN, [companyId]);
    return row === undefined ? null : row.shown ? 'shown' : 'to_show';
  }

  /**
   * Returns the company's keys on the first call only; null afterwards, and when the company has no
   * keys.
   */
  async showOnce(companyId: string, at: Instant): Promise<KeyPair | null> {
    return this.database.transaction(async (tx) => {
      await tx.query(LOCK, [companyId]);
      const marked = await tx.query(MARK_SHOWN, [companyId, at]);
      return marked.length === 0 ? null : this.read(companyId, tx);
    });
  }

  /** The account and mode of an API key; null for an unknown or revoked key. */
  async scopeOfKey(key: string): Promise<AccountScope | null> {
    const [scope] = await this.database.query<AccountScope>(FIND, [digest(key)]);
    return scope ?? null;
  }

  private open(stored: string, companyId: string): string {
    if (isPlain(stored)) return stored;
    if (this.box === null)
      throw new ConfigError(
        "set SANDBOX_SECRETS_KEY to the key that encrypted the merchants' API keys",
      );
    return this.box.open(stored, companyId);
  }
}
