import { Module } from '@nestjs/common';
import { PaymentsModule } from '../payments/payments.module.js';
import { DisputesOnClock } from './disputes-on-clock.js';
import { DisputesController, DisputesOfController } from './disputes.controller.js';
import { Disputes } from './disputes.service.js';

@Module({
  imports: [PaymentsModule],
  controllers: [DisputesController, DisputesOfController],
  providers: [Disputes, DisputesOnClock],
  exports: [Disputes, DisputesOnClock],
})
export class DisputesModule {}
