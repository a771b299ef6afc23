import type { EventStore } from '#event-store';
import type { Instant } from '#kernel';
import {
  addDays, companyScope, type CompanyObservation, isSought, type MerchantMode,
  observationOfCompany, parisDay, type SoughtCompany,
} from '#onboarding';
import {
  type CreateCompanyBody, type OnboardingClient, ProviderRejected, type WireCompanyAnswer,
} from '#provider';

/** A company that a creation of unknown outcome may have made. */
export interface SoughtCreation extends SoughtCompany {
  readonly mode: MerchantMode;
  /** When it was first sent. */
  readonly since: Instant;
}

export const soughtBy = (
  details: CreateCompanyBody, mode: MerchantMode, since: Instant,
): SoughtCreation => ({
  mode, since, email: details.user.contact.email, legalId: details['legal-id'],
});

/** Null for a company that is gone. */
const read = async (
  client: OnboardingClient, companyId: string,
): Promise<WireCompanyAnswer | null> => {
  try {
    return await client.getCompany(companyId);
  } catch (error) {
    if (error instanceof ProviderRejected && error.status === 404) return null;
    throw error;
  }
};

/**
 * Looks for a company as its creation is not heard of: it is the first row of the company's history
 * (completion), so whatever became of it since, the days from the creation on name it. Of these
 * companies each that no merchant has is read. A day more on both ends: clocks differ.
 *
 * Throws a `ProviderError` when nothing was learnt.
 */
export const findCompany = async (
  client: OnboardingClient, store: EventStore, sought: SoughtCreation, now: () => Instant,
): Promise<CompanyObservation | null> => {
  const since = addDays(parisDay(sought.since), -1);
  const rows = await client.statusHistory(since, addDays(parisDay(now()), 2));
  const ids = [...new Set(rows.map(({ id }) => id))];
  const holders = await store.holdersOf(companyScope(sought.mode), ids);
  for (const companyId of ids.filter((id) => !holders.has(id))) {
    const readAt = now();
    const answer = await read(client, companyId);
    if (answer === null) continue;
    const { company, user } = answer;
    const found = { email: user.contact.email, legalId: company['legal-id'] };
    if (isSought(found, sought)) return observationOfCompany(answer, 'read', readAt);
  }
  return null;
};
