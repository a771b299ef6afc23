import type { Saga, Stimulus } from '#event-store';
import { assert } from '#kernel';
import { ERASE_DETAILS_DEADLINE, merchantAggregate, type MerchantEvent } from '#onboarding';
import {
  type Onboarding, ONBOARDING_DEADLINES, ONBOARDING_SAGA, type OnboardingDeadline,
  type OnboardingMessage,
} from './onboarding.js';
import { reactToOnboarding } from './onboarding-saga.js';

/** Whether the onboarding reacts to an event; a new event does not compile until this says so. */
const REACTS_TO: Readonly<Record<MerchantEvent['type'], boolean>> = {
  MerchantDrafted: true,
  DetailsRevised: true,
  RegistrationRequested: true,
  RegistrationRejected: true,
  RegistrationFoundAbsent: true,
  CompanyRegistered: true,
  CompanyAccountFound: false,
  CompanyStatusChanged: true,
  CompanyStatusConfirmed: false,
  EarlierStatusFound: true,
  RequirementsObserved: false,
  SubscriptionLinkOffered: false,
  DocumentsUploaded: true,
  DocumentRemoved: true,
  KeysRequested: false,
  AccountAttached: false,
  MerchantOpened: true,
  MerchantClosed: true,
  TerminalRequested: false,
  TerminalOrdered: false,
  TerminalOrderRejected: false,
  TerminalObserved: false,
  TerminalCancelRequested: false,
  CompanyCallUnknown: true,
  CompanyCallSettled: false,
  CompanyFellSilent: false,
  PersonalDataErased: true,
  CompanyMismatchObserved: false,
  CompanyMismatchesReviewed: false,
};

const reactsTo = (type: string): boolean =>
  Object.hasOwn(REACTS_TO, type) && REACTS_TO[type as keyof typeof REACTS_TO];

const READS = { company: 'merchant.company', requirements: 'merchant.requirements' } as const;

const isDeadline = (kind: string): kind is OnboardingDeadline =>
  (ONBOARDING_DEADLINES as readonly string[]).includes(kind);

/** The log gives events back as they were written, upcast to today's schema. */
const messageOf = (stimulus: Stimulus): OnboardingMessage => {
  if (stimulus.from === 'event') {
    const { type, data } = stimulus.event;
    return { from: 'merchant', event: { ...data, type } as MerchantEvent };
  }
  const { kind } = stimulus;
  assert(isDeadline(kind), `the onboarding has no deadline '${kind}'`);
  return { from: 'deadline', kind };
};

/** From its registration on the provider has the details of a merchant, and we keep none. */
const endsDetails = (message: OnboardingMessage, state: Onboarding): boolean => {
  if (message.from !== 'merchant') return false;
  const { type } = message.event;
  return type === 'CompanyRegistered' || type === 'PersonalDataErased' ||
    (type === 'DetailsRevised' && state.status === 'following' && state.isRegistered);
};

/** The onboarding as the event store runs it: one instance a merchant. */
export const onboardingInStep: Saga<Onboarding> = {
  name: ONBOARDING_SAGA,
  initialState: { status: 'none' },
  stateUpcasters: [],
  deadlines: ONBOARDING_DEADLINES,
  keyOf: ({ streamType, streamId, type }) =>
    streamType === 'merchant' && reactsTo(type) ? streamId : null,
  react: async (before, stimulus, { key: merchantId, now, newId }, step) => {
    const message = messageOf(stimulus);
    const { state, commands, deadlines, readNow } = reactToOnboarding(
      before, message, { now, newRequestId: newId('req') },
    );
    for (const command of commands) await step.execute(merchantAggregate, merchantId, command);
    for (const kind of ONBOARDING_DEADLINES) {
      const dueAt = deadlines[kind];
      if (dueAt !== undefined) step.setDeadline({ kind, key: merchantId, dueAt });
    }
    if (readNow !== null) step.setDeadline({ kind: READS[readNow], key: merchantId, dueAt: now });
    if (endsDetails(message, state)) {
      // Not before the commit: until then a registration may have to be made again with them.
      step.setDeadline({ kind: ERASE_DETAILS_DEADLINE, key: merchantId, dueAt: now });
    }
    return { state, done: false };
  },
};
