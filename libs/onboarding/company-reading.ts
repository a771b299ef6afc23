import type { StepBuilder } from '#log';
import type { Instant } from '#kernel';
import type { WireCompanyAnswer, WireProgress, WireStatusChange } from '#psp-hosted';
import type { CompanyObservation } from './domain/merchant-command.js';
import type { MerchantMode } from './domain/merchant-event.js';
import { isRegistered, type Merchant } from './domain/merchant.js';
import { parseDay } from './domain/paris-day.js';
import { merchantAggregate } from './domain/merchant-aggregate.js';

/** What a GET of the company, or the answer to a call that gives it, shows. */
export const observationOfCompany = (
  { company }: WireCompanyAnswer, source: 'read' | 'answer', readAt: Instant,
): CompanyObservation => ({
  companyId: company.id,
  companyAccountId: company.accounts[0]?.id ?? null,
  status: company.status,
  terminatedByService: null,
  seen: { source, readAt },
});

/** What a row of the status history shows. */
export const observationOfRow = (row: WireStatusChange, readAt: Instant): CompanyObservation => ({
  companyId: row.id,
  companyAccountId: null,
  status: row.status,
  terminatedByService: row['terminated-by-service'],
  seen: { source: 'history', day: parseDay(row['date-update']), readAt },
});

/**
 * What the registration still lacks, in the order of its steps. A field and a document may have one
 * name, e.g. `iban`: documents go by `documents.iban` (completion, "registration-progress").
 */
export const missingOf = ({ steps }: WireProgress): readonly string[] =>
  [...new Set(steps.flatMap(({ code, missing }) =>
    code === 'documents' ? missing.map((document) => `${code}.${document}`) : missing))];

/** Of the reservations by which a company is known to be one merchant's alone. */
export const companyScope = (mode: MerchantMode): string => `merchant.company ${mode}`;

/**
 * The one door for what the provider tells of a company: a row of the history, a GET, a call's
 * answer. A company that shows up for the first time is the merchant's from this step on; the step
 * fails with `ReservationTaken` when it is another's.
 */
export const observeCompanyStatus = async (
  step: StepBuilder, merchantId: string, observation: CompanyObservation, at: Instant,
): Promise<Merchant> => {
  const before = await step.load(merchantAggregate, merchantId);
  const after = await step.execute(merchantAggregate, merchantId, {
    type: 'ObserveCompanyStatus', observation, at,
  });
  if (isRegistered(after) && !isRegistered(before)) {
    const { companyId: key, terms } = after;
    step.reserve({ scope: companyScope(terms.mode), key, holder: merchantId });
  }
  return after;
};
