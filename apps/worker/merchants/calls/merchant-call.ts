import type { CallOutcome, CallTools } from '#jobs';
import type { Instant } from '#kernel';
import {
  type CompanyObservation,
  isRegistered,
  type Merchant,
  type MerchantCommand,
  type MerchantDetails,
  observationOfCompany,
  type RegisteredMerchant,
} from '#onboarding';
import type { RegisterAccount } from '#operations';
import type {
  CompanyFacts,
  Onboarding,
  ProviderAccounts,
  ProviderRejected,
  TerminalFacts,
} from '#psp';
import type { CompanySearch } from './company-search.js';

/** What merchants' calls need beside the provider. */
export interface MerchantCallParts {
  readonly search: CompanySearch;
  readonly accounts: ProviderAccounts;
  readonly registerAccount: RegisterAccount;
  readonly details: MerchantDetails;
}

/** What a merchant's call works with. */
export interface MerchantContext extends CallTools {
  readonly merchantId: string;
  readonly merchant: Exclude<Merchant, { status: 'none' }>;
  readonly client: Onboarding;
  readonly parts: MerchantCallParts;
}

export type MerchantOutcome = CallOutcome<MerchantCommand>;

/** One kind of call. Throws a `ProviderError` where nothing was done and nothing was learnt. */
export type MerchantCallMaker = (context: MerchantContext) => Promise<MerchantOutcome>;

/** A call for a company that exists; `merchant` is it. */
export interface CompanyContext extends MerchantContext {
  readonly merchant: RegisteredMerchant;
}

export const ofCompany = (context: MerchantContext): CompanyContext | null => {
  const { merchant } = context;
  return isRegistered(merchant) ? { ...context, merchant } : null;
};

export const observeCompany = (observation: CompanyObservation, at: Instant): MerchantCommand => ({
  type: 'ObserveCompanyStatus',
  observation,
  at,
});

/** How the company stands now, for the one door. */
export const readCompany = async ({
  client,
  merchant,
  now,
}: CompanyContext): Promise<{
  readonly facts: CompanyFacts;
  readonly command: MerchantCommand;
}> => {
  const readAt = now();
  const facts = await client.getCompany(merchant.companyId);
  return { facts, command: observeCompany(observationOfCompany(facts, 'read', readAt), now()) };
};

export const observeTerminals = (
  terminals: readonly TerminalFacts[],
  readAt: Instant,
  at: Instant,
): MerchantCommand => ({ type: 'ObserveTerminals', terminals, readAt, at });

/** Why it was refused, e.g. `email_unavailable`, and none of the provider's words. */
export const reasonOf = ({ code, status }: ProviderRejected): string => code ?? `http_${status}`;
