import { domainEvent, type Saga, type Stimulus } from '#log';
import {
  assert,
  assertNever,
  DAY_MS,
  type EventMap,
  HOUR_MS,
  ignored,
  type Instant,
  isHandled,
  mapEvent,
  plusMs,
} from '#kernel';
import {
  type CompanyStatus,
  ERASE_DETAILS_DEADLINE,
  merchantAggregate,
  type MerchantCommand,
  type MerchantEvent,
  type MerchantTerms,
  upcastAwaited,
} from '#onboarding';
import {
  type Awaited,
  type Onboarding,
  ONBOARDING_DEADLINES,
  ONBOARDING_SAGA,
  type OnboardingContext,
  type OnboardingDeadline,
  type OnboardingMessage,
  type OnboardingReaction,
} from './onboarding.js';

type Following = Extract<Onboarding, { status: 'following' }>;

/**
 * How long a company may keep a status before operators are notified; null: without a limit. A
 * merchant may take weeks to sign, each step of a review takes up to a day, and the API keys exist
 * as soon as the company is available.
 */
const SILENCE_MS: Readonly<Record<Awaited, number | null>> = {
  requested: HOUR_MS,
  rejected: null,
  incomplete: 30 * DAY_MS,
  in_review: 7 * DAY_MS,
  validated: 7 * DAY_MS,
  available: DAY_MS,
  closing: 30 * DAY_MS,
  closed: null,
};

const REPORT_AGAIN_AFTER_MS = 7 * DAY_MS;

const NOTHING = { commands: [], deadlines: {}, readNow: null } as const;

const stay = (state: Onboarding): OnboardingReaction => ({ state, ...NOTHING });

const ask = (state: Onboarding, ...commands: readonly MerchantCommand[]): OnboardingReaction => ({
  ...stay(state),
  commands,
});

const awaitStatus = (
  state: Following,
  awaited: Awaited,
  now: Instant,
  ...commands: readonly MerchantCommand[]
): OnboardingReaction => {
  const silenceMs = SILENCE_MS[awaited];
  const dueAt = silenceMs === null ? null : plusMs(now, silenceMs);
  return {
    state: { ...state, awaited },
    commands,
    deadlines: { 'onboarding.status_overdue': dueAt },
    readNow: null,
  };
};

/**
 * The command to order the first terminal; empty if none is wanted. A terminal can be ordered when
 * the company is `validated` (docs/provider/onboarding.md#payment-terminals). If the provider
 * rejects the order, the onboarding continues.
 */
const firstTerminal = (
  { firstTerminal: name }: MerchantTerms,
  { now: at, newRequestId: requestId }: OnboardingContext,
): readonly MerchantCommand[] =>
  name === null ? [] : [{ type: 'RequestTerminal', requestId, name, by: 'policy', at }];

const onStatus = (
  { status }: { readonly status: CompanyStatus },
  state: Following,
  context: OnboardingContext,
): OnboardingReaction => {
  const { now: at } = context;
  switch (status) {
    case 'validated':
      return awaitStatus(state, status, at, ...firstTerminal(state.terms, context));
    case 'available': {
      const keys = { type: 'RequestKeys', at } as const;
      return awaitStatus(state, status, at, keys, ...firstTerminal(state.terms, context));
    }
    case 'incomplete': {
      const isReopened = state.awaited !== 'incomplete';
      return { ...awaitStatus(state, status, at), readNow: isReopened ? 'requirements' : null };
    }
    case 'in_review':
    case 'closing':
    case 'closed':
      return awaitStatus(state, status, at);
  }
};

/**
 * Orders the first terminal again after a delivery address was added: the provider has rejected the
 * order because the address was missing. docs/provider/onboarding.md#payment-terminals.
 */
const onRevision = (
  { fields }: { readonly fields: readonly string[] },
  state: Following,
  context: OnboardingContext,
): OnboardingReaction => {
  const { awaited, isRegistered, terms } = state;
  if (awaited === 'rejected') {
    const again = ask(state, { type: 'RequestRegistration', at: context.now });
    return isRegistered ? { ...again, endsDetails: true } : again;
  }
  if (!isRegistered) return stay(state);
  const isOfTerminals =
    fields.includes('deliveryAddress') && (awaited === 'validated' || awaited === 'available');
  const commands = isOfTerminals ? firstTerminal(terms, context) : [];
  return { ...ask(state, ...commands), readNow: 'requirements', endsDetails: true };
};

/**
 * Requests the keys when the stored keys may be revoked: the end of a contract is observed late, or
 * a row of the status history may hide it. The merchant aggregate decides whether they are needed.
 */
const onOtherObservation = (
  { status }: { readonly status: CompanyStatus },
  state: Following,
  { now: at }: OnboardingContext,
): OnboardingReaction =>
  status === 'closed' || status === 'available'
    ? ask(state, { type: 'RequestKeys', at })
    : stay(state);

type OnMerchant = EventMap<MerchantEvent, [Following, OnboardingContext], OnboardingReaction>;

const readRequirements = (_event: MerchantEvent, state: Following): OnboardingReaction => ({
  ...stay(state),
  readNow: 'requirements',
});

/** The reaction to each event type, or `ignored`. */
export const ONBOARDING_REACTIONS: OnMerchant = {
  // The saga already has a state for this merchant, so the event is a repetition.
  MerchantDrafted: (_event, state) => stay(state),
  RegistrationRequested: (_event, state, { now }) => awaitStatus(state, 'requested', now),
  CompanyRequestResultUnknown: ({ request }, state) =>
    request === 'create_company' ? { ...stay(state), readNow: 'company' } : stay(state),
  RegistrationRejected: (_event, state, { now }) => awaitStatus(state, 'rejected', now),
  RegistrationNotFound: (_event, state, { now: at }) =>
    ask(state, { type: 'RequestRegistration', at }),
  DetailsRevised: onRevision,
  CompanyRegistered: (_event, state, { now: at }) => {
    const registered = { ...state, isRegistered: true };
    const offer = { type: 'OfferSubscriptionLink', at } as const;
    return {
      ...awaitStatus(registered, 'incomplete', at, offer),
      readNow: 'requirements',
      endsDetails: true,
    };
  },
  DocumentsUploaded: readRequirements,
  DocumentRemoved: readRequirements,
  CompanyStatusChanged: onStatus,
  CompanyStatusConfirmed: onOtherObservation,
  EarlierStatusObserved: onOtherObservation,
  MerchantEnabled: (_event, state) => ({
    ...stay(state),
    deadlines: { 'onboarding.status_overdue': null },
  }),
  // The company is still available, so only the API keys are missing.
  MerchantDisabled: ({ reason }, state, { now }) =>
    reason === 'available' ? awaitStatus(state, 'available', now) : stay(state),
  PersonalDataErased: (_event, state) => ({ ...stay(state), endsDetails: true }),
  ...ignored('CompanyAccountObserved', 'RequirementsObserved'),
  ...ignored('SubscriptionLinkAvailable', 'CompanyKeysRequested', 'AccountAttached'),
  ...ignored('TerminalRequested', 'TerminalOrdered', 'TerminalOrderRejected', 'TerminalObserved'),
  ...ignored('TerminalCancelRequested', 'CompanyRequestResultResolved', 'CompanyStatusOverdue'),
  ...ignored('CompanyMismatchObserved', 'CompanyMismatchesReviewed'),
};

const onSilence = (state: Following, now: Instant): OnboardingReaction => {
  const { awaited } = state;
  if (awaited === null || awaited === 'rejected') return stay(state);
  return {
    state,
    commands: [{ type: 'ReportSilence', status: awaited, at: now }],
    deadlines: { 'onboarding.status_overdue': plusMs(now, REPORT_AGAIN_AFTER_MS) },
    readNow: 'company',
  };
};

/**
 * The onboarding of one merchant. The saga registers the company, announces the signature link, and
 * reads the missing items after each document (documents are forwarded to the provider and not
 * stored here). When the company becomes `available`, the saga requests the company's keys and
 * orders the first terminal. The merchant aggregate itself enables orders when the keys are stored,
 * and disables them in the same step in which a read shows that the company is no longer available,
 * so that no order is accepted in between; orders that were accepted before continue. A company
 * that keeps a status for too long is read, and reported to operators. Pure; an event may arrive
 * twice or late.
 */
export const reactToOnboarding = (
  state: Onboarding,
  message: OnboardingMessage,
  context: OnboardingContext,
): OnboardingReaction => {
  switch (state.status) {
    case 'none': {
      if (message.from !== 'merchant') return stay(state);
      // After the details were erased, or the company was registered, our copy of the details is
      // deleted, even if an operator has discarded earlier reactions of this saga.
      if (
        message.event.type === 'PersonalDataErased' ||
        message.event.type === 'CompanyRegistered'
      ) {
        return { ...stay(state), endsDetails: true };
      }
      if (message.event.type !== 'MerchantDrafted') return stay(state);
      const { type: _type, at: _at, detailsRef: _details, ...terms } = message.event;
      return ask(
        { status: 'following', terms, awaited: null, isRegistered: false },
        { type: 'RequestRegistration', at: context.now },
      );
    }
    case 'following':
      return message.from === 'deadline'
        ? onSilence(state, context.now)
        : mapEvent(ONBOARDING_REACTIONS, stay(state), message.event, state, context);
  }
  // Only a newer release saves other states; this release cannot handle them.
  return assertNever(state);
};

const READS = { company: 'merchant.company', requirements: 'merchant.requirements' } as const;

const isDeadline = (kind: string): kind is OnboardingDeadline =>
  (ONBOARDING_DEADLINES as readonly string[]).includes(kind);

const messageOf = (stimulus: Stimulus): OnboardingMessage => {
  if (stimulus.from === 'event') {
    return { from: 'merchant', event: domainEvent<MerchantEvent>(stimulus.event) };
  }
  const { kind } = stimulus;
  assert(isDeadline(kind), `the onboarding saga has no deadline '${kind}'`);
  return { from: 'deadline', kind };
};

/** The onboarding as a saga of the event store, with one instance for each merchant. */
export const onboardingInStep: Saga<Onboarding> = {
  name: ONBOARDING_SAGA,
  initialState: { status: 'none' },
  stateUpcasters: [upcastAwaited],
  deadlines: ONBOARDING_DEADLINES,
  keyOf: ({ streamType, streamId, type }) =>
    streamType === 'merchant' && isHandled(ONBOARDING_REACTIONS, type) ? streamId : null,
  react: async (before, stimulus, { key: merchantId, now, newId }, step) => {
    const { state, commands, deadlines, readNow, endsDetails } = reactToOnboarding(
      before,
      messageOf(stimulus),
      { now, newRequestId: newId('req') },
    );
    for (const command of commands) await step.execute(merchantAggregate, merchantId, command);
    for (const kind of ONBOARDING_DEADLINES) {
      const dueAt = deadlines[kind];
      if (dueAt !== undefined) step.setDeadline({ kind, key: merchantId, dueAt });
    }
    if (readNow !== null) step.setDeadline({ kind: READS[readNow], key: merchantId, dueAt: now });
    if (endsDetails === true) {
      // The details are deleted by a job after the commit, because a retry of the registration may
      // need the details until then.
      step.setDeadline({ kind: ERASE_DETAILS_DEADLINE, key: merchantId, dueAt: now });
    }
    return { state, done: false };
  },
};
