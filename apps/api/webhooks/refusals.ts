import { LRUCache } from 'lru-cache';
import { SECOND_MS } from '#kernel';

const WINDOW_MS = 10 * SECOND_MS;
const ADDRESSES = 10_000;
/**
 * The maximum number of refused webhooks per IP address and time window: more than the provider
 * sends for one account with a wrong secret.
 */
const REFUSED_AT_MOST = 50;

/**
 * Counts refused webhooks by remote IP address. An address above the limit is not blocked, because
 * behind a proxy the provider has the same IP address as every other sender: webhooks for known
 * accounts are still accepted, but the database is no longer queried for other account ids.
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

  /** If the IP address has too many refused webhooks, the seconds to wait; else null. */
  waitOf(address: string): number | null {
    const known = this.counts.get(address);
    if (known === undefined || known.count <= REFUSED_AT_MOST) return null;
    return Math.max(1, Math.ceil(this.counts.getRemainingTTL(address) / SECOND_MS));
  }
}
