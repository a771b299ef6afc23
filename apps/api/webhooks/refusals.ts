import { LRUCache } from 'lru-cache';
import { SECOND_MS } from '#kernel';

const WINDOW_MS = 10 * SECOND_MS;
const ADDRESSES = 10_000;
/** More than a provider's tries for one account whose secret does not fit. */
const REFUSED_AT_MOST = 50;

/**
 * Who sends webhooks that are not accepted, by remote address. An address that has sent too many is
 * not shut out, since behind a proxy of ours the provider comes from the same one as everybody: it
 * is heard for the accounts that we know, and no other is looked up for it.
 */
export class Refusals {
  private readonly counts = new LRUCache<string, { count: number }>({
    max: ADDRESSES,
    ttl: WINDOW_MS,
  });

  count(address: string): void {
    const known = this.counts.get(address);
    if (known === undefined) this.counts.set(address, { count: 1 });
    else known.count += 1;
  }

  /** Seconds after which to come back when they are too many, else null. */
  waitOf(address: string): number | null {
    const known = this.counts.get(address);
    if (known === undefined || known.count <= REFUSED_AT_MOST) return null;
    return Math.max(1, Math.ceil(this.counts.getRemainingTTL(address) / SECOND_MS));
  }
}
