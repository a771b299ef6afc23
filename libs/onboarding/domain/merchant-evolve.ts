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

/** Identifies a mismatch, so that the same mismatch is recorded only once. */
export const mismatchKey = ({ aspect, expected, observed }: Mismatch): string =>
  `${aspect}:${expected}:${observed}`;

/**
 * The mismatches that record that a contract has reappeared after its end. They are removed at the
 * next end of a contract, so that a further reappearance is recorded.
 */
const REVIVALS: readonly string[] = COMPANY_STATUSES.map((observed) =>
  mismatchKey({ aspect: 'status', expected: 'closed', observed }),
);

const drafted = (merchant: Merchant): Drafted => {
  assert(merchant.status !== 'none', 'a merchant is drafted before any other event');
  const { terms, detailsRef, unknown, silent, mismatches, unreviewed } = merchant;
  return { terms, detailsRef, unknown, silent, mismatches, unreviewed };
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

/**
 * Whether a key remains valid after the end of a contract: a key that was read on a later day
 * belongs to the next contract.
 */
const survivesEnding = ({ readAt }: KeyAccount, ending: StatusObservation): boolean =>
  parisDay(readAt) > ending.day;

const isNewEnding = (
  statusObservations: readonly StatusObservation[],
  { day, status }: StatusObservation,
): boolean =>
  status === 'closed' &&
  !statusObservations.some((known) => known.status === 'closed' && known.day === day);

/**
 * Whether the contract may have ended and resumed on the day of a row, so that the stored keys may
 * be revoked: the status history shows only the last status of a day. The first row does not show
 * it if a read of the company has shown its first availability before.
 */
const mayHaveResumed = (
  { statusObservations, accounts }: RegisteredMerchant,
  { source, status, day }: StatusObservation,
): boolean => {
  if (source !== 'history' || status !== 'available') return false;
  const known = statusObservations.filter((one) => one.status === status);
  const rows = known.filter((one) => one.source === source);
  const explained = rows.length === 0 ? known : rows;
  return (
    accounts.some(({ readAt }) => parisDay(readAt) <= day) &&
    !explained.some((one) => one.day === day)
  );
};

/**
 * Adds a status observation. The merchant's status is that of the newest observation, which need
 * not be the added observation. Once the contract is signed, the registration lacks nothing.
 */
const withStatus = (
  before: RegisteredMerchant,
  seen: StatusObservation,
  silent: boolean,
): Merchant => {
  const statusObservations = withObservation(before.statusObservations, seen);
  const newest = newestOf(statusObservations) ?? seen;
  const status: CompanyStatus = newest.status;
  // What a registration that is incomplete again lacks is not known until the next read.
  const open = before.status === 'incomplete' ? before.requirements : null;
  const requirements = status === 'incomplete' ? open : { missing: [], readAt: newest.readAt };
  const ends = isNewEnding(before.statusObservations, seen);
  const accounts = ends
    ? before.accounts.filter((account) => survivesEnding(account, seen))
    : before.accounts;
  const mismatches = ends
    ? before.mismatches.filter((key) => !REVIVALS.includes(key))
    : before.mismatches;
  const keysRequested =
    before.keysRequested &&
    status === 'available' &&
    accounts.length === before.accounts.length &&
    !mayHaveResumed(before, seen);
  return {
    ...before,
    status,
    statusObservations,
    requirements,
    accounts,
    keysRequested,
    mismatches,
    silent,
  };
};

const statusObservationOf = (event: StatusObservation): StatusObservation => {
  const { day, status, terminatedByProvider, source, readAt } = event;
  return { day, status, terminatedByProvider, source, readAt };
};

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

type Evolve = {
  readonly [Type in MerchantEvent['type']]: (merchant: Merchant, event: EventOf<Type>) => Merchant;
};

/** Applies an event that needs a registered company. */
const ofCompany =
  <Event>(change: (known: RegisteredMerchant, event: Event) => Merchant) =>
  (merchant: Merchant, event: Event): Merchant =>
    change(registered(merchant), event);

/** Applies an event that needs only a draft. */
const ofDraft =
  <Event>(change: (known: Drafted, event: Event) => Partial<Drafted>) =>
  (merchant: Merchant, event: Event): Merchant => {
    assert(merchant.status !== 'none', 'a merchant is drafted before any other event');
    return { ...merchant, ...change(merchant, event) };
  };

const withTerminal = (
  known: RegisteredMerchant,
  { type: _type, at: _at, ...seen }: EventOf<'TerminalObserved'>,
): Merchant => {
  const before = known.terminals.find(({ terminalId }) => terminalId === seen.terminalId);
  const cancelRequested = before?.cancelRequested === true && seen.status === 'pending';
  const terminal = { ...seen, cancelRequested };
  const terminals = before
    ? known.terminals.map((one) => (one === before ? terminal : one))
    : [...known.terminals, terminal];
  return { ...known, terminals };
};

const withStatusKept = ofCompany<StatusObservation>((known, event) =>
  withStatus(known, statusObservationOf(event), known.silent),
);

const withoutOrder = ofCompany((known) => ({ ...known, terminalOrder: null }));

const EVOLVE: Evolve = {
  MerchantDrafted: (_merchant, { type: _type, at: _at, detailsRef, ...terms }) => {
    const fresh = { unknown: [], silent: false, mismatches: [], unreviewed: [] };
    return { status: 'draft', attemptedAt: null, terms, detailsRef, ...fresh };
  },
  RegistrationRequested: (merchant, { at: requestedAt }) => ({
    ...unregistered(merchant),
    status: 'requested',
    silent: false,
    requestedAt,
  }),
  RegistrationRejected: (merchant, { reason, fields }) => ({
    ...unregistered(merchant),
    status: 'rejected',
    silent: false,
    reason,
    fields,
  }),
  RegistrationNotFound: (merchant) => {
    assert(merchant.status === 'requested', 'the requested registration is confirmed absent');
    const attemptedAt = merchant.attemptedAt ?? merchant.requestedAt;
    return { ...drafted(merchant), status: 'draft', attemptedAt };
  },
  CompanyRegistered: (merchant, { companyId }) => {
    const base = { ...drafted(merchant), silent: false };
    // docs/provider/onboarding-completion.md: a company is created with the status `incomplete`.
    return { ...base, status: 'incomplete', companyId, ...FRESH };
  },
  CompanyAccountObserved: ofCompany((known, { companyAccountId }) => ({
    ...known,
    companyAccountId,
  })),
  CompanyStatusChanged: ofCompany((known, event) =>
    withStatus(known, statusObservationOf(event), false),
  ),
  CompanyStatusConfirmed: withStatusKept,
  EarlierStatusObserved: withStatusKept,
  RequirementsObserved: ofCompany((known, { missing, readAt }) =>
    // Earlier releases recorded reads after the signature.
    known.status === 'incomplete' ? { ...known, requirements: { missing, readAt } } : known,
  ),
  SubscriptionLinkAvailable: ofCompany((known) => ({ ...known, linkOffered: true })),
  DocumentsUploaded: ofCompany((known, event) => ({
    ...known,
    documents: withDocuments(known, event),
  })),
  DocumentRemoved: ofCompany((known, { documentId: removed }) => ({
    ...known,
    documents: known.documents.filter(({ documentId }) => documentId !== removed),
  })),
  CompanyKeysRequested: ofCompany((known) => ({ ...known, keysRequested: true })),
  AccountAttached: ofCompany((known, { accountId, mode, readAt }) => {
    const others = known.accounts.filter((account) => account.mode !== mode);
    return { ...known, accounts: [...others, { accountId, mode, readAt }] };
  }),
  MerchantEnabled: ofCompany((known) => ({ ...known, ordersEnabled: true, silent: false })),
  MerchantDisabled: ofCompany((known) => ({ ...known, ordersEnabled: false })),
  TerminalRequested: ofCompany((known, { requestId, name, knownTerminalIds }) => ({
    ...known,
    terminalOrder: { requestId, name, knownTerminalIds },
  })),
  TerminalOrdered: withoutOrder,
  TerminalOrderRejected: withoutOrder,
  TerminalObserved: ofCompany(withTerminal),
  TerminalCancelRequested: ofCompany((known, { terminalId }) => ({
    ...known,
    terminals: known.terminals.map((terminal) =>
      terminal.terminalId === terminalId ? { ...terminal, cancelRequested: true } : terminal,
    ),
  })),
  DetailsRevised: ofDraft((_known, { detailsRef }) => ({ detailsRef })),
  PersonalDataErased: ofDraft(() => ({ detailsRef: null })),
  CompanyRequestResultUnknown: ofDraft(({ unknown }, { request }) => ({
    unknown: [...unknown, request],
  })),
  CompanyRequestResultResolved: ofDraft(({ unknown }, { request }) => ({
    unknown: unknown.filter((call) => call !== request),
  })),
  CompanyStatusOverdue: ofDraft(() => ({ silent: true })),
  CompanyMismatchObserved: ofDraft(({ mismatches, unreviewed }, event) => ({
    mismatches: [...mismatches, mismatchKey(event)],
    unreviewed: [...unreviewed, mismatchKey(event)],
  })),
  CompanyMismatchesReviewed: ofDraft(() => ({ unreviewed: [] })),
};

export const evolve = (merchant: Merchant, event: MerchantEvent): Merchant =>
  EVOLVE[event.type](merchant, event as never);
