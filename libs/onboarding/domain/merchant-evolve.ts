import { assert } from '#kernel';
import { COMPANY_STATUSES, type CompanyStatus } from './company-status.js';
import type { MerchantEvent } from './merchant-event.js';
import {
  type Drafted,
  isRegistered,
  type KeyAccount,
  type Merchant,
  type Registered,
  type RegisteredMerchant,
  type Unregistered,
} from './merchant.js';
import { parisDay } from './paris-day.js';
import { newestOf, type StatusObservation, withObservation } from './status-observation.js';

type EventOf<T extends MerchantEvent['type']> = Extract<MerchantEvent, { type: T }>;

type Mismatch = Pick<EventOf<'CompanyMismatchObserved'>, 'aspect' | 'expected' | 'observed'>;

/** Identifies a mismatch, so that each is recorded once. */
export const mismatchKey = ({ aspect, expected, observed }: Mismatch): string =>
  `${aspect}:${expected}:${observed}`;

/** The mismatches of a contract that reappears after its end; each end allows a new one. */
const REVIVALS: readonly string[] = COMPANY_STATUSES.map((observed) =>
  mismatchKey({ aspect: 'status', expected: 'closed', observed }),
);

const drafted = (merchant: Merchant): Drafted => {
  assert(merchant.status !== 'none', 'a merchant is drafted before any other event');
  const { terms, detailsRef, unknown, silent, mismatches, mismatched } = merchant;
  return { terms, detailsRef, unknown, silent, mismatches, mismatched };
};

const unregistered = (merchant: Merchant): Unregistered => {
  assert(merchant.status !== 'none' && !isRegistered(merchant), 'a company is created once');
  return { ...drafted(merchant), attemptedAt: merchant.attemptedAt };
};

const registered = (merchant: Merchant): RegisteredMerchant => {
  assert(isRegistered(merchant), 'the company exists before its events');
  return merchant;
};

const FRESH: Omit<Registered, keyof Drafted | 'companyId'> = {
  companyAccountId: null,
  statusObservations: [],
  requirements: null,
  linkOffered: false,
  documents: [],
  keysRequested: false,
  accounts: [],
  ordersEnabled: false,
  terminals: [],
  terminalOrder: null,
};

/** Keys end with the contract: those that were read on a later day belong to the next one. */
const survivesEnding = ({ readAt }: KeyAccount, ending: StatusObservation): boolean =>
  parisDay(readAt) > ending.day;

const isNewEnding = (
  statusObservations: readonly StatusObservation[],
  { day, status }: StatusObservation,
): boolean =>
  status === 'closed' &&
  !statusObservations.some((known) => known.status === 'closed' && known.day === day);

/** Adds an observation; the merchant has the status of the newest one, which may be another. */
const withStatus = (
  before: RegisteredMerchant,
  seen: StatusObservation,
  silent: boolean,
): Merchant => {
  const statusObservations = withObservation(before.statusObservations, seen);
  const status: CompanyStatus = newestOf(statusObservations)?.status ?? before.status;
  const ends = isNewEnding(before.statusObservations, seen);
  const accounts = ends
    ? before.accounts.filter((account) => survivesEnding(account, seen))
    : before.accounts;
  const mismatches = ends
    ? before.mismatches.filter((key) => !REVIVALS.includes(key))
    : before.mismatches;
  const keysRequested =
    before.keysRequested && status === 'available' && accounts.length === before.accounts.length;
  return { ...before, status, statusObservations, accounts, keysRequested, mismatches, silent };
};

const statusObservationOf = (event: StatusObservation): StatusObservation => {
  const { day, status, terminatedByProvider, source, readAt } = event;
  return { day, status, terminatedByProvider, source, readAt };
};

type CompanyEvent = EventOf<
  | 'CompanyAccountObserved'
  | 'CompanyStatusChanged'
  | 'CompanyStatusConfirmed'
  | 'EarlierStatusObserved'
  | 'RequirementsObserved'
  | 'SubscriptionLinkAvailable'
  | 'DocumentsUploaded'
  | 'DocumentRemoved'
  | 'CompanyKeysRequested'
  | 'AccountAttached'
  | 'MerchantEnabled'
  | 'MerchantDisabled'
>;

const withDocuments = (
  { documents }: Registered,
  { kind, personId, documentIds, replaces }: EventOf<'DocumentsUploaded'>,
): Registered['documents'] => [
  ...documents.filter(
    (known) =>
      !(replaces && known.kind === kind && known.personId === personId) &&
      !documentIds.includes(known.documentId),
  ),
  ...documentIds.map((documentId) => ({ documentId, kind, personId })),
];

const evolveCompany = (known: RegisteredMerchant, event: CompanyEvent): Merchant => {
  switch (event.type) {
    case 'CompanyAccountObserved':
      return { ...known, companyAccountId: event.companyAccountId };
    case 'CompanyStatusChanged':
      return withStatus(known, statusObservationOf(event), false);
    case 'CompanyStatusConfirmed':
    case 'EarlierStatusObserved':
      return withStatus(known, statusObservationOf(event), known.silent);
    case 'RequirementsObserved':
      return { ...known, requirements: { missing: event.missing, readAt: event.readAt } };
    case 'SubscriptionLinkAvailable':
      return { ...known, linkOffered: true };
    case 'DocumentsUploaded':
      return { ...known, documents: withDocuments(known, event) };
    case 'DocumentRemoved': {
      const documents = known.documents.filter(({ documentId }) => documentId !== event.documentId);
      return { ...known, documents };
    }
    case 'CompanyKeysRequested':
      return { ...known, keysRequested: true };
    case 'AccountAttached': {
      const { accountId, mode, readAt } = event;
      const others = known.accounts.filter((account) => account.mode !== mode);
      return { ...known, accounts: [...others, { accountId, mode, readAt }] };
    }
    case 'MerchantEnabled':
      return { ...known, ordersEnabled: true, silent: false };
    case 'MerchantDisabled':
      return { ...known, ordersEnabled: false };
  }
};

type TerminalEvent = EventOf<
  | 'TerminalRequested'
  | 'TerminalOrdered'
  | 'TerminalOrderRejected'
  | 'TerminalObserved'
  | 'TerminalCancelRequested'
>;

const evolveTerminal = (known: RegisteredMerchant, event: TerminalEvent): Merchant => {
  switch (event.type) {
    case 'TerminalRequested': {
      const { requestId, name, knownTerminalIds } = event;
      return { ...known, terminalOrder: { requestId, name, knownTerminalIds } };
    }
    case 'TerminalOrdered':
    case 'TerminalOrderRejected':
      return { ...known, terminalOrder: null };
    case 'TerminalObserved': {
      const { type: _type, at: _at, ...seen } = event;
      const before = known.terminals.find(({ terminalId }) => terminalId === seen.terminalId);
      const cancelRequested = before?.cancelRequested === true && seen.status === 'pending';
      const terminal = { ...seen, cancelRequested };
      const terminals = before
        ? known.terminals.map((one) => (one === before ? terminal : one))
        : [...known.terminals, terminal];
      return { ...known, terminals };
    }
    case 'TerminalCancelRequested': {
      const terminals = known.terminals.map((terminal) =>
        terminal.terminalId === event.terminalId
          ? { ...terminal, cancelRequested: true }
          : terminal,
      );
      return { ...known, terminals };
    }
  }
};

type AnyTimeEvent = EventOf<
  | 'DetailsRevised'
  | 'PersonalDataErased'
  | 'CompanyRequestResultUnknown'
  | 'CompanyRequestResultResolved'
  | 'CompanyStatusOverdue'
  | 'CompanyMismatchObserved'
  | 'CompanyMismatchesReviewed'
>;

const evolveAnyTime = (
  merchant: Exclude<Merchant, { status: 'none' }>,
  event: AnyTimeEvent,
): Merchant => {
  switch (event.type) {
    case 'DetailsRevised':
      return { ...merchant, detailsRef: event.detailsRef };
    case 'PersonalDataErased':
      return { ...merchant, detailsRef: null };
    case 'CompanyRequestResultUnknown':
      return { ...merchant, unknown: [...merchant.unknown, event.request] };
    case 'CompanyRequestResultResolved':
      return { ...merchant, unknown: merchant.unknown.filter((call) => call !== event.request) };
    case 'CompanyStatusOverdue':
      return { ...merchant, silent: true };
    case 'CompanyMismatchObserved':
      return {
        ...merchant,
        mismatches: [...merchant.mismatches, mismatchKey(event)],
        mismatched: true,
      };
    case 'CompanyMismatchesReviewed':
      return { ...merchant, mismatched: false };
  }
};

export const evolve = (merchant: Merchant, event: MerchantEvent): Merchant => {
  switch (event.type) {
    case 'MerchantDrafted': {
      const { type: _type, at: _at, detailsRef, ...terms } = event;
      const fresh = { unknown: [], silent: false, mismatches: [], mismatched: false };
      return { status: 'draft', attemptedAt: null, terms, detailsRef, ...fresh };
    }
    case 'RegistrationRequested':
      return {
        ...unregistered(merchant),
        status: 'requested',
        silent: false,
        requestedAt: event.at,
      };
    case 'RegistrationRejected': {
      const { reason, fields } = event;
      return { ...unregistered(merchant), status: 'rejected', silent: false, reason, fields };
    }
    case 'RegistrationNotFound': {
      assert(merchant.status === 'requested', 'the requested registration is confirmed absent');
      const attemptedAt = merchant.attemptedAt ?? merchant.requestedAt;
      return { ...drafted(merchant), status: 'draft', attemptedAt };
    }
    case 'CompanyRegistered': {
      const base = { ...drafted(merchant), silent: false };
      // Completion: creation is the first row of a company's history, `incomplete`.
      return { ...base, status: 'incomplete', companyId: event.companyId, ...FRESH };
    }
    case 'CompanyAccountObserved':
    case 'CompanyStatusChanged':
    case 'CompanyStatusConfirmed':
    case 'EarlierStatusObserved':
    case 'RequirementsObserved':
    case 'SubscriptionLinkAvailable':
    case 'DocumentsUploaded':
    case 'DocumentRemoved':
    case 'CompanyKeysRequested':
    case 'AccountAttached':
    case 'MerchantEnabled':
    case 'MerchantDisabled':
      return evolveCompany(registered(merchant), event);
    case 'TerminalRequested':
    case 'TerminalOrdered':
    case 'TerminalOrderRejected':
    case 'TerminalObserved':
    case 'TerminalCancelRequested':
      return evolveTerminal(registered(merchant), event);
    case 'DetailsRevised':
    case 'PersonalDataErased':
    case 'CompanyRequestResultUnknown':
    case 'CompanyRequestResultResolved':
    case 'CompanyStatusOverdue':
    case 'CompanyMismatchObserved':
    case 'CompanyMismatchesReviewed':
      assert(merchant.status !== 'none', 'a merchant is drafted before any other event');
      return evolveAnyTime(merchant, event);
  }
};
