import { Module } from '@nestjs/common';
import { DuePayouts } from './due-payouts.js';
import { PayoutsController } from './payouts.controller.js';
import { Payouts } from './payouts.service.js';

@Module({
  controllers: [PayoutsController],
  providers: [Payouts, DuePayouts],
  exports: [Payouts, DuePayouts],
})
export class PayoutsModule {}
