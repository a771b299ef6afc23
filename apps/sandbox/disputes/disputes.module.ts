import { Module } from '@nestjs/common';
import { PaymentsModule } from '../payments/payments.module.js';
import { DisputesController, DisputesOfController } from './disputes.controller.js';
import { Disputes } from './disputes.service.js';

@Module({
  imports: [PaymentsModule],
  controllers: [DisputesController, DisputesOfController],
  providers: [Disputes],
  exports: [Disputes],
})
export class DisputesModule {}
