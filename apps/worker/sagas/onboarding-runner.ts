import { assert, type Clock, newId } from '#kernel';
import { type EventMetadata, EventStore, type StepBuilder } from '#event-store';
import type { EventMessage, Subscription } from '#messaging';
import { merchantAggregate, type MerchantDetails, type MerchantEvent } from '#onboarding';
import {
  type Onboarding, ONBOARDING_DEADLINES, ONBOARDING_SAGA, type OnboardingDeadline,
  type OnboardingMessage, reactToOnboarding,
} from '#sagas';
import type { DeadlineHandler, DueDeadline } from '../deadlines/deadline.js';

const ACTOR = `saga:${ONBOARDING_SAGA}`;

/** What the onboarding reacts to; all other events of merchants are passed over. */
const HANDLED: ReadonlySet<MerchantEvent['type']> = new Set([
  'MerchantDrafted', 'DetailsRevised', 'RegistrationRequested', 'RegistrationRejected',
  'RegistrationFoundAbsent', 'CompanyCallUnknown', 'CompanyRegistered', 'CompanyStatusChanged',
  'EarlierStatusFound', 'DocumentsUploaded', 'DocumentRemoved', 'MerchantOpened',
  'MerchantClosed', 'PersonalDataErased',
] as const);

const READS = { company: 'merchant.company', requirements: 'merchant.requirements' } as const;

const isDeadline = (kind: string): kind is OnboardingDeadline =>
  (ONBOARDING_DEADLINES as readonly string[]).includes(kind);

/** The log gives events back as they were written, lifted to today's schema. */
const eventOf = ({ type, data }: EventMessage): MerchantEvent =>
  ({ ...data, type }) as MerchantEvent;

/** The provider has them from the registration on, and we keep none. */
const endsDetails = (event: MerchantEvent, state: Onboarding): boolean =>
  event.type === 'CompanyRegistered' || event.type === 'PersonalDataErased' ||
  (event.type === 'DetailsRevised' && state.status === 'following' && state.isRegistered);

/** Runs the onboarding saga: what it takes, its state and its commands' events are one step. */
export class OnboardingRunner {
  readonly subscription: Subscription = {
    name: ONBOARDING_SAGA,
    actor: ACTOR,
    streams: ['merchant'],
    handles: HANDLED,
    handle: (message, step) => this.take(message.streamId, eventOf(message), step),
  };

  readonly deadlines: DeadlineHandler = {
    kinds: ['onboarding.*'],
    handle: (deadline) => this.carryOut(deadline),
  };

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly details: MerchantDetails,
  ) {}

  private async take(merchantId: string, event: MerchantEvent, step: StepBuilder): Promise<void> {
    const state = await this.react(merchantId, { from: 'merchant', event }, step);
    // Not in the step, and again where the step runs again: what is gone stays gone.
    if (endsDetails(event, state)) await this.details.erase(merchantId);
  }

  private async carryOut(deadline: DueDeadline): Promise<void> {
    const { kind, key: merchantId } = deadline;
    assert(isDeadline(kind), `the onboarding has no deadline '${kind}'`);
    const metadata: EventMetadata = {
      correlationId: merchantId, causationId: `${kind} ${deadline.dueAt}`, actor: ACTOR,
      traceparent: null,
    };
    await this.store.step(metadata, async (step) => {
      step.fired(deadline);
      await this.react(merchantId, { from: 'deadline', kind }, step);
    });
  }

  private async react(
    merchantId: string, message: OnboardingMessage, step: StepBuilder,
  ): Promise<Onboarding> {
    const saved = await this.store.loadSaga(ONBOARDING_SAGA, merchantId);
    const before = (saved.state ?? { status: 'none' }) as Onboarding;
    const now = this.clock.now();
    const reaction = reactToOnboarding(before, message, { now, newRequestId: newId('req') });
    const { state, commands, deadlines, readNow } = reaction;
    for (const command of commands) await step.execute(merchantAggregate, merchantId, command);
    for (const kind of ONBOARDING_DEADLINES) {
      const dueAt = deadlines[kind];
      if (dueAt !== undefined) step.setDeadline({ kind, key: merchantId, dueAt });
    }
    if (readNow !== null) step.setDeadline({ kind: READS[readNow], key: merchantId, dueAt: now });
    const isIdle = commands.length === 0 && Object.keys(deadlines).length === 0;
    if (isIdle && state === before) return state;
    step.saveSaga({
      saga: ONBOARDING_SAGA, key: merchantId, expectedVersion: saved.version, state, done: false,
    });
    return state;
  }
}
