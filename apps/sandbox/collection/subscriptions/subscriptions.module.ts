import { Inject, Module } from '@nestjs/common';
import { DueWork } from '../../clock/due-work.js';
import { CustomersModule } from '../customers/customers.module.js';
import { Customers } from '../customers/customers.service.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { Billing } from './billing.js';
import { Collection } from './collection.js';
import { DueSubscriptions } from './due-subscriptions.js';
import { SubscriptionsController } from './subscriptions.controller.js';
import { Subscriptions } from './subscriptions.service.js';

/** Recurring payments of customers, on the sandbox's clock. */
@Module({
  imports: [CustomersModule, PaymentsModule],
  controllers: [SubscriptionsController],
  providers: [Subscriptions, Billing, Collection, DueSubscriptions],
})
export class SubscriptionsModule {
  constructor(
    @Inject(DueWork) work: DueWork,
    @Inject(DueSubscriptions) due: DueSubscriptions,
    @Inject(Customers) customers: Customers,
    @Inject(Subscriptions) subscriptions: Subscriptions,
  ) {
    work.add(due);
    customers.endWith((...ended) => subscriptions.cancelAllOf(...ended));
  }
}
