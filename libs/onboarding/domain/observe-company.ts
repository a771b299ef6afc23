import type { Instant } from '#kernel';
import { assert } from '#kernel';
import { isCompanyStatus } from './company-status.js';
import type { CompanyObservation, MerchantCommand } from './merchant-command.js';
import type { MerchantEvent } from './merchant-event.js';
import { evolve, mismatchKey } from './merchant-evolve.js';
import { isRegistered, type Merchant, type RegisteredMerchant } from './merchant.js';
import { parisDay } from './paris-day.js';
import { isKnownRow, isNews, newestOf, type Sighting, withSighting } from './sighting.js';

type Mismatch = Extract<MerchantEvent, { type: 'CompanyMismatchObserved' }>;

const told = (
  aspect: Mismatch['aspect'],
  expected: string,
  observed: string,
  at: Instant,
): Mismatch => ({ type: 'CompanyMismatchObserved', aspect, expected, observed, at });

/** Null for an unknown status: it is recorded, and otherwise ignored. */
const sightingOf = ({
  status,
  terminatedByProvider,
  seen,
}: CompanyObservation): Sighting | null => {
  if (!isCompanyStatus(status)) return null;
  const { source, readAt } = seen;
  const day = seen.source === 'history' ? seen.day : parisDay(readAt);
  return { day, status, terminatedByProvider, source, readAt };
};

const accountNews = (
  merchant: RegisteredMerchant,
  { companyAccountId: seen }: CompanyObservation,
  at: Instant,
): readonly MerchantEvent[] => {
  const { companyAccountId: known } = merchant;
  if (seen === null || seen === known) return [];
  if (known !== null) return [told('account', known, seen, at)];
  return [{ type: 'CompanyAccountObserved', companyAccountId: seen, at }];
};

/** Possible, and followed; but an operator must review it. */
const oddities = (merchant: RegisteredMerchant, seen: Sighting, at: Instant): Mismatch[] => {
  const today = parisDay(seen.readAt);
  const isAhead = seen.day > today;
  const revives =
    merchant.status === 'closed' &&
    seen.status !== 'closed' &&
    newestOf(withSighting(merchant.sightings, seen))?.status === seen.status;
  return [
    ...(isAhead ? [told('day', today, seen.day, at)] : []),
    ...(revives ? [told('status', 'closed', seen.status, at)] : []),
  ];
};

const statusNews = (
  merchant: RegisteredMerchant,
  seen: Sighting,
  at: Instant,
): readonly MerchantEvent[] => {
  if (!isNews(merchant.sightings, seen)) return [];
  const before = newestOf(merchant.sightings);
  const after = newestOf(withSighting(merchant.sightings, seen));
  if (before?.status !== after?.status) return [{ type: 'CompanyStatusChanged', ...seen, at }];
  if (before?.readAt !== after?.readAt || before?.day !== after?.day) {
    return [{ type: 'CompanyStatusConfirmed', ...seen, at }];
  }
  return [{ type: 'EarlierStatusObserved', ...seen, at }];
};

const companyNews = (
  merchant: RegisteredMerchant,
  observation: CompanyObservation,
  at: Instant,
): readonly MerchantEvent[] => {
  const { companyId, status } = observation;
  if (companyId !== merchant.companyId) {
    return [told('company', merchant.companyId, companyId, at)];
  }
  const account = accountNews(merchant, observation, at);
  const seen = sightingOf(observation);
  if (seen === null) return [...account, told('status', merchant.status, status, at)];
  return [...account, ...oddities(merchant, seen, at), ...statusNews(merchant, seen, at)];
};

/**
 * Orders are accepted while the company is `available` and its keys are stored: before, its keys
 * are not active; afterwards it is about to end. docs/provider/onboarding.md#company-status.
 */
export const openingOf = (merchant: Merchant, at: Instant): readonly MerchantEvent[] => {
  if (!isRegistered(merchant)) return [];
  const { status, accounts, ordersEnabled } = merchant;
  const isOpen = status === 'available' && accounts.length > 0;
  if (isOpen === ordersEnabled) return [];
  return isOpen
    ? [{ type: 'MerchantEnabled', at }]
    : [{ type: 'MerchantDisabled', reason: status, at }];
};

/** Whether an observed company is the requested one, however late the request was executed. */
const mayExist = (merchant: Exclude<Merchant, { status: 'none' }>): boolean =>
  merchant.status === 'requested' || (!isRegistered(merchant) && merchant.attemptedAt !== null);

/**
 * Ingests the provider's facts about a company. The newest fact has the status, ordered by day and
 * then by time of observation; a review may go back, so a later step of the life is not newer.
 * Older facts fill the timeline, repeated ones change nothing, mismatches are recorded once and
 * reject nothing. So every order, loss or repetition of the same facts ends in the same status.
 */
export const observeCompany = (
  before: Exclude<Merchant, { status: 'none' }>,
  { observation, at }: MerchantCommand & { type: 'ObserveCompanyStatus' },
): readonly MerchantEvent[] => {
  const events: MerchantEvent[] = [];
  let merchant: Merchant = before;
  const tell = (event: MerchantEvent): void => {
    if (event.type === 'CompanyMismatchObserved') {
      assert(merchant.status !== 'none', 'what is observed was drafted');
      if (merchant.mismatches.includes(mismatchKey(event))) return;
    }
    events.push(event);
    merchant = evolve(merchant, event);
  };
  const { companyId } = observation;
  if (!isRegistered(before)) {
    if (!mayExist(before)) {
      tell(told('company', before.status, companyId, at));
      return events;
    }
    tell({ type: 'CompanyRegistered', companyId, at });
    if (before.unknown.includes('create_company')) {
      tell({ type: 'CompanyRequestResultResolved', request: 'create_company', at });
    }
  }
  const current: Merchant = merchant;
  assert(isRegistered(current), 'what is observed exists');
  companyNews(current, observation, at).forEach(tell);
  openingOf(merchant, at).forEach(tell);
  return events;
};

/** Whether a row of the history adds nothing about the company: it may be skipped. */
export const isKnownChange = (merchant: Merchant, observation: CompanyObservation): boolean => {
  if (!isRegistered(merchant) || merchant.companyId !== observation.companyId) return false;
  const seen = sightingOf(observation);
  return seen !== null && isKnownRow(merchant.sightings, seen);
};
