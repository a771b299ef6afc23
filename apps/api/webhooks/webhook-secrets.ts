import { LRUCache } from 'lru-cache';
import { HOUR_MS, SECOND_MS } from '#kernel';
import type { ProviderAccount, ProviderAccounts } from '#psp';

/**
 * How long the absence of an account is cached: shorter than the time to the provider's first
 * redelivery, because a webhook may arrive before its account's registration has ended.
 */
const ABSENT_MS = 5 * SECOND_MS;
const ABSENT_ACCOUNTS = 1_000;
/**
 * How long a found account is cached: longer than the usual pause between webhooks of an account in
 * use.
 */
const KNOWN_MS = HOUR_MS;
const KNOWN_ACCOUNTS = 10_000;

/** The accounts' webhook secrets. Repeated requests for an unknown account hit the cache. */
export class WebhookSecrets {
  private readonly absent = new LRUCache<string, true>({ max: ABSENT_ACCOUNTS, ttl: ABSENT_MS });
  private readonly known = new LRUCache<string, true>({ max: KNOWN_ACCOUNTS, ttl: KNOWN_MS });

  constructor(private readonly accounts: Pick<ProviderAccounts, 'byId'>) {}

  /** Returns the account with its webhook secret; null when the account does not exist. */
  async of(accountId: string): Promise<ProviderAccount | null> {
    if (!/^acc_[A-Za-z0-9]{1,64}$/.test(accountId) || this.absent.has(accountId)) return null;
    const account = await this.accounts.byId(accountId);
    (account === null ? this.absent : this.known).set(accountId, true);
    return account;
  }

  /**
   * Whether the account was found recently; if so, a query for its id cannot be an attempt to guess
   * ids.
   */
  knows(accountId: string): boolean {
    return this.known.has(accountId);
  }
}
