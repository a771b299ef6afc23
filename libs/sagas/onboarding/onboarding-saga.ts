import { domainEvent, type Saga, type Stimulus } from '#log';
import {
  assert,
  assertNever,
  DAY_MS,
  type EventMap,
  HOUR_MS,
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
 * How long a company may show nothing new before ops are told; null where it may rest for good.
 * A merchant may take weeks to sign; a review takes a day for each of its steps (completion), and
 * the keys of an available company are there at once.
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

const LOOK_AGAIN_MS = 7 * DAY_MS;

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
    deadlines: { 'onboarding.silence': dueAt },
    readNow: null,
  };
};

/**
 * docs/provider/onboarding.md#payment-terminals: from `validated` on. Asked for in vain without
 * harm.
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
 * Without an address to ship it to a terminal is refused.
 * docs/provider/onboarding.md#payment-terminals.
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

/** By event type what the onboarding makes of it, or `ignored`. */
export const ONBOARDING_REACTIONS: OnMerchant = {
  // Told twice: it is followed already.
  MerchantDrafted: (_event, state) => stay(state),
  RegistrationRequested: (_event, state, { now }) => awaitStatus(state, 'requested', now),
  CompanyCallUnknown: ({ call }, state) =>
    call === 'create_company' ? { ...stay(state), readNow: 'company' } : stay(state),
  RegistrationRejected: (_event, state, { now }) => awaitStatus(state, 'rejected', now),
  RegistrationFoundAbsent: (_event, state, { now: at }) =>
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
  // A contract that ended in between has taken its keys with it, and nobody noticed.
  EarlierStatusFound: ({ status }, state, { now: at }) =>
    status === 'closed' ? ask(state, { type: 'RequestKeys', at }) : stay(state),
  MerchantOpened: (_event, state) => ({
    ...stay(state),
    deadlines: { 'onboarding.silence': null },
  }),
  // Its company is available still: what it lacks is keys.
  MerchantClosed: ({ reason }, state, { now }) =>
    reason === 'available' ? awaitStatus(state, 'available', now) : stay(state),
  PersonalDataErased: (_event, state) => ({ ...stay(state), endsDetails: true }),
  CompanyAccountFound: 'ignored',
  CompanyStatusConfirmed: 'ignored',
  RequirementsObserved: 'ignored',
  SubscriptionLinkOffered: 'ignored',
  KeysRequested: 'ignored',
  AccountAttached: 'ignored',
  TerminalRequested: 'ignored',
  TerminalOrdered: 'ignored',
  TerminalOrderRejected: 'ignored',
  TerminalObserved: 'ignored',
  TerminalCancelRequested: 'ignored',
  CompanyCallSettled: 'ignored',
  CompanyFellSilent: 'ignored',
  CompanyMismatchObserved: 'ignored',
  CompanyMismatchesReviewed: 'ignored',
};

const onSilence = (state: Following, now: Instant): OnboardingReaction => {
  const { awaited } = state;
  if (awaited === null || awaited === 'rejected') return stay(state);
  return {
    state,
    commands: [{ type: 'ReportSilence', status: awaited, at: now }],
    deadlines: { 'onboarding.silence': plusMs(now, LOOK_AGAIN_MS) },
    readNow: 'company',
  };
};

/**
 * The onboarding of one merchant: registers the company, hands out the link to sign, looks again at
 * what is missing after each document (documents are streamed to the provider when the platform
 * gives them, and kept nowhere), follows the status, and at `available` asks for the company's keys
 * and the first terminal. That the merchant opens for orders once the keys are there, and closes
 * when its company is no longer available, the merchant decides in the very step that learns of it:
 * no order slips in between, and orders that are open go on to their end. A company that shows
 * nothing new for too long is read, and reported to ops. Pure; each message may come twice or late.
 */
export const reactToOnboarding = (
  state: Onboarding,
  message: OnboardingMessage,
  context: OnboardingContext,
): OnboardingReaction => {
  switch (state.status) {
    case 'none': {
      if (message.from !== 'merchant') return stay(state);
      // Whatever was discarded before it, what is erased or handed over is kept here no longer.
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
  // A newer release's.
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
  assert(isDeadline(kind), `the onboarding has no deadline '${kind}'`);
  return { from: 'deadline', kind };
};

/** The onboarding as the event store runs it: one instance a merchant. */
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
      // Not before the commit: until then a registration may have to be made again with them.
      step.setDeadline({ kind: ERASE_DETAILS_DEADLINE, key: merchantId, dueAt: now });
    }
    return { state, done: false };
  },
};
