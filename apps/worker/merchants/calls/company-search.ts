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

/** A company that a creation of unknown outcome may have made. */
export interface SoughtCreation extends CompanyIdentity {
  readonly merchantId: string;
  readonly mode: MerchantMode;
  /** When it was first sent. */
  readonly since: Instant;
}

/** What a look has shown. Only what is found settles anything. */
export type SearchResult =
  | { readonly outcome: 'found'; readonly observation: CompanyObservation }
  /** It may be that of another merchant too, whose creation is open: a person must say whose. */
  | { readonly outcome: 'contested'; readonly rivalId: string }
  /** `unreadable` companies could not be looked at: any of them may be it. */
  | { readonly outcome: 'absent'; readonly unreadable: number };

export interface CompanySearchParts {
  readonly store: EventStore;
  readonly details: MerchantDetails;
  readonly unknownCalls: UnknownCalls;
  readonly now: () => Instant;
}

/** A company as it was read; `facts` is null for one that is there no more. */
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

/** A list that does not name a company yet costs its creation one look more, and no more. */
const LISTED_MS = 5 * SECOND_MS;
/** For so long a company that nobody claims is taken for the one that it was. */
const REMEMBERED_MS = HOUR_MS;
/** How many are remembered, in memory alone. */
const MAX_REMEMBERED = 10_000;

const identityOf = ({ contact, company }: CompanyDetails): CompanyIdentity => ({
  email: contact.email,
  registrationNumber: company.registrationNumber,
});

export const soughtBy = (
  details: CompanyDetails,
  creation: Pick<SoughtCreation, 'merchantId' | 'mode' | 'since'>,
): SoughtCreation => ({ ...creation, ...identityOf(details) });

/** One company that cannot be read says nothing of the others; a key or a rate does. */
const isOfOneCompany = (error: unknown): boolean =>
  isProviderError(error) && error.kind !== 'unauthorized' && error.kind !== 'rate_limited';

/**
 * Looks for companies as their creation is not heard of. Of those that were created since each that
 * no merchant has is read. Looks of one mode share what is asked: of many
 * creations at once each company is read once, and one that was somebody else's not again for an
 * hour.
 */
export class CompanySearch {
  private readonly listings = new Map<MerchantMode, Listing>();
  /** By company. */
  private readonly remembered = new Map<string, CompanyIdentity & { readonly readAt: Instant }>();
  private readonly readings = new Map<string, Promise<Reading>>();

  constructor(private readonly parts: CompanySearchParts) {}

  /** Throws a `ProviderError` when nothing was learnt. */
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
        return { outcome: 'found', observation: observationOfCompany(facts, 'read', readAt) };
      } catch (error) {
        if (!isOfOneCompany(error)) throw error;
        unreadable += 1;
      }
    }
    return { outcome: 'absent', unreadable };
  }

  private async unclaimed(mode: MerchantMode, ids: readonly string[]): Promise<readonly string[]> {
    const holders = await this.parts.store.holdersOf(companyScope(mode), ids);
    return ids.filter((id) => !holders.has(id));
  }

  /** Days more on both ends: clocks differ. */
  private list(client: Onboarding, { mode, since }: SoughtCreation): Created {
    const askedAt = this.parts.now();
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
    const now = this.parts.now();
    return past <= now && now < plusMs(past, ms);
  }

  private mayBe(companyId: string, sought: SoughtCreation): boolean {
    const known = this.remembered.get(companyId);
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
    const readAt = this.parts.now();
    const facts = await companyOrNull(client, companyId);
    if (facts !== null) this.remember(companyId, { ...facts.identity, readAt });
    return { readAt, facts };
  }

  private remember(companyId: string, found: CompanyIdentity & { readonly readAt: Instant }): void {
    if (this.remembered.size >= MAX_REMEMBERED) this.remembered.clear();
    this.remembered.set(companyId, found);
  }

  /**
   * Another merchant with an open creation that would take this company for its own. Asked after
   * the company was seen: whoever made it has an open creation since before, or has claimed it.
   */
  private async rivalOf(
    { merchantId, mode }: SoughtCreation,
    found: CompanyIdentity,
  ): Promise<string | null> {
    const { store, details, unknownCalls } = this.parts;
    for (const otherId of await unknownCalls.openCreations(mode)) {
      if (otherId === merchantId) continue;
      const { state: other } = await store.load(merchantAggregate, otherId);
      if (other.status === 'none' || other.detailsRef === null) continue;
      const known = await details.read(other.detailsRef);
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
