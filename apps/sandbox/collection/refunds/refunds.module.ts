import { Module } from '@nestjs/common';
import { PaymentsModule } from '../payments/payments.module.js';
import { DueRefunds } from './due-refunds.js';
import { IntentRefundsController, PaymentRefundsController } from './refunds-of.controllers.js';
import { RefundsController } from './refunds.controller.js';
import { Refunds } from './refunds.service.js';

@Module({
  imports: [PaymentsModule],
  controllers: [RefundsController, PaymentRefundsController, IntentRefundsController],
  providers: [Refunds, DueRefunds],
  exports: [Refunds, DueRefunds],
})
export class RefundsModule {}
