import { LRUCache } from 'lru-cache';
import { HOUR_MS, SECOND_MS } from '#kernel';
import type { ProviderAccount, ProviderAccounts } from '#psp';

/** A webhook that comes before its account is registered to the end comes again, and later. */
const ABSENT_MS = 5 * SECOND_MS;
const ABSENT_ACCOUNTS = 1_000;
/** Longer than the provider is silent about an account that is in use. */
const KNOWN_MS = HOUR_MS;
const KNOWN_ACCOUNTS = 10_000;

/** Whoever asks for the same unknown account again and again is answered from memory. */
export class WebhookSecrets {
  private readonly absent = new LRUCache<string, true>({ max: ABSENT_ACCOUNTS, ttl: ABSENT_MS });
  private readonly known = new LRUCache<string, true>({ max: KNOWN_ACCOUNTS, ttl: KNOWN_MS });

  constructor(private readonly accounts: Pick<ProviderAccounts, 'byId'>) {}

  /** The account, with what its webhooks are signed with; null when there is no such account. */
  async of(accountId: string): Promise<ProviderAccount | null> {
    if (!/^acc_[A-Za-z0-9]{1,64}$/.test(accountId) || this.absent.has(accountId)) return null;
    const account = await this.accounts.byId(accountId);
    (account === null ? this.absent : this.known).set(accountId, true);
    return account;
  }

  /** Whether the account was found lately: to ask for it is cheap, and no guess. */
  knows(accountId: string): boolean {
    return this.known.has(accountId);
  }
}
