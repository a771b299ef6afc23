import type { Instant } from '#kernel';
import { assert } from '#kernel';
import { isCompanyStatus } from './company-status.js';
import type { CompanyObservation, MerchantCommand } from './merchant-command.js';
import type { MerchantEvent } from './merchant-event.js';
import { evolve, mismatchKey } from './merchant-evolve.js';
import { isRegistered, type Merchant, type RegisteredMerchant } from './merchant.js';
import { parisDay } from './paris-day.js';
import {
  isKnownRow,
  addsInformation,
  newestOf,
  type StatusObservation,
  withObservation,
} from './status-observation.js';

type Mismatch = Extract<MerchantEvent, { type: 'CompanyMismatchObserved' }>;

const mismatch = (
  aspect: Mismatch['aspect'],
  expected: string,
  observed: string,
  at: Instant,
): Mismatch => ({ type: 'CompanyMismatchObserved', aspect, expected, observed, at });

/** The status observation; null for an unknown status, which is recorded and otherwise ignored. */
const statusObservationOf = ({
  status,
  terminatedByProvider,
  seen,
}: CompanyObservation): StatusObservation | null => {
  if (!isCompanyStatus(status)) return null;
  const { source, readAt } = seen;
  const day = seen.source === 'history' ? seen.day : parisDay(readAt);
  return { day, status, terminatedByProvider, source, readAt };
};

const accountEvents = (
  merchant: RegisteredMerchant,
  { companyAccountId: seen }: CompanyObservation,
  at: Instant,
): readonly MerchantEvent[] => {
  const { companyAccountId: known } = merchant;
  if (seen === null || seen === known) return [];
  if (known !== null) return [mismatch('account', known, seen, at)];
  return [{ type: 'CompanyAccountObserved', companyAccountId: seen, at }];
};

/**
 * The mismatches of a status that is recorded but implausible: its day is in the future, or the
 * contract had ended. An operator must review them.
 */
const implausibleFacts = (
  merchant: RegisteredMerchant,
  seen: StatusObservation,
  at: Instant,
): Mismatch[] => {
  const today = parisDay(seen.readAt);
  const isAhead = seen.day > today;
  const revives =
    merchant.status === 'closed' &&
    seen.status !== 'closed' &&
    newestOf(withObservation(merchant.statusObservations, seen))?.status === seen.status;
  return [
    ...(isAhead ? [mismatch('day', today, seen.day, at)] : []),
    ...(revives ? [mismatch('status', 'closed', seen.status, at)] : []),
  ];
};

const statusEvents = (
  merchant: RegisteredMerchant,
  seen: StatusObservation,
  at: Instant,
): readonly MerchantEvent[] => {
  if (!addsInformation(merchant.statusObservations, seen)) return [];
  const before = newestOf(merchant.statusObservations);
  const after = newestOf(withObservation(merchant.statusObservations, seen));
  if (before?.status !== after?.status) return [{ type: 'CompanyStatusChanged', ...seen, at }];
  if (before?.readAt !== after?.readAt || before?.day !== after?.day) {
    return [{ type: 'CompanyStatusConfirmed', ...seen, at }];
  }
  return [{ type: 'EarlierStatusObserved', ...seen, at }];
};

const companyEvents = (
  merchant: RegisteredMerchant,
  observation: CompanyObservation,
  at: Instant,
): readonly MerchantEvent[] => {
  const { companyId, status } = observation;
  if (companyId !== merchant.companyId) {
    return [mismatch('company', merchant.companyId, companyId, at)];
  }
  const account = accountEvents(merchant, observation, at);
  const seen = statusObservationOf(observation);
  if (seen === null) return [...account, mismatch('status', merchant.status, status, at)];
  return [...account, ...implausibleFacts(merchant, seen, at), ...statusEvents(merchant, seen, at)];
};

/**
 * The events that start or stop the acceptance of orders. Orders are accepted while the company is
 * `available` and its keys are stored: in an earlier status the keys are not active yet, and in a
 * later status the contract is about to end. docs/provider/onboarding.md#company-status.
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

/**
 * Whether an observed company can be the result of our registration request, which the provider may
 * execute with a delay.
 */
const mayExist = (merchant: Exclude<Merchant, { status: 'none' }>): boolean =>
  merchant.status === 'requested' || (!isRegistered(merchant) && merchant.attemptedAt !== null);

/**
 * Ingests an observation of a company. The newest observation, by day and then by time of reading,
 * decides the status. Because a review may be reopened, the newest status may be an earlier stage
 * of the company's life cycle than the recorded status. An older observation completes the
 * timeline, a repeated observation changes nothing, and a mismatch is recorded once without
 * rejecting the observation. So the result is the same in whatever order and however often the
 * observations arrive.
 */
export const observeCompany = (
  before: Exclude<Merchant, { status: 'none' }>,
  { observation, at }: MerchantCommand & { type: 'ObserveCompanyStatus' },
): readonly MerchantEvent[] => {
  const events: MerchantEvent[] = [];
  let merchant: Merchant = before;
  const record = (event: MerchantEvent): void => {
    if (event.type === 'CompanyMismatchObserved') {
      assert(merchant.status !== 'none', 'an observed merchant was drafted');
      if (merchant.mismatches.includes(mismatchKey(event))) return;
    }
    events.push(event);
    merchant = evolve(merchant, event);
  };
  const { companyId } = observation;
  if (!isRegistered(before)) {
    if (!mayExist(before)) {
      record(mismatch('company', before.status, companyId, at));
      return events;
    }
    record({ type: 'CompanyRegistered', companyId, at });
    if (before.unknown.includes('create_company')) {
      record({ type: 'CompanyRequestResultResolved', request: 'create_company', at });
    }
  }
  const current: Merchant = merchant;
  assert(isRegistered(current), 'an observed merchant is registered');
  companyEvents(current, observation, at).forEach(record);
  openingOf(merchant, at).forEach(record);
  return events;
};

/** Whether a row of the status history shows nothing new about the company, and can be skipped. */
export const isKnownChange = (merchant: Merchant, observation: CompanyObservation): boolean => {
  if (!isRegistered(merchant) || merchant.companyId !== observation.companyId) return false;
  const seen = statusObservationOf(observation);
  return seen !== null && isKnownRow(merchant.statusObservations, seen);
};
