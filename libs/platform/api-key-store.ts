import type pg from 'pg';
import { Rejection } from '#kernel';
import { hashSecret, newApiKey, type Scope } from './api-key.js';

/**
 * The maximum number of active keys of a platform: enough for a key for each of its services, and
 * for new keys that are rolled out before the old ones are revoked.
 */
const MAX_LIVE_KEYS = 20;

export interface ApiKeyRow {
  readonly prefix: string;
  readonly platformId: string;
  readonly hash: Buffer;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

const COLUMNS = `prefix, platform_id AS "platformId", hash, scopes, created_at AS "createdAt",
  expires_at AS "expiresAt", revoked_at AS "revokedAt"`;
const LIVE = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())';

const tooManyKeys = (platformId: string): Rejection =>
  new Rejection(
    'too_many_keys',
    `platform ${platformId} has ${MAX_LIVE_KEYS} active keys: revoke one first`,
  );

/**
 * The scope in which the responses of repairs are stored, beside those to platforms. No platform has
 * this id: otherwise its key could store a response under the id of an action that is still to be
 * executed.
 */
export const REPAIR_SCOPE = 'console';

export const PLATFORM_ID = new RegExp(`^(?!${REPAIR_SCOPE}$)[A-Za-z0-9_-]{1,64}$`);
export const PLATFORM_ID_FORM = `1 to 64 letters, digits, _ or -, and not \`${REPAIR_SCOPE}\``;

/** Throws `Rejection('invalid_platform')`. */
export const checkPlatformId = (platformId: string): void => {
  if (PLATFORM_ID.test(platformId)) return;
  throw new Rejection('invalid_platform', `a platform id is ${PLATFORM_ID_FORM}`);
};

/** The table of API keys, which stores only hashes: a key is shown once, at its creation. */
export class ApiKeyStore {
  /** `db` is a pool, or the client of the transaction to which the change belongs. */
  constructor(private readonly db: pg.Pool | pg.PoolClient) {}

  /**
   * Returns the full key, which is not stored. Throws `Rejection('too_many_keys')` if the platform
   * has the maximum number of active keys.
   */
  async create(
    platformId: string,
    scopes: readonly Scope[],
    expiresAt: Date | null = null,
  ): Promise<string> {
    const { text, prefix, secret } = newApiKey();
    await this.insert({ prefix, platformId, hash: hashSecret(secret), scopes, expiresAt });
    return text;
  }

  /** Throws as `create`. */
  async insert({
    prefix,
    platformId,
    hash,
    scopes,
    expiresAt,
  }: Omit<ApiKeyRow, 'createdAt' | 'revokedAt'>): Promise<void> {
    checkPlatformId(platformId);
    const { rowCount } = await this.db.query(
      `WITH live AS (SELECT count(*) AS n FROM api_keys WHERE platform_id = $2 AND ${LIVE})
       INSERT INTO api_keys (prefix, platform_id, hash, scopes, expires_at)
       SELECT $1, $2, $3, $4, $5 FROM live WHERE n < ${MAX_LIVE_KEYS}`,
      [prefix, platformId, hash, scopes, expiresAt],
    );
    if (rowCount === 0) throw tooManyKeys(platformId);
  }

  /** Throws `Rejection('too_many_keys')` if the platform has the maximum number of active keys. */
  async mustHaveRoom(platformId: string): Promise<void> {
    const { rowCount } = await this.db.query(
      `SELECT FROM api_keys WHERE platform_id = $1 AND ${LIVE}`,
      [platformId],
    );
    if ((rowCount ?? 0) >= MAX_LIVE_KEYS) throw tooManyKeys(platformId);
  }

  async list(platformId?: string): Promise<readonly ApiKeyRow[]> {
    const { rows } = await this.db.query<ApiKeyRow>(
      `SELECT ${COLUMNS} FROM api_keys WHERE $1::text IS NULL OR platform_id = $1
        ORDER BY platform_id, created_at`,
      [platformId ?? null],
    );
    return rows;
  }

  /**
   * Returns false if no active key has this prefix. A revocation takes effect everywhere within a
   * few seconds.
   */
  async revoke(prefix: string): Promise<boolean> {
    const { rowCount } = await this.db.query(
      'UPDATE api_keys SET revoked_at = clock_timestamp() WHERE prefix = $1 AND revoked_at IS NULL',
      [prefix],
    );
    return rowCount === 1;
  }

  /** The given prefixes, without those whose keys are revoked or expired. */
  async liveOf(prefixes: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.db.query<{ prefix: string }>({
      name: 'api-keys-live',
      text: `SELECT prefix FROM api_keys WHERE prefix = ANY ($1) AND ${LIVE}`,
      values: [prefixes],
    });
    return new Set(rows.map(({ prefix }) => prefix));
  }

  /** The row of a key that is neither revoked nor expired. */
  async findLive(prefix: string): Promise<ApiKeyRow | null> {
    return (await this.findAllLive([prefix])).get(prefix) ?? null;
  }

  /** The rows of the keys that are neither revoked nor expired, by their prefixes. */
  async findAllLive(prefixes: readonly string[]): Promise<ReadonlyMap<string, ApiKeyRow>> {
    const { rows } = await this.db.query<ApiKeyRow>({
      name: 'api-keys-by-prefix',
      text: `SELECT ${COLUMNS} FROM api_keys WHERE prefix = ANY ($1) AND ${LIVE}`,
      values: [prefixes],
    });
    return new Map(rows.map((row) => [row.prefix, row]));
  }
}
