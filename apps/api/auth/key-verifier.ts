import { LRUCache } from 'lru-cache';
import { type ApiKeyRow, type ApiKeyStore, parseApiKey, provesKey, type Scope } from '#platform';

/**
 * The caller: `platformId` decides which data the caller sees, `scopes` which routes the caller may
 * use.
 */
export interface Caller {
  readonly platformId: string;
  readonly keyPrefix: string;
  readonly scopes: ReadonlySet<string>;
}

/**
 * How long a key is cached, and thus how long a revoked key may still work. For open streams
 * `LiveKeys` checks the keys.
 */
const REMEMBERED_MS = 5_000;
const MAX_CACHED = 10_000;

/**
 * Verifies API keys. The database row of a key, or its absence, is cached for 5 s. The secret of
 * each request is compared with the row.
 */
export class KeyVerifier {
  private readonly cache = new LRUCache<string, Promise<ApiKeyRow | null>>({
    max: MAX_CACHED,
    ttl: REMEMBERED_MS,
  });

  constructor(private readonly store: Pick<ApiKeyStore, 'findLive'>) {}

  /** Returns the caller of the key, or null. Rejects when the keys cannot be read. */
  async verify(keyText: string): Promise<Caller | null> {
    const key = parseApiKey(keyText);
    if (key === null) return null;
    const row = await this.rowOf(key.prefix);
    if (row === null || !provesKey(key.secret, row.hash)) return null;
    if (row.expiresAt !== null && row.expiresAt.getTime() <= Date.now()) return null;
    return { platformId: row.platformId, keyPrefix: row.prefix, scopes: new Set(row.scopes) };
  }

  private rowOf(prefix: string): Promise<ApiKeyRow | null> {
    const known = this.cache.get(prefix);
    if (known !== undefined) return known;
    const row = this.store.findLive(prefix);
    this.cache.set(prefix, row);
    // A failed read is not cached: the next request reads again.
    row.catch(() => this.cache.delete(prefix));
    return row;
  }
}

export const may = (caller: Caller, scope: Scope): boolean => caller.scopes.has(scope);
