import type { StepBuilder } from '#log';
import type { Instant } from '#kernel';
import type { CompanyFacts, ProgressFacts, StatusChangeFacts } from '#psp';
import type { CompanyObservation } from './domain/merchant-command.js';
import type { MerchantMode } from './domain/merchant-event.js';
import { isRegistered, type Merchant } from './domain/merchant.js';
import { parseDay } from './domain/paris-day.js';
import { merchantAggregate } from './domain/merchant-aggregate.js';

/**
 * A status observation from a GET of the company, or from the response to a request that returns
 * the company.
 */
export const observationOfCompany = (
  { companyId, companyAccountId, status }: CompanyFacts,
  source: 'read' | 'response',
  readAt: Instant,
): CompanyObservation => ({
  companyId,
  companyAccountId,
  status,
  terminatedByProvider: null,
  seen: { source, readAt },
});

/** A status observation from a row of the status history. */
export const observationOfRow = (
  { companyId, day, status, terminatedByProvider }: StatusChangeFacts,
  readAt: Instant,
): CompanyObservation => ({
  companyId,
  companyAccountId: null,
  status,
  terminatedByProvider,
  seen: { source: 'history', day: parseDay(day), readAt },
});

/** The missing items of the registration, in the order of the registration's steps. */
export const missingOf = ({ steps }: ProgressFacts): readonly string[] => [
  ...new Set(steps.flatMap(({ missing }) => missing)),
];

/**
 * The scope in which company ids are reserved, so that a company belongs to at most one merchant of
 * the same mode (test or live).
 */
export const companyScope = (mode: MerchantMode): string => `merchant.company ${mode}`;

/**
 * Ingests what the provider shows about a company, whatever the source: a row of the status
 * history, a GET, or the response to a request. The first observation reserves the company for the
 * merchant. The step fails with `ReservationTaken` if the company belongs to another merchant.
 */
export const observeCompanyStatus = async (
  step: StepBuilder,
  merchantId: string,
  observation: CompanyObservation,
  at: Instant,
): Promise<Merchant> => {
  const before = await step.load(merchantAggregate, merchantId);
  const after = await step.execute(merchantAggregate, merchantId, {
    type: 'ObserveCompanyStatus',
    observation,
    at,
  });
  if (isRegistered(after) && !isRegistered(before)) {
    const { companyId: key, terms } = after;
    step.reserve({ scope: companyScope(terms.mode), key, holder: merchantId });
  }
  return after;
};
