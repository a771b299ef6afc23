import { Inject, Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { inTransaction } from '#event-store';
import { assert, Rejection } from '#kernel';
import { type ApiKeyRow, ApiKeyStore, parseApiKey, type Scope } from '#platform';
import { Audit, type AuditEntry, type AuditOrigin } from '../audit/audit.js';

export interface NewApiKey {
  readonly platformId: string;
  readonly scopes: readonly Scope[];
  /** Wall time; null: it lasts until it is revoked. */
  readonly expiresAt: Date | null;
}

/** The key in full, never to be seen again. */
export interface MadeApiKey {
  readonly row: ApiKeyRow;
  readonly key: string;
}

const subjectOf = (prefix: string): AuditEntry['subject'] => ({ type: 'api_key', id: prefix });

/** What admins do to the keys of platforms; audited in the same transaction. */
@Injectable()
export class ApiKeys {
  constructor(@Inject(Pool) private readonly pool: Pool, private readonly audit: Audit) {}

  /** Throws `Rejection('invalid_platform' | 'invalid_expiry' | 'too_many_keys')`. */
  create(wanted: NewApiKey, origin: AuditOrigin, reason: string): Promise<MadeApiKey> {
    const { platformId, scopes, expiresAt } = wanted;
    if (expiresAt !== null && expiresAt.getTime() <= Date.now()) {
      throw new Rejection('invalid_expiry', 'a key expires in the future, or never');
    }
    return inTransaction(this.pool, async (client) => {
      await lockKeysOf(client, platformId);
      const keys = new ApiKeyStore(client);
      const key = await keys.create(platformId, scopes, expiresAt);
      const prefix = parseApiKey(key)?.prefix ?? '';
      const row = await keys.findLive(prefix);
      assert(row !== null, 'a key that was just made is live');
      const detail = { platformId, scopes, expiresAt: expiresAt?.toISOString() ?? null };
      const entry = { action: 'api_key.created', subject: subjectOf(prefix), reason, detail };
      await this.audit.record(origin, entry, client);
      return { row, key };
    });
  }

  /** Ends a key everywhere within seconds. Throws `Rejection('key_not_found')`. */
  revoke(prefix: string, origin: AuditOrigin, reason: string): Promise<void> {
    return inTransaction(this.pool, async (client) => {
      if (!(await new ApiKeyStore(client).revoke(prefix))) {
        throw new Rejection('key_not_found', 'there is no live key of this prefix');
      }
      const entry = { action: 'api_key.revoked', subject: subjectOf(prefix), reason };
      await this.audit.record(origin, entry, client);
    });
  }
}

/** Two admins at once are one after another: a platform has two live keys, not three. */
const lockKeysOf = (client: PoolClient, platformId: string): Promise<unknown> =>
  client.query(
    `SELECT pg_advisory_xact_lock(hashtextextended('api_keys ' || $1, 0))`, [platformId]);
