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

/** Null for a status that we do not know: it is recorded, and taken for no status at all. */
const sightingOf = ({ status, terminatedByService, seen }: CompanyObservation): Sighting | null => {
  if (!isCompanyStatus(status)) return null;
  const { source, readAt } = seen;
  const day = seen.source === 'history' ? seen.day : parisDay(readAt);
  return { day, status, terminatedByService, source, readAt };
};

const accountNews = (
  merchant: RegisteredMerchant,
  { companyAccountId: seen }: CompanyObservation,
  at: Instant,
): readonly MerchantEvent[] => {
  const { companyAccountId: known } = merchant;
  if (seen === null || seen === known) return [];
  if (known !== null) return [told('account', known, seen, at)];
  return [{ type: 'CompanyAccountFound', companyAccountId: seen, at }];
};

/** Possible, and followed; but a person should know. */
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
  return [{ type: 'EarlierStatusFound', ...seen, at }];
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
 * Orders are taken while the company is `available` and its keys are with us: before, its keys are
 * not active; afterwards it is about to end. docs/provider/onboarding.md#company-status.
 */
export const openingOf = (merchant: Merchant, at: Instant): readonly MerchantEvent[] => {
  if (!isRegistered(merchant)) return [];
  const { status, accounts, openForOrders } = merchant;
  const isOpen = status === 'available' && accounts.length > 0;
  if (isOpen === openForOrders) return [];
  return isOpen
    ? [{ type: 'MerchantOpened', at }]
    : [{ type: 'MerchantClosed', reason: status, at }];
};

/** Whether a company that shows up is the one that was asked for, however late the call was. */
const mayExist = (merchant: Exclude<Merchant, { status: 'none' }>): boolean =>
  merchant.status === 'requested' || (!isRegistered(merchant) && merchant.attemptedAt !== null);

/**
 * The one door for what the provider tells of a company. The newest fact has the status, ordered by
 * day and then by when it was read; a review may go back, so nothing is newer for being further on.
 * Older facts fill the timeline, known ones change nothing, contradictions are told once and
 * reject nothing. So any order, loss or repetition that has the same facts ends in the same status.
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
      tell({ type: 'CompanyCallSettled', call: 'create_company', at });
    }
  }
  const current: Merchant = merchant;
  assert(isRegistered(current), 'what is observed exists');
  companyNews(current, observation, at).forEach(tell);
  openingOf(merchant, at).forEach(tell);
  return events;
};

/** Whether a row of the history tells nothing of the company any more: it may be passed over. */
export const isKnownChange = (merchant: Merchant, observation: CompanyObservation): boolean => {
  if (!isRegistered(merchant) || merchant.companyId !== observation.companyId) return false;
  const seen = sightingOf(observation);
  return seen !== null && isKnownRow(merchant.sightings, seen);
};
