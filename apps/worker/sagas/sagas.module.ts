import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import type { Clock } from '#kernel';
import { EventStore } from '#event-store';
import { Messaging } from '#messaging';
import { CLOCK } from '#platform';
import { Deadlines } from '../deadlines/deadlines.js';
import { CheckoutRunner } from './checkout-runner.js';

/** Feeds the sagas: from the topics what happened, from the deadlines what is due. */
@Module({})
export class SagasModule implements OnModuleInit {
  constructor(
    private readonly store: EventStore,
    private readonly messaging: Messaging,
    private readonly deadlines: Deadlines,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    const checkout = new CheckoutRunner(this.store, this.clock);
    this.messaging.subscribe(checkout.subscription);
    this.deadlines.register(checkout.deadlines);
  }
}
