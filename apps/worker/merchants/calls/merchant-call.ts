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
import type { LostTime } from '#payment';
import type {
  CompanyFacts,
  Onboarding,
  ProviderAccounts,
  ProviderRejected,
  TerminalFacts,
} from '#psp';
import type { CompanySearch } from './company-search.js';

/** The dependencies of merchant calls besides the provider's client. */
export interface MerchantCallParts {
  readonly search: CompanySearch;
  readonly accounts: ProviderAccounts;
  readonly registerAccount: RegisterAccount;
  readonly details: MerchantDetails;
  /** The periods whose events database restores have lost, as long as requests may repeat them. */
  readonly lostTimes: () => Promise<readonly LostTime[]>;
}

/** The inputs of a merchant's call. */
export interface MerchantContext extends CallTools {
  readonly merchantId: string;
  readonly merchant: Exclude<Merchant, { status: 'none' }>;
  readonly client: Onboarding;
  readonly parts: MerchantCallParts;
}

export type MerchantOutcome = CallOutcome<MerchantCommand>;

/**
 * A function that executes one kind of merchant call. Throws a `ProviderError` when the call had no
 * effect and nothing is to be recorded.
 */
export type MerchantCallMaker = (context: MerchantContext) => Promise<MerchantOutcome>;

/** The context of a call for a registered company. */
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

/** Reads the company's status from the provider, as an observation to ingest. */
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

/** The reason of a refusal, e.g. `email_unavailable`, without the provider's message. */
export const reasonOf = ({ code, status }: ProviderRejected): string => code ?? `http_${status}`;
