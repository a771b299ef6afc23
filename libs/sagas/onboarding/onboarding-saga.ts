import type { Instant } from '#kernel';
import { assertNever, DAY_MS, HOUR_MS, plusMs } from '#kernel';
import type { CompanyStatus, MerchantCommand, MerchantEvent, MerchantTerms } from '#onboarding';
import type {
  Awaited, Onboarding, OnboardingContext, OnboardingMessage, OnboardingReaction,
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
  notComplete: 30 * DAY_MS,
  pendingActivation: 7 * DAY_MS,
  validated: 7 * DAY_MS,
  available: DAY_MS,
  pendingDeactivation: 30 * DAY_MS,
  deactivate: null,
};

const LOOK_AGAIN_MS = 7 * DAY_MS;

const NOTHING = { commands: [], deadlines: {}, readNow: null } as const;

const stay = (state: Onboarding): OnboardingReaction => ({ state, ...NOTHING });

const ask = (state: Onboarding, ...commands: readonly MerchantCommand[]): OnboardingReaction => ({
  ...stay(state), commands,
});

const awaitStatus = (
  state: Following, awaited: Awaited, now: Instant, ...commands: readonly MerchantCommand[]
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

/** Specification, "Payment terminals": from `validated` on. Asked for in vain without harm. */
const firstTerminal = (
  { firstTerminal: name }: MerchantTerms, { now: at, newRequestId: requestId }: OnboardingContext,
): readonly MerchantCommand[] =>
  name === null ? [] : [{ type: 'RequestTerminal', requestId, name, by: 'policy', at }];

const onStatus = (
  state: Following, status: CompanyStatus, context: OnboardingContext,
): OnboardingReaction => {
  const { now: at } = context;
  switch (status) {
    case 'validated':
      return awaitStatus(state, status, at, ...firstTerminal(state.terms, context));
    case 'available': {
      const keys = { type: 'RequestKeys', at } as const;
      return awaitStatus(state, status, at, keys, ...firstTerminal(state.terms, context));
    }
    case 'notComplete':
    case 'pendingActivation':
    case 'pendingDeactivation':
    case 'deactivate':
      return awaitStatus(state, status, at);
    default:
      return assertNever(status);
  }
};

/** Without an address to ship it to a terminal is refused. Specification, "Payment terminals". */
const onRevision = (
  state: Following, fields: readonly string[], context: OnboardingContext,
): OnboardingReaction => {
  const isOfTerminals = fields.includes('shipping-address') &&
    (state.awaited === 'validated' || state.awaited === 'available');
  const commands = isOfTerminals ? firstTerminal(state.terms, context) : [];
  return { ...ask(state, ...commands), readNow: 'requirements' };
};

const onMerchant = (
  state: Following, event: MerchantEvent, context: OnboardingContext,
): OnboardingReaction => {
  const { now: at } = context;
  switch (event.type) {
    case 'RegistrationRequested':
      return awaitStatus(state, 'requested', at);
    case 'CompanyCallUnknown':
      return event.call === 'create_company' ? { ...stay(state), readNow: 'company' } : stay(state);
    case 'RegistrationRejected':
      return awaitStatus(state, 'rejected', at);
    case 'RegistrationFoundAbsent':
      return ask(state, { type: 'RequestRegistration', at });
    case 'DetailsRevised':
      if (state.awaited === 'rejected') return ask(state, { type: 'RequestRegistration', at });
      return state.isRegistered ? onRevision(state, event.fields, context) : stay(state);
    case 'CompanyRegistered': {
      const registered = { ...state, isRegistered: true };
      const offer = { type: 'OfferSubscriptionLink', at } as const;
      return { ...awaitStatus(registered, 'notComplete', at, offer), readNow: 'requirements' };
    }
    case 'DocumentsUploaded':
    case 'DocumentRemoved':
      return { ...stay(state), readNow: 'requirements' };
    case 'CompanyStatusChanged':
      return onStatus(state, event.status, context);
    case 'EarlierStatusFound':
      // A contract that ended in between has taken its keys with it, and nobody noticed.
      return event.status === 'deactivate' ? ask(state, { type: 'RequestKeys', at }) : stay(state);
    case 'MerchantOpened':
      return { ...stay(state), deadlines: { 'onboarding.silence': null } };
    case 'MerchantClosed':
      // Its company is available still: what it lacks is keys.
      return event.reason === 'available' ? awaitStatus(state, 'available', at) : stay(state);
    case 'MerchantDrafted':
    case 'CompanyAccountFound':
    case 'CompanyStatusConfirmed':
    case 'RequirementsObserved':
    case 'SubscriptionLinkOffered':
    case 'KeysRequested':
    case 'AccountAttached':
    case 'TerminalRequested':
    case 'TerminalOrdered':
    case 'TerminalOrderRejected':
    case 'TerminalObserved':
    case 'TerminalCancelRequested':
    case 'CompanyCallSettled':
    case 'CompanyFellSilent':
    case 'PersonalDataErased':
    case 'CompanyMismatchObserved':
    case 'CompanyMismatchesReviewed':
      return stay(state);
    default:
      return assertNever(event);
  }
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
  state: Onboarding, message: OnboardingMessage, context: OnboardingContext,
): OnboardingReaction => {
  switch (state.status) {
    case 'none': {
      if (message.from !== 'merchant' || message.event.type !== 'MerchantDrafted') return stay(state);
      const { type: _type, at: _at, detailsRef: _details, ...terms } = message.event;
      return ask(
        { status: 'following', terms, awaited: null, isRegistered: false },
        { type: 'RequestRegistration', at: context.now },
      );
    }
    case 'following':
      return message.from === 'deadline'
        ? onSilence(state, context.now)
        : onMerchant(state, message.event, context);
    default:
      return assertNever(state);
  }
};
