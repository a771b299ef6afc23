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
 * The time for which a company may keep a status before operators are warned; null if it may keep
 * the status for good. A merchant may need weeks to sign, a review takes up to a day for each step,
 * and the keys of an available company exist at once.
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
 * docs/provider/onboarding.md#payment-terminals: terminals can be ordered from `validated` on. A
 * request that the provider rejects does no harm.
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
    case 'incomplete':
    case 'in_review':
    case 'closing':
    case 'closed':
      return awaitStatus(state, status, at);
  }
};

/**
 * Orders the first terminal again after an address was added: the provider rejects an order without
 * one. docs/provider/onboarding.md#payment-terminals.
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

type OnMerchant = EventMap<MerchantEvent, [Following, OnboardingContext], OnboardingReaction>;

const readRequirements = (_event: MerchantEvent, state: Following): OnboardingReaction => ({
  ...stay(state),
  readNow: 'requirements',
});

/** The reaction to each event type, or `ignored`. */
export const ONBOARDING_REACTIONS: OnMerchant = {
  // The event is repeated: the saga follows this merchant already.
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
  // If a contract end is observed late, the keys of that contract are invalid.
  EarlierStatusObserved: ({ status }, state, { now: at }) =>
    status === 'closed' ? ask(state, { type: 'RequestKeys', at }) : stay(state),
  MerchantEnabled: (_event, state) => ({
    ...stay(state),
    deadlines: { 'onboarding.status_overdue': null },
  }),
  // The company is still available; only its keys are missing.
  MerchantDisabled: ({ reason }, state, { now }) =>
    reason === 'available' ? awaitStatus(state, 'available', now) : stay(state),
  PersonalDataErased: (_event, state) => ({ ...stay(state), endsDetails: true }),
  ...ignored('CompanyAccountObserved', 'CompanyStatusConfirmed', 'RequirementsObserved'),
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
 * The onboarding of one merchant. The saga registers the company, publishes the link to sign, and
 * reads the missing requirements after each document (documents are streamed to the provider and
 * never stored here). It follows the status, and at `available` requests the company's keys and the
 * first terminal. The merchant aggregate itself enables orders when the keys arrive, and disables
 * them in the step that observes that the company is no longer available: no order is accepted in
 * between, and open orders run to their end. A company without a new status for too long is read,
 * and reported to operators. Pure; a message may be repeated or late.
 */
export const reactToOnboarding = (
  state: Onboarding,
  message: OnboardingMessage,
  context: OnboardingContext,
): OnboardingReaction => {
  switch (state.status) {
    case 'none': {
      if (message.from !== 'merchant') return stay(state);
      // Details that were erased or registered are deleted here, even if earlier messages of the
      // saga were discarded.
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
  // Only a newer release writes other states.
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

/** The onboarding saga as the event store runs it: one instance per merchant. */
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
      // The details are deleted by a deadline, after the commit: until then a retried registration
      // may need them.
      step.setDeadline({ kind: ERASE_DETAILS_DEADLINE, key: merchantId, dueAt: now });
    }
    return { state, done: false };
  },
};
