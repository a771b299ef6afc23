import { domainEvent, type Saga, type Stimulus } from '#log';
import { assert, isHandled } from '#kernel';
import { ERASE_DETAILS_DEADLINE, merchantAggregate, type MerchantEvent } from '#onboarding';
import {
  type Onboarding, ONBOARDING_DEADLINES, ONBOARDING_SAGA, type OnboardingDeadline,
  type OnboardingMessage,
} from './onboarding.js';
import { ONBOARDING_REACTIONS, reactToOnboarding } from './onboarding-saga.js';

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
  stateUpcasters: [],
  deadlines: ONBOARDING_DEADLINES,
  keyOf: ({ streamType, streamId, type }) =>
    streamType === 'merchant' && isHandled(ONBOARDING_REACTIONS, type) ? streamId : null,
  react: async (before, stimulus, { key: merchantId, now, newId }, step) => {
    const { state, commands, deadlines, readNow, endsDetails } = reactToOnboarding(
      before, messageOf(stimulus), { now, newRequestId: newId('req') },
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
