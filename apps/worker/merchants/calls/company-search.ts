import type { EventStore } from '#log';
import { HOUR_MS, type Instant, plusMs, SECOND_MS } from '#kernel';
import {
  addDays,
  companyScope,
  type CompanyObservation,
  isSought,
  merchantAggregate,
  type MerchantDetails,
  type MerchantMode,
  observationOfCompany,
  parisDay,
  REREAD_DAYS,
} from '#onboarding';
import {
  type CompanyDetails,
  type CompanyFacts,
  type CompanyIdentity,
  isProviderError,
  type Onboarding,
  ProviderRejected,
} from '#psp';
import type { UnknownCalls } from '../unknown-calls.js';

/** The company to search for: a creation call with an unknown result may have created it. */
export interface SoughtCreation extends CompanyIdentity {
  readonly merchantId: string;
  readonly mode: MerchantMode;
  /** When the creation call was first sent. */
  readonly since: Instant;
}

/** The result of a search for a company. Only `found` resolves the creation call. */
export type SearchResult =
  | {
      readonly outcome: 'found';
      readonly observation: CompanyObservation;
      /** Of the payout account; the provider masks it once the registration is complete. */
      readonly iban: string | null;
    }
  /**
   * A second merchant with an open creation matches the company too: an operator must decide which
   * merchant the company belongs to.
   */
  | { readonly outcome: 'contested'; readonly rivalId: string }
  /**
   * `unreadable`: the number of companies that could not be read; each may be the company searched
   * for.
   */
  | { readonly outcome: 'absent'; readonly unreadable: number };

/** A company as read from the provider; `facts` is null when the company no longer exists. */
interface Reading {
  readonly readAt: Instant;
  readonly facts: CompanyFacts | null;
}

type Created = ReturnType<Onboarding['createdCompanies']>;

interface Listing {
  readonly days: string;
  readonly askedAt: Instant;
  readonly created: Created;
}

/**
 * Searches within this time share one list of companies; a company that is added to the provider's
 * list afterwards is found by the next search.
 */
const LISTED_MS = 5 * SECOND_MS;
/**
 * The email and the registration number of a company that no merchant has claimed are cached for
 * this time, so that the company is not read again.
 */
const REMEMBERED_MS = HOUR_MS;
/** The maximum number of companies in this cache, which is in memory only. */
const MAX_CACHED = 10_000;

const identityOf = ({ contact, company }: CompanyDetails): CompanyIdentity => ({
  email: contact.email,
  registrationNumber: company.registrationNumber,
});

export const soughtBy = (
  details: CompanyDetails,
  creation: Pick<SoughtCreation, 'merchantId' | 'mode' | 'since'>,
): SoughtCreation => ({ ...creation, ...identityOf(details) });

/**
 * Whether an error concerns only one company, so that the search continues with the next company.
 * An invalid key or a rate limit ends the search.
 */
const isOfOneCompany = (error: unknown): boolean =>
  isProviderError(error) && error.kind !== 'unauthorized' && error.kind !== 'rate_limited';

/**
 * Searches for the companies of creation calls with an unknown result: reads each company that was
 * created since the call and that no merchant claims. Concurrent searches in one mode share lists
 * and reads, so that each company is read only once for many creations. A company that did not
 * match is not read again for an hour.
 */
export class CompanySearch {
  private readonly listings = new Map<MerchantMode, Listing>();
  /** The identities read from the provider, by company id. */
  private readonly cache = new Map<string, CompanyIdentity & { readonly readAt: Instant }>();
  private readonly readings = new Map<string, Promise<Reading>>();

  constructor(
    private readonly store: EventStore,
    private readonly details: MerchantDetails,
    private readonly unknownCalls: UnknownCalls,
    private readonly now: () => Instant,
  ) {}

  /** Throws a `ProviderError` when the list cannot be read. */
  async find(client: Onboarding, sought: SoughtCreation): Promise<SearchResult> {
    const { companyIds, unreadable: unlisted } = await this.list(client, sought);
    let unreadable = unlisted;
    for (const companyId of await this.unclaimed(sought.mode, companyIds)) {
      if (!this.mayBe(companyId, sought)) continue;
      try {
        const { facts, readAt } = await this.read(client, companyId);
        if (facts === null || !isSought(facts.identity, sought)) continue;
        const rivalId = await this.rivalOf(sought, facts.identity);
        if (rivalId !== null) return { outcome: 'contested', rivalId };
        const iban = facts.details.payoutAccount?.iban ?? null;
        const observation = observationOfCompany(facts, 'read', readAt);
        return { outcome: 'found', observation, iban };
      } catch (error) {
        if (!isOfOneCompany(error)) throw error;
        unreadable += 1;
      }
    }
    return { outcome: 'absent', unreadable };
  }

  private async unclaimed(mode: MerchantMode, ids: readonly string[]): Promise<readonly string[]> {
    const holders = await this.store.holdersOf(companyScope(mode), ids);
    return ids.filter((id) => !holders.has(id));
  }

  /** The list includes extra days at both ends, because clocks differ. */
  private list(client: Onboarding, { mode, since }: SoughtCreation): Created {
    const askedAt = this.now();
    const first = addDays(parisDay(since), -REREAD_DAYS);
    const end = addDays(parisDay(askedAt), REREAD_DAYS + 1);
    const days = `${first} ${end}`;
    const known = this.listings.get(mode);
    if (known?.days === days && this.isWithin(LISTED_MS, known.askedAt)) return known.created;
    const created = client.createdCompanies(first, end);
    const listing = { days, askedAt, created };
    this.listings.set(mode, listing);
    created.catch(() => {
      if (this.listings.get(mode) === listing) this.listings.delete(mode);
    });
    return created;
  }

  private isWithin(ms: number, past: Instant): boolean {
    const now = this.now();
    return past <= now && now < plusMs(past, ms);
  }

  private mayBe(companyId: string, sought: SoughtCreation): boolean {
    const known = this.cache.get(companyId);
    return (
      known === undefined || isSought(known, sought) || !this.isWithin(REMEMBERED_MS, known.readAt)
    );
  }

  private read(client: Onboarding, companyId: string): Promise<Reading> {
    const underWay = this.readings.get(companyId);
    if (underWay !== undefined) return underWay;
    const reading = this.readNow(client, companyId).finally(() => this.readings.delete(companyId));
    this.readings.set(companyId, reading);
    return reading;
  }

  private async readNow(client: Onboarding, companyId: string): Promise<Reading> {
    const readAt = this.now();
    const facts = await companyOrNull(client, companyId);
    if (facts !== null) this.keep(companyId, { ...facts.identity, readAt });
    return { readAt, facts };
  }

  private keep(companyId: string, found: CompanyIdentity & { readonly readAt: Instant }): void {
    if (this.cache.size >= MAX_CACHED) this.cache.clear();
    this.cache.set(companyId, found);
  }

  /**
   * Finds another merchant with an open creation call that matches the company. To be called after
   * the company was read: from then on, the merchant that created the company either has an open
   * creation call or has claimed the company.
   */
  private async rivalOf(
    { merchantId, mode }: SoughtCreation,
    found: CompanyIdentity,
  ): Promise<string | null> {
    for (const otherId of await this.unknownCalls.openCreations(mode)) {
      if (otherId === merchantId) continue;
      const { state: other } = await this.store.load(merchantAggregate, otherId);
      if (other.status === 'none' || other.detailsRef === null) continue;
      const known = await this.details.read(other.detailsRef);
      if (known !== null && isSought(found, identityOf(known))) return otherId;
    }
    return null;
  }
}

const companyOrNull = async (
  client: Onboarding,
  companyId: string,
): Promise<CompanyFacts | null> => {
  try {
    return await client.getCompany(companyId);
  } catch (error) {
    if (error instanceof ProviderRejected && error.status === 404) return null;
    throw error;
  }
};
