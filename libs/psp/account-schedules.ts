import { type Instant, SECOND_MS } from '#kernel';
import { type AccountMode, chooseAccount, type ScheduleLine } from './provider-account.js';
import { RecentCache } from './recent-cache.js';

/** The merchant that a new order pays, with the mode of the merchant's account. */
export interface Payee {
  readonly platformId: string;
  readonly merchantId: string;
  readonly mode?: AccountMode;
}

/** Reads the schedule of a merchant's accounts, ordered by time; empty without an account. */
export type ReadSchedule = (
  platformId: string,
  merchantId: string,
) => Promise<readonly ScheduleLine[]>;

const CACHED_MERCHANTS = 1_000;
/**
 * How long a process caches which account a merchant's new orders use. After this time a disabled
 * account accepts no orders in any process.
 */
const CACHED_MS = 5 * SECOND_MS;

/** Which account the new orders of each merchant use. */
export class AccountSchedules {
  readonly #cached = new RecentCache<readonly ScheduleLine[]>(CACHED_MERCHANTS, CACHED_MS);

  constructor(private readonly read: ReadSchedule) {}

  /**
   * The id of the account that a new order of the merchant uses, or null. Throws
   * `Rejection('mode_required')` if the merchant has accounts in both modes and `mode` is missing,
   * and `Rejection('account_disabled')` if the account accepts no orders.
   */
  async forOrder({ platformId, merchantId, mode }: Payee, at: Instant): Promise<string | null> {
    const cacheKey = JSON.stringify([platformId, merchantId]);
    const lines = await this.#cached.get(cacheKey, async () => {
      const found = await this.read(platformId, merchantId);
      return found.length === 0 ? null : found;
    });
    return chooseAccount(lines ?? [], mode, at);
  }

  clear(): void {
    this.#cached.clear();
  }
}
