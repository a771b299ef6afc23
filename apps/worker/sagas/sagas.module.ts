import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import type { Clock } from '#kernel';
import { EventStore } from '#event-store';
import { Messaging } from '#messaging';
import { MerchantDetails } from '#onboarding';
import { CLOCK } from '#platform';
import { Deadlines } from '../deadlines/deadlines.js';
import { CheckoutRunner } from './checkout-runner.js';
import { OnboardingRunner } from './onboarding-runner.js';

/** Feeds the sagas: from the topics what happened, from the deadlines what is due. */
@Module({})
export class SagasModule implements OnModuleInit {
  constructor(
    private readonly store: EventStore,
    private readonly messaging: Messaging,
    private readonly deadlines: Deadlines,
    private readonly details: MerchantDetails,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    const checkout = new CheckoutRunner(this.store, this.clock);
    const onboarding = new OnboardingRunner(this.store, this.clock, this.details);
    for (const { subscription, deadlines } of [checkout, onboarding]) {
      this.messaging.subscribe(subscription);
      this.deadlines.register(deadlines);
    }
  }
}
