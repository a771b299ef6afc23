import { Module } from '@nestjs/common';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { CustomersController } from './customers.controller.js';
import { Customers } from './customers.service.js';

/** Payers, as merchants know them. */
@Module({
  imports: [SubscriptionsModule],
  controllers: [CustomersController],
  providers: [Customers],
})
export class CustomersModule {}
