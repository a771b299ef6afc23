import { LRUCache } from 'lru-cache';
import {
  type ApiKeyRow,
  type ApiKeyStore,
  CoalescedReads,
  parseApiKey,
  provesKey,
  type Scope,
} from '#platform';

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
const MAX_ABSENT = 1_000;

/**
 * Verifies API keys. The database row of a key, or its absence, is cached for 5 s. The secret of
 * each request is compared with the row. Requests that arrive during a read share the next one, and
 * absent keys have a separate cache: many invented keys neither use up the database connections nor
 * displace the keys that exist.
 */
export class KeyVerifier {
  private readonly known = new LRUCache<string, ApiKeyRow>({ max: MAX_CACHED, ttl: REMEMBERED_MS });
  private readonly absent = new LRUCache<string, true>({ max: MAX_ABSENT, ttl: REMEMBERED_MS });
  private readonly reads: CoalescedReads<ApiKeyRow>;

  constructor(store: Pick<ApiKeyStore, 'findAllLive'>) {
    this.reads = new CoalescedReads((prefixes) => store.findAllLive(prefixes));
  }

  /** Returns the caller of the key, or null. Rejects when the keys cannot be read. */
  async verify(keyText: string): Promise<Caller | null> {
    const key = parseApiKey(keyText);
    if (key === null) return null;
    const row = await this.rowOf(key.prefix);
    if (row === null || !provesKey(key.secret, row.hash)) return null;
    if (row.expiresAt !== null && row.expiresAt.getTime() <= Date.now()) return null;
    return { platformId: row.platformId, keyPrefix: row.prefix, scopes: new Set(row.scopes) };
  }

  private async rowOf(prefix: string): Promise<ApiKeyRow | null> {
    const known = this.known.get(prefix);
    if (known !== undefined) return known;
    if (this.absent.has(prefix)) return null;
    const row = await this.reads.get(prefix);
    if (row === null) this.absent.set(prefix, true);
    else this.known.set(prefix, row);
    return row;
  }
}

export const may = (caller: Caller, scope: Scope): boolean => caller.scopes.has(scope);
