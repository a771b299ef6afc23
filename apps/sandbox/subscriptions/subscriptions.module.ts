import { Inject, Module } from '@nestjs/common';
import { DueWork } from '../clock/due-work.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { Billing } from './billing.js';
import { Collection } from './collection.js';
import { DueSubscriptions } from './due-subscriptions.js';
import { SubscriptionsController } from './subscriptions.controller.js';
import { Subscriptions } from './subscriptions.service.js';

/** What customers pay again and again, on the sandbox's clock. */
@Module({
  imports: [PaymentsModule],
  controllers: [SubscriptionsController],
  providers: [Subscriptions, Billing, Collection, DueSubscriptions],
  exports: [Subscriptions],
})
export class SubscriptionsModule {
  constructor(
    @Inject(DueWork) work: DueWork,
    @Inject(DueSubscriptions) subscriptions: DueSubscriptions,
  ) {
    work.add(subscriptions);
  }
}
