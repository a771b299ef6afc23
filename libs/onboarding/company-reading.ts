import type { StepBuilder } from '#log';
import type { Instant } from '#kernel';
import type { CompanyFacts, ProgressFacts, StatusChangeFacts } from '#psp';
import type { CompanyObservation } from './domain/merchant-command.js';
import type { MerchantMode } from './domain/merchant-event.js';
import { isRegistered, type Merchant } from './domain/merchant.js';
import { parseDay } from './domain/paris-day.js';
import { merchantAggregate } from './domain/merchant-aggregate.js';

/** What a GET of the company, or the answer to a call that gives it, shows. */
export const observationOfCompany = (
  { companyId, companyAccountId, status }: CompanyFacts,
  source: 'read' | 'answer',
  readAt: Instant,
): CompanyObservation => ({
  companyId,
  companyAccountId,
  status,
  terminatedByService: null,
  seen: { source, readAt },
});

/** What a row of the status history shows. */
export const observationOfRow = (
  { companyId, day, status, terminatedByService }: StatusChangeFacts,
  readAt: Instant,
): CompanyObservation => ({
  companyId,
  companyAccountId: null,
  status,
  terminatedByService,
  seen: { source: 'history', day: parseDay(day), readAt },
});

/** What the registration still lacks, in the order of its steps. */
export const missingOf = ({ steps }: ProgressFacts): readonly string[] => [
  ...new Set(steps.flatMap(({ missing }) => missing)),
];

/** Of the reservations by which a company is known to be one merchant's alone. */
export const companyScope = (mode: MerchantMode): string => `merchant.company ${mode}`;

/**
 * The one door for what the provider tells of a company: a row of the history, a GET, a call's
 * answer. A company that shows up for the first time is the merchant's from this step on; the step
 * fails with `ReservationTaken` when it is another's.
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
