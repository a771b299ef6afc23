import type { PoolClient } from 'pg';
import { assert, Rejection } from '#kernel';
import { recordAudit, type AuditEntry, type AuditOrigin } from '#operations';
import { type ApiKeyRow, ApiKeyStore, checkPlatformId, type Scope } from '#platform';

export interface WantedApiKey {
  readonly platformId: string;
  readonly scopes: readonly Scope[];
  /** When the key expires; null: no expiry. */
  readonly expiresAt: Date | null;
}

/** An API key as it is stored, with the hash of its secret. */
export interface HashedApiKey extends WantedApiKey {
  readonly prefix: string;
  readonly secretHash: Buffer;
}

/** The actor and reason of a key's change, for the audit log. */
export interface KeyDeed {
  readonly origin: AuditOrigin;
  readonly reason: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

const subjectOf = (prefix: string): AuditEntry['subject'] => ({ type: 'api_key', id: prefix });

/**
 * Checks the platform id and the expiry of a new key. Throws `Rejection('invalid_platform' |
 * 'invalid_expiry')`.
 */
export const mustBePossible = ({ platformId, expiresAt }: WantedApiKey): void => {
  checkPlatformId(platformId);
  if (expiresAt !== null && expiresAt.getTime() <= Date.now()) {
    throw new Rejection('invalid_expiry', 'the expiry must be in the future, or absent');
  }
};

/**
 * Locks a platform's keys, so that concurrent creations cannot exceed the maximum number of
 * active keys.
 */
const lockKeysOf = (client: PoolClient, platformId: string): Promise<unknown> =>
  client.query(`SELECT pg_advisory_xact_lock(hashtextextended('api_keys ' || $1, 0))`, [
    platformId,
  ]);

/**
 * Stores a key with its audit entry. Throws like `mustBePossible`, and
 * `Rejection('too_many_keys')`.
 */
export const insertKey = async (
  client: PoolClient,
  key: HashedApiKey,
  { origin, reason, detail }: KeyDeed,
): Promise<ApiKeyRow> => {
  mustBePossible(key);
  const { platformId, scopes, expiresAt, prefix, secretHash } = key;
  await lockKeysOf(client, platformId);
  const keys = new ApiKeyStore(client);
  await keys.insert({ prefix, platformId, hash: secretHash, scopes, expiresAt });
  const row = await keys.findLive(prefix);
  assert(row !== null, 'a key that was just created is live');
  await recordAudit(client, origin, {
    action: 'api_key.created',
    subject: subjectOf(prefix),
    reason,
    detail: { platformId, scopes, expiresAt: expiresAt?.toISOString() ?? null, ...detail },
  });
  return row;
};

/**
 * Revokes a key; within seconds every process rejects the key. Throws `Rejection('key_not_found')`.
 */
export const revokeKey = async (
  client: PoolClient,
  prefix: string,
  origin: AuditOrigin,
  reason: string,
): Promise<void> => {
  if (!(await new ApiKeyStore(client).revoke(prefix))) {
    throw new Rejection('key_not_found', 'no active key with this prefix');
  }
  await recordAudit(client, origin, {
    action: 'api_key.revoked',
    subject: subjectOf(prefix),
    reason,
  });
};
