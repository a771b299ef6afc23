import type { PoolClient } from 'pg';
import { assert, Rejection } from '#kernel';
import { recordAudit } from '#operations';
import { type ApiKeyRow, ApiKeyStore, checkPlatformId, type Scope } from '#platform';
import type { AuditEntry, AuditOrigin } from '../shared/audit.js';

export interface WantedApiKey {
  readonly platformId: string;
  readonly scopes: readonly Scope[];
  /** Wall time; null: it lasts until it is revoked. */
  readonly expiresAt: Date | null;
}

/** A key as it is stored: of its secret the hash alone. */
export interface HashedApiKey extends WantedApiKey {
  readonly prefix: string;
  readonly secretHash: Buffer;
}

/** Who changes a key, and why: in the audit. */
export interface KeyDeed {
  readonly origin: AuditOrigin;
  readonly reason: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

const subjectOf = (prefix: string): AuditEntry['subject'] => ({ type: 'api_key', id: prefix });

/** Throws `Rejection('invalid_platform' | 'invalid_expiry')`. */
export const mustBePossible = ({ platformId, expiresAt }: WantedApiKey): void => {
  checkPlatformId(platformId);
  if (expiresAt !== null && expiresAt.getTime() <= Date.now()) {
    throw new Rejection('invalid_expiry', 'a key expires in the future, or never');
  }
};

/** Two at once are one after another: a platform has two live keys, not three. */
const lockKeysOf = (client: PoolClient, platformId: string): Promise<unknown> =>
  client.query(`SELECT pg_advisory_xact_lock(hashtextextended('api_keys ' || $1, 0))`, [
    platformId,
  ]);

/** With its entry of the audit. Throws as `mustBePossible`, and `Rejection('too_many_keys')`. */
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
  assert(row !== null, 'a key that was just made is live');
  await recordAudit(client, origin, {
    action: 'api_key.created',
    subject: subjectOf(prefix),
    reason,
    detail: { platformId, scopes, expiresAt: expiresAt?.toISOString() ?? null, ...detail },
  });
  return row;
};

/** Ends a key everywhere within seconds. Throws `Rejection('key_not_found')`. */
export const revokeKey = async (
  client: PoolClient,
  prefix: string,
  origin: AuditOrigin,
  reason: string,
): Promise<void> => {
  if (!(await new ApiKeyStore(client).revoke(prefix))) {
    throw new Rejection('key_not_found', 'there is no live key of this prefix');
  }
  await recordAudit(client, origin, {
    action: 'api_key.revoked',
    subject: subjectOf(prefix),
    reason,
  });
};
